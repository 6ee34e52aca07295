import SusiTestSupport
import Testing

@testable import SusiEmulator

/// What the emulator says and the client explains are two tables on purpose; what one has, the other knows.
@Suite("Error codes") struct ErrorCodeTests {
    @Test("the client explains each code that the emulator gives")
    func explained() async throws {
        try await withSusi { susi in
            let help = try await susi.run("help", "error-codes").standardOutput
            for code in ErrorCode.allCases {
                #expect(help.contains("AADB2C\(code.b2c.number) "), "\(code)")
            }
        }
    }
}
