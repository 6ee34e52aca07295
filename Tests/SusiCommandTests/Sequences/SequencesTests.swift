import Foundation
import Susi
import SusiEmulator
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

/// Sequences of commands in one process, with an emulator: what one verb says afterwards is compared with all others and with the
/// rows of the store (`Invariants.swift`).
@Suite("Sequences", .inTurn, .timeLimit(.minutes(20)))
struct SequencesTests {
    private static let isFull = TestEnvironment.variable("SUSI_FULL") != nil

    @Test("what one command says agrees with all others, after every sequence of two and some of five")
    func verbsAgree() async throws {
        // The short form is the same every time; the long one looks further.
        let seed = Self.isFull || TestEnvironment.variable("SUSI_SEED") != nil ? SeededNumbers.seed : 88_338
        var random = SeededNumbers(seed: seed)
        let start = clock()
        try await withStage { stage in
            let exploration = Exploration(stage, isFull: Self.isFull)
            try await exploration.all(Self.isFull ? 3 : 2)
            try await exploration.afterChanges()
            try await exploration.sample(Self.isFull ? 100 : 4, of: 5, by: &random)
            let seconds = Int(clock() - start) / Int(CLOCKS_PER_SEC)
            print(
                "\(exploration.states) states, \(exploration.steps) steps, \(seconds) s of processor time, seed \(seed)"
            )
            for invariant in Invariant.all {
                guard let failures = exploration.failures[invariant.words], !failures.isEmpty else { continue }
                let texts = failures.prefix(5).map { "\($0)" }.joined(separator: "\n")
                Issue.record("\(invariant.words): \(failures.count) failures, seed \(seed)\n\(texts)")
            }
        }
    }

    private func withStage(_ body: (Stage) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let port = try await freePort()
            let text = SequencePolicies.registered(at: "http://localhost:\(port)")
            let file = try PoliciesFile(text: text.utf8, source: "the applications of the tenant")
            let tenants = TenantConfiguration.tenants(for: file.applications)
            try await PreparedDatabases.shared.put(tenants, into: folder.appending("emulator"))
            let addresses = try ["localhost", "127.0.0.1"].map { try WebAddress("http://\($0):\(port)") }
            try await withEmulator(
                tenants, folder: folder.appending("emulator"), ports: [EmulatorPort(port)],
                reach: try ListenOptions(address: nil, publicAddresses: addresses),
                clock: EmulatorClock(TestEnvironment.realTime)
            ) { emulator in
                let stage = try Stage(emulator, in: folder)
                try await stage.prepareImport()
                try await body(stage)
            }
        }
    }
}
