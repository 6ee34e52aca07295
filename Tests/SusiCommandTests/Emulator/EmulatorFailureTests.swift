import Foundation
import Susi
import SusiTestSupport
import SystemPackage
import Testing

/// Errors before an emulator runs: what failed, why, the next command, and the exit code.
@Suite("Emulators that cannot run", .inTurn, .timeLimit(.minutes(5)))
struct EmulatorFailureTests {
    private func write(_ text: String, _ name: String, in susi: SusiBinary) throws {
        try Data(text.utf8).write(to: URL(filePath: susi.home.workingFolder.appending(name).string))
    }

    private func run(_ susi: SusiBinary, _ more: String...) async throws -> ProgramOutcome {
        try await susi.command(["emulator", "run", "--port", "0"] + more).run()
    }

    private func tenant(_ more: String) -> String {
        """
        {
          "tenants": {
            "contoso.onmicrosoft.com": { "kind": "b2c",
              \(more) }
          }
        }
        """
    }

    @Test("a mistake in a file that a tenant file names is reported with the lines of both")
    func reportsFilesNamedByTenantFile() async throws {
        try await withSusi { susi in
            try write(tenant(#""usersFile": "more.jsonl""#), "tenants.json", in: susi)
            let absent = try await run(susi, "--seed", "tenants.json")
            #expect(absent.status == 5 && absent.standardError.contains("more.jsonl”"), "\(absent)")
            #expect(absent.standardError.contains("tenants.json, line 4 "))
            try write("{\"email\":\"dot@load.example\"}\n{\"mail\":\"x\"}\n", "more.jsonl", in: susi)
            let broken = try await run(susi, "--seed", "tenants.json")
            #expect(broken.status == 5 && broken.standardError.contains("more.jsonl, line 2: "), "\(broken)")
            #expect(broken.standardError.contains("  tenants.json, line 4 names it\n"))
            #expect(broken.standardError.contains("susi emulator schema"))
            let policies = #""policies": { "B2C_1_a": { "kind": "signUpOrSignIn", "template": "page.html" } }"#
            try write(tenant(policies), "tenants.json", in: susi)
            let template = try await run(susi, "--seed", "tenants.json")
            #expect(template.status == 5 && template.standardError.contains("tenants.json, line 4 "))
            try await run(susi, "--users", "none.jsonl").exits(64)
        }
    }

    @Test("a busy port is reported with a command for a free one")
    func suggestsFreePort() async throws {
        try await withSusi { susi in
            try await susi.start("emulator", "run", "--port", "0") { program in
                let line = try await program.waitForLine(containing: "listens at")
                let port = try #require(line.split(separator: ":").last).description
                let second = try await susi.run("emulator", "run", "--port", port).exits(1)
                #expect(second.standardError.contains("port \(port) "), "\(second)")
                #expect(second.standardError.contains("next: susi emulator run --port 0\n"))
                let command = try await susi.run("emulator", "exec", "--port", port, "--", "true")
                #expect(command.standardError.contains("next: susi emulator exec --port 0 -- true\n"), "\(command)")
            }
        }
    }

    @Test("a damaged or newer database is reported with a command that fixes it")
    func suggestsResetOfUnusableDatabase() async throws {
        try await withSusi { susi in
            let folder = susi.home.susiHome.appending("emulator")
            try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
            try Data("no database at all, however long it is".utf8)
                .write(to: URL(filePath: folder.appending("emulator.sqlite").string))
            for command in [["run", "--port", "0"], ["export"]] {
                let damaged = try await susi.command(["emulator"] + command).run().exits(6)
                #expect(damaged.standardError.contains("emulator.sqlite: "), "\(damaged)")
                #expect(damaged.standardError.contains("next: susi emulator reset\n"), "\(damaged)")
            }
            try await susi.run("emulator", "reset").exits(64)
            let reset = try await susi.run("emulator", "reset", "--yes")
            #expect(reset.status == 0 && reset.standardOutput.contains("signing keys"), "\(reset)")
            try await susi.start("emulator", "run", "--port", "0") { program in
                _ = try await program.waitForLine(containing: "listens at")
            }
        }
    }

    @Test("a file in place of the folder is reported")
    func refusesFileAsFolder() async throws {
        try await withSusi { susi in
            try Data().write(to: URL(filePath: susi.home.susiHome.string))
            let refused = try await run(susi).exits(6)
            #expect(refused.standardError.contains("emulator"), "\(refused)")
            #expect(refused.standardError.contains("SUSI_HOME"), "\(refused)")
        }
    }

    @Test("invalid options are usage errors")
    func refusesInvalidOptions() async throws {
        try await withSusi(policies: PoliciesFile.builtInText) { susi in
            for options in [
                ["--access-token", "-5s"], ["--refresh-token", "0"], ["--access-token", "5 minutes"],
                ["--port", "70000"], ["--listen", "localhost"], ["--public-url", "idp.test"],
                ["--public-url", "https://idp.test/login"], ["-A", "nowhere"],
            ] {
                let refused = try await susi.refusal(["emulator", "run", "--port", "0"] + options)
                #expect(refused.status == (options[0] == "-A" ? 5 : 64) && !refused.next.isEmpty, "\(refused)")
            }
            // This machine has no such address.
            let address = try await run(susi, "--listen", "203.0.113.7")
            #expect(address.status == 64 && address.standardError.contains("next: "), "\(address)")
        }
    }
}
