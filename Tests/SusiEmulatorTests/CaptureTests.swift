import SusiTestSupport
import Synchronization
import Testing

@testable import SusiEmulator

/// What real services were seen to send, compared with what the emulator sends.
@Suite("Captures", .inTurn, .timeLimit(.minutes(5)))
struct CaptureTests {
    @Test(
        "sends what the service was seen to send, but for the differences that the capture names",
        arguments: Capture.all)
    func sendsTheSame(capture: Capture) async throws {
        let differences = capture.differences(from: try await Scenarios.sent(capture.scenario))
        #expect(differences.sorted() == capture.differs.keys.sorted())
    }

    @Test("has captures of each service, and uses each scenario") func coversEveryService() {
        #expect(Capture.all.count >= 140)
        #expect(Set(Capture.all.map(\.scenario)) == Set(Scenarios.all.keys))
        #expect(Capture.all.allSatisfy { $0.differs.values.allSatisfy { !$0.isEmpty } })
    }
}

/// How the emulator is made to send each kind of message.
enum Scenarios {
    typealias Scenario = @Sendable () async throws -> Sent

    static let all: [String: Scenario] = b2c.merging(b2cErrors) { $1 }.merging(entra) { $1 }.merging(external) { $1 }
        .merging(native) { $1 }

    private static let made = Mutex<[String: Task<Sent, any Error>]>([:])

    /// Returns the message of a scenario, which is made once for all captures of it.
    static func sent(_ name: String) async throws -> Sent {
        let scenario = try #require(all[name], "unknown scenario: \(name)")
        let task = made.withLock { made in
            let task = made[name] ?? Task { try await scenario() }
            made[name] = task
            return task
        }
        return try await task.value
    }
}
