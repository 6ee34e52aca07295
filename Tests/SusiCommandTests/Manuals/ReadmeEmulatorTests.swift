import SusiEmulator
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiCommand

/// The examples for other languages in the emulator's manual.
@Suite("The emulator's manual", .inTurn, .timeLimit(.minutes(5)))
struct ReadmeEmulatorTests {
    let manual: Document

    init() throws { manual = try Manuals.emulator.read() }

    /// Runs the command that names this test, in a folder with the tenant file and one more file.
    private func tried(_ test: String, _ name: String, _ text: String?) async throws -> ProgramOutcome {
        try await withSusi { susi in
            let home = susi.home
            let files = [("tenants.json", manual.blocks("json").last), (name, text)]
            for (name, text) in files {
                let path = home.work(name)
                try path.write(try #require(text))
            }
            var environment = home.environment
            environment["PATH"] = "\(susi.path.removingLastComponent()):\(environment["PATH"] ?? "")"
            return try await SusiTestSupport.Program(
                "/bin/sh", ["-c", try #require(manual.block(marked: "run by: ReadmeEmulatorTests/\(test)"))],
                environment: environment,
                workingFolder: home.workingFolder
            ).run()
        }
    }

    // Required if `SUSI_DEMAND_WITNESS` is set.
    @Sendable static func hasPytest() async -> Bool {
        if TestEnvironment.variable("SUSI_DEMAND_WITNESS") != nil { return true }
        guard let python = TestEnvironment.program("python3"),
            TestEnvironment.program("pytest") != nil
        else { return false }
        return (try? await SusiTestSupport.Program(python, ["-c", "import pytest, requests"]).run().status) == 0
    }

    @Test("the Python example passes", .enabled("pytest with requests is missing", hasPytest))
    func pythonExamplePasses() async throws {
        let outcome = try await tried("pythonExamplePasses", "test_hello.py", manual.blocks("python").first)
        #expect(outcome.status == 0 && outcome.standardOutput.contains("1 passed"), "\(outcome)")
    }

    @Sendable static func hasNode() -> Bool {
        TestEnvironment.variable("SUSI_DEMAND_WITNESS") != nil
            || TestEnvironment.program("node") != nil
    }

    @Test("the Node.js example passes", .enabled("node is missing", hasNode))
    func nodeExamplePasses() async throws {
        let outcome = try await tried("nodeExamplePasses", "hello.test.mjs", manual.blocks("js").first)
        #expect(outcome.status == 0 && outcome.standardOutput.contains("pass 1"), "\(outcome)")
    }

    @Test("the admin API responds as shown", .enabled(if: TestEnvironment.program("curl") != nil))
    func adminAPIRespondsAsShown() async throws {
        let command = try #require(manual.block(marked: "run by: ReadmeEmulatorTests/adminAPIRespondsAsShown"))
        try await withSusi { susi in
            let shown = command.replacing("~/.local/state/susi", with: "$SUSI_HOME")
                .replacing("http://localhost:8480", with: "$SUSI_EMULATOR_ORIGIN")
            #expect(
                command.contains("~/.local/state/susi/emulator") && command.contains("http://localhost:8480/admin/v1"))
            let own = """
                printf 'Authorization: Bearer %s' "$SUSI_EMULATOR_SECRET" | curl -s -H @- $SUSI_EMULATOR_ADMIN/users
                """
            for line in [shown, own] {
                try await susi.run("emulator", "exec", "--", "sh", "-c", line).exits(0, printing: "ana@contoso.example")
            }
        }
    }

    @Test("every variable that exec sets is in its help and in the manual")
    func documentsEveryVariable() async throws {
        try await withSusi { susi in
            let set = try await susi.run("emulator", "exec", "--tls", "--", "env").standardOutput
            let help = try await susi.run("help", "emulator", "exec").standardOutput
            let names = set.split(separator: "\n").compactMap { $0.split(separator: "=").first.map(String.init) }
                .filter { $0.hasPrefix("SUSI_EMULATOR_") }
            #expect(names.count >= 7)
            for name in names { #expect(help.contains("\(name) ") && manual.text.contains("`\(name)`"), "\(name)") }
        }
    }
}
