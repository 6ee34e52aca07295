import Foundation
import SusiEmulator
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiCommand

/// The examples of the emulator's manual for other languages work.
@Suite("The emulator's manual", .inTurn, .timeLimit(.minutes(2)))
struct ReadmeEmulatorTests {
    let manual: Document

    init() throws { manual = try Manuals.emulator.read() }

    /// Runs the command that names this test, in a folder with the tenant file and one more, as a user would.
    private func tried(_ test: String, _ name: String, _ text: String?) async throws -> ProgramOutcome {
        try await withSusi { susi in
            let home = susi.home
            let files = [("tenants.json", manual.blocks("json").last), (name, text)]
            for (name, text) in files {
                let path = home.workingFolder.appending(name).string
                try Data(try #require(text).utf8).write(to: URL(filePath: path))
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

    // Demanded where everything has to be there.
    @Sendable static func hasPytest() async -> Bool {
        if TestEnvironment.variable("SUSI_DEMAND_WITNESS") != nil { return true }
        guard let python = TestEnvironment.program("python3"),
            TestEnvironment.program("pytest") != nil
        else { return false }
        return (try? await SusiTestSupport.Program(python, ["-c", "import pytest, requests"]).run().status) == 0
    }

    @Test("the Python test passes", .enabled("pytest with requests is missing", hasPytest))
    func python() async throws {
        let outcome = try await tried("python", "test_hello.py", manual.blocks("python").first)
        #expect(outcome.status == 0 && outcome.standardOutput.contains("1 passed"), "\(outcome)")
    }

    @Sendable static func hasNode() -> Bool {
        TestEnvironment.variable("SUSI_DEMAND_WITNESS") != nil
            || TestEnvironment.program("node") != nil
    }

    @Test("the Node.js test passes", .enabled("node is missing", hasNode))
    func node() async throws {
        let outcome = try await tried("node", "hello.test.mjs", manual.blocks("js").first)
        #expect(outcome.status == 0 && outcome.standardOutput.contains("pass 1"), "\(outcome)")
    }

    @Test(
        "a test that fails is a failure of the whole command", .enabled("pytest with requests is missing", hasPytest)
    )
    func failing() async throws {
        let text = manual.blocks("python").first?.replacing("Hello, Lin", with: "Hello, Max")
        #expect(try await tried("python", "test_hello.py", text).status == 1)
    }

    @Test("the admin API answers as shown", .enabled(if: TestEnvironment.program("curl") != nil))
    func admin() async throws {
        let command = try #require(manual.block(marked: "run by: ReadmeEmulatorTests/admin"))
        try await withSusi { susi in
            let shown = command.replacing("~/.local/state/susi", with: "$SUSI_HOME")
                .replacing("http://localhost:8480", with: "$SUSI_EMULATOR_ORIGIN")
            #expect(
                command.contains("~/.local/state/susi/emulator") && command.contains("http://localhost:8480/admin/v1"))
            let own = """
                printf 'Authorization: Bearer %s' "$SUSI_EMULATOR_SECRET" | curl -s -H @- $SUSI_EMULATOR_ADMIN/users
                """
            for line in [shown, own] {
                let outcome = try await susi.run("emulator", "exec", "--", "sh", "-c", line)
                #expect(outcome.standardOutput.contains("ana@contoso.example"), "\(outcome)")
            }
        }
    }

    @Test("every variable that exec sets is in its help and in the manual")
    func variables() async throws {
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
