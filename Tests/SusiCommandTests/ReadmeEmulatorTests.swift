import Foundation
import SusiEmulator
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiCommand

/// What the README says of the emulator is true.
@Suite("README, the emulator", .inTurn, .timeLimit(.minutes(2)))
struct ReadmeEmulatorTests {
    let readme: Readme

    init() throws {
        readme = Readme(
            try String(contentsOfFile: ReadmeTests.root.appending("README.md").string, encoding: .utf8))
    }

    /// Runs the command behind a mark in a folder with the tenant file and one more, as a person would.
    private func tried(_ mark: String, _ name: String, _ text: String?) async throws -> ProgramOutcome {
        try await withSusi { susi in
            let home = susi.home
            let files = [("tenants.json", readme.blocks("json").last), (name, text)]
            for (name, text) in files {
                let path = home.workingFolder.appending(name).string
                try Data(try #require(text).utf8).write(to: URL(filePath: path))
            }
            var environment = home.environment
            environment["PATH"] = "\(susi.path.removingLastComponent()):\(environment["PATH"] ?? "")"
            return try await SusiTestSupport.Program(
                "/bin/sh", ["-c", try #require(readme.block(after: mark))], environment: environment,
                workingFolder: home.workingFolder
            ).run()
        }
    }

    @Test("the tenant file is one, and is written as it stands there")
    func tenantFile() throws {
        let text = try #require(readme.blocks("json").last)
        let tenants = try TenantFile(text: text.utf8, source: "README.md", folder: "/").tenants()
        #expect(tenants.map(\.name) == ["contoso.onmicrosoft.com"])
        #expect(
            try TenantFile(text: TenantFile.text(of: tenants).utf8, source: "again", folder: "/").tenants() == tenants)
    }

    // Demanded where everything has to be there.
    @Sendable static func hasPytest() async -> Bool {
        if SusiTestSupport.Surroundings.variable("SUSI_DEMAND_WITNESS") != nil { return true }
        guard let python = SusiTestSupport.Surroundings.program("python3"),
            SusiTestSupport.Surroundings.program("pytest") != nil
        else { return false }
        return (try? await SusiTestSupport.Program(python, ["-c", "import pytest, requests"]).run().status) == 0
    }

    @Test("the Python test passes", .enabled("pytest with requests is missing", hasPytest))
    func python() async throws {
        let outcome = try await tried("python", "test_hello.py", readme.blocks("python").first)
        #expect(outcome.status == 0 && outcome.standardOutput.contains("1 passed"), "\(outcome)")
    }

    @Sendable static func hasNode() -> Bool {
        SusiTestSupport.Surroundings.variable("SUSI_DEMAND_WITNESS") != nil
            || SusiTestSupport.Surroundings.program("node") != nil
    }

    @Test("the Node.js test passes", .enabled("node is missing", hasNode))
    func node() async throws {
        let outcome = try await tried("node", "hello.test.mjs", readme.blocks("js").first)
        #expect(outcome.status == 0 && outcome.standardOutput.contains("pass 1"), "\(outcome)")
    }

    @Test(
        "a test that fails is a failure of the whole command", .enabled("pytest with requests is missing", hasPytest)
    )
    func failing() async throws {
        let text = readme.blocks("python").first?.replacing("Hello, Lin", with: "Hello, Max")
        #expect(try await tried("python", "test_hello.py", text).status == 1)
    }

    @Test("the Swift test is shown as it runs")
    func swift() throws {
        let file = FilePath(#filePath).removingLastComponent().appending("EmulatorExampleTests.swift").string
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        let own = lines.map { $0.hasPrefix("    ") ? String($0.dropFirst(4)) : String($0) }.joined(separator: "\n")
        #expect(own.contains(try #require(readme.blocks("swift").first)))
        #expect(readme.blocks("swift").count == 2)
    }

    @Test("the admin API answers as shown", .enabled(if: SusiTestSupport.Surroundings.program("curl") != nil))
    func admin() async throws {
        let command = try #require(readme.block(after: "admin"))
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

    @Test("every variable that exec sets is in its help and in the README")
    func variables() async throws {
        try await withSusi { susi in
            let set = try await susi.run("emulator", "exec", "--tls", "--", "env").standardOutput
            let help = try await susi.run("help", "emulator", "exec").standardOutput
            let names = set.split(separator: "\n").compactMap { $0.split(separator: "=").first.map(String.init) }
                .filter { $0.hasPrefix("SUSI_EMULATOR_") }
            #expect(names.count >= 7)
            for name in names { #expect(help.contains("\(name) ") && readme.text.contains("`\(name)`"), "\(name)") }
        }
    }
}
