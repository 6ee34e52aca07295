import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// Exit codes when the reader of the output has ended.
@Suite("Closed output", .inTurn, .timeLimit(.minutes(5)))
struct ClosedOutputTests {
    /// Runs a command whose standard output is a pipe without a reader.
    private static func withoutReader(_ arguments: [String], _ susi: SusiBinary) async throws -> ProgramOutcome {
        try await susi.shell(#"exec 3> >(:); wait $!; "$0" "$@" >&3"#, arguments, by: "/bin/bash").run()
    }

    @Test("without a reader the command ends without a message and keeps its exit code")
    func keepsExitCodeWithoutReader() async throws {
        try await withLocalTenant(signedIn: [.ana]) { _, susi in
            let forged = susi.home.folder.appending("forged")
            try forged.write("0.AXoAsome-refresh-token")
            for (arguments, status) in [
                (["inspect", "@\(forged)"], 7), (["call", "hello", "/status?code=500"], 8), (["call", "hello"], 0),
                (["policies", "explain", "https://evil.example/t/p"], 7), (["accounts"], 0),
                (["accounts", "--json"], 0),
                (["token"], 0), (["token", "--min-valid", "1m"], 0), (["help", "exit-codes"], 0), (["-h"], 0),
            ] as [([String], Int32)] {
                let outcome = try await Self.withoutReader(arguments, susi).exits(status)
                let said = outcome.standardError.split(separator: "\n")
                #expect(status == 8 ? said.allSatisfy { $0.contains("500") } : said.isEmpty, "\(arguments): \(outcome)")
            }
        }
    }

    @Test("without a reader only the status of a long response is read")
    func readsOnlyStatusOfLongResponse() async throws {
        let whole = String(repeating: "0123456789", count: 300_000)
        try await ScriptedServer.with({ _ in .status("503 Busy", whole) }) { server in
            let edit = { (text: String) in
                text.replacing("http://localhost:8480/api/hello", with: "\(server.origin)/v1")
            }
            try await withLocalTenant(policies: edit, signedIn: [.ana]) { tenant in
                try await Self.withoutReader(["call", "hello"], tenant.susi).exits(8)
            }
        }
    }

    @Test("an emulator ends if its first lines cannot be written")
    func emulatorEndsWithoutReader() async throws {
        try await withSusi { susi in
            try await Self.withoutReader(["emulator", "run", "--port", "0", "--quiet"], susi).exits(0)
        }
    }
}
