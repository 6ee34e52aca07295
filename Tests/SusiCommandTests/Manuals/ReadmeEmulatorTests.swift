import SusiPolicies
import SusiTestSupport
import Testing

/// The examples for other languages in the emulator's manual.
@Suite("The emulator's manual", .inTurn, .timeLimit(.minutes(5)))
struct ReadmeEmulatorTests {
    let manual: Document

    init() throws { manual = try Manuals.emulator.read() }

    /// Runs the command that names this test, in a folder with the tenant file and one more file.
    private func tried(_ test: String, _ name: String, _ text: String?) async throws -> ProgramOutcome {
        try await withSusi { susi in
            let files = [("tenants.json", manual.blocks("json").last), (name, text)]
            for (name, text) in files { try susi.home.work(name).write(try #require(text)) }
            let command = try #require(manual.block(marked: "run by: ReadmeEmulatorTests/\(test)"))
            return try await susi.script(command).run()
        }
    }

    @Test(
        "the Python example passes",
        .enabled("pytest with requests is missing", { await TestEnvironment.hasPython("pytest, requests") }))
    func pythonExamplePasses() async throws {
        try await tried("pythonExamplePasses", "test_hello.py", manual.blocks("python").first).exits(
            0, printing: "1 passed")
    }

    @Sendable static func hasNode() -> Bool {
        TestEnvironment.variable("SUSI_DEMAND_WITNESS") != nil
            || TestEnvironment.program("node") != nil
    }

    @Test("the Node.js example passes", .enabled("node is missing", hasNode))
    func nodeExamplePasses() async throws {
        try await tried("nodeExamplePasses", "hello.test.mjs", manual.blocks("js").first).exits(0, printing: "pass 1")
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
