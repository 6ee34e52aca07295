import Foundation
import Susi
import SusiTestSupport
import SystemPackage
import Testing

/// Errors before an emulator runs: what failed, why, the next command, and the exit code.
@Suite("Emulators that cannot run", .inTurn, .timeLimit(.minutes(5)))
struct EmulatorFailureTests {
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
            try susi.home.work("tenants.json").write(tenant(#""usersFile": "more.jsonl""#))
            try await run(susi, "--seed", "tenants.json").exits(5, saying: "more.jsonl”", "tenants.json, line 4 ")
            try susi.home.work("more.jsonl").write("{\"email\":\"dot@load.example\"}\n{\"mail\":\"x\"}\n")
            try await run(susi, "--seed", "tenants.json").exits(
                5, saying: "more.jsonl, line 2: ", "  tenants.json, line 4 names it\n", "susi emulator schema")
            let policies = #""policies": { "B2C_1_a": { "kind": "signUpOrSignIn", "template": "page.html" } }"#
            try susi.home.work("tenants.json").write(tenant(policies))
            try await run(susi, "--seed", "tenants.json").exits(5, saying: "tenants.json, line 4 ")
        }
    }

    @Test("a busy port is reported with a command for a free one")
    func suggestsFreePort() async throws {
        try await withSusi { susi in
            try await susi.start("emulator", "run", "--port", "0") { program in
                let line = try await program.waitForLine(containing: "listens at")
                let port = try #require(line.split(separator: ":").last).description
                try await susi.run("emulator", "run", "--port", port).exits(
                    1, saying: "port \(port) ", "next: susi emulator run --port 0\n")
                try await susi.run("emulator", "exec", "--port", port, "--", "true").exits(
                    1, saying: "next: susi emulator exec --port 0 -- true\n")
            }
        }
    }

    @Test("a damaged or newer database is reported with a command that fixes it")
    func suggestsResetOfUnusableDatabase() async throws {
        try await withSusi { susi in
            let folder = susi.home.file("emulator")
            try folder.makeFolder()
            try folder.appending("emulator.sqlite").write("no database at all, however long it is")
            for command in [["run", "--port", "0"], ["export"]] {
                try await susi.command(["emulator"] + command).run().exits(
                    6, saying: "emulator.sqlite: ", "next: susi emulator reset\n")
            }
            try await susi.run("emulator", "reset").exits(64)
            try await susi.run("emulator", "reset", "--yes").exits(0, printing: "signing keys")
            try await susi.start("emulator", "run", "--port", "0") { program in
                _ = try await program.waitForLine(containing: "listens at")
            }
        }
    }

    @Test("a file in place of the folder is reported")
    func refusesFileAsFolder() async throws {
        try await withSusi { susi in
            try Data().write(to: URL(filePath: susi.home.susiHome.string))
            try await run(susi).exits(6, saying: "emulator", "SUSI_HOME")
        }
    }
}
