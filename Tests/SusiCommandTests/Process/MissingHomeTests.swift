import Foundation
import Susi
import SusiTestSupport
import SystemPackage
import Testing

/// Without `HOME`: nothing is written to a folder that the user did not name.
@Suite("Missing home folder", .inTurn, .timeLimit(.minutes(5)))
struct MissingHomeTests {
    /// Runs `susi` without `HOME` and `SUSI_HOME`, and with these variables.
    private func run(
        _ susi: SusiBinary, _ arguments: [String], _ variables: [String: String] = [:]
    ) async throws -> ProgramOutcome {
        var command = susi.command(arguments, limit: .seconds(60))
        for name in ["HOME", "SUSI_HOME"] { command.environment[name] = nil }
        command.environment.merge(variables) { $1 }
        return try await command.run()
    }

    private static var rootEntries: Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: "/")) ?? [])
    }

    private static let commands = [
        ["sign-in", "--no-browser"], ["token"], ["token", "-f", "json"], ["accounts"], ["status"], ["doctor"],
        ["store", "status"], ["emulator", "run", "--port", "0"], ["emulator", "reset", "--yes"],
        ["emulator", "trust"], ["policies", "trust"], ["policies", "list"],
    ]

    /// A relative folder would be another one in each working folder, and a checkout could bring its own.
    @Test(
        "every command that needs a folder names the variable to set",
        arguments: [
            ([:], "set HOME, or"), (["HOME": ""], "set HOME, or"), (["XDG_CONFIG_HOME": "/other"], "set HOME, or"),
            (["HOME": "relative"], "set HOME to"), (["HOME": "./relative"], "set HOME to"),
            (["HOME": "/other", "XDG_STATE_HOME": "state"], "set XDG_STATE_HOME to"),
            (["HOME": "/other", "XDG_CONFIG_HOME": "config"], "set XDG_CONFIG_HOME to"),
            (["SUSI_HOME": ".susi"], "set SUSI_HOME to"), (["SUSI_HOME": "susi"], "set SUSI_HOME to"),
        ] as [([String: String], String)])
    func namesVariables(variables: [String: String], next: String) async throws {
        try await withSusi { susi in
            let unset = ["HOME": "", "SUSI_HOME": ""]
            for arguments in Self.commands {
                let refused = try await susi.refusal(arguments, environment: unset.merging(variables) { $1 })
                #expect(refused.status == 64 && refused.next.hasPrefix(next), "\(arguments): \(refused)")
            }
        }
    }

    @Test("nothing is written without a folder; what needs none still runs")
    func writesNothing() async throws {
        try await withSusi { susi in
            let before = Self.rootEntries
            let temporary = ["TMPDIR": susi.home.folder.string]
            for arguments in [
                ["sign-in", "--no-browser"], ["token"], ["emulator", "run", "--port", "0"], ["import", "-"],
            ] { try await run(susi, arguments).exits(64, saying: "HOME is not set") }
            for arguments in [
                ["--version"], ["help", "exit-codes"], ["policies", "schema"], ["completion", "bash"],
                ["emulator", "exec", "--", "true"],
            ] { try await run(susi, arguments, temporary).exits(0) }
            #expect(Self.rootEntries == before)
            #expect(try susi.home.workingFolder.names() == [])
        }
    }

    @Test("in a SUSI_HOME that is open to others, the store has a private folder, and keeps it")
    func makesPrivateFolder() async throws {
        try await withLocalTenant(policies: { addingPasswordPolicy(to: $0) }) { tenant in
            let home = tenant.susi.home.susiHome
            try home.permit(0o755)
            let words = ["sign-in", "-p", "B2C_1_ropc", "--username", "ana@contoso.example", "--password-stdin"]
            try await tenant.susi.command(words, input: .text("Passw0rd!\n")).run().exits(0)
            let folder = home.appending("store")
            #expect(try folder.permissions() == 0o700 && folder.appending("store.sqlite").exists)
            for mode in [0o755, 0o700] {
                try home.permit(mode)
                #expect(try await tenant.susi.run("token", "-p", "B2C_1_ropc").status == 0)
            }
            // A store that was made in a private folder is not left for an empty one.
            try FileManager.default.moveItem(atPath: "\(folder)/store.sqlite", toPath: "\(home)/store.sqlite")
            try home.permit(0o755)
            try await tenant.susi.run("token", "-p", "B2C_1_ropc").exits(6, saying: "chmod 700")
        }
    }

    @Test("SUSI_HOME, or both XDG variables, suffice; a cached token needs nothing else")
    func acceptsOtherVariables() async throws {
        try await withHome { home in
            try await withLocalTenant(in: home, signedIn: [.ana]) { _ in }
            let susi = try SusiBinary(home: home)
            let token = try await susi.run("token").standardOutput
            let linked = home.folder.appending("xdg")
            try FileManager.default.createDirectory(atPath: linked.string, withIntermediateDirectories: false)
            try FileManager.default.moveItem(atPath: home.susiHome.string, toPath: linked.appending("susi").string)
            let xdg = ["XDG_CONFIG_HOME": linked.string, "XDG_STATE_HOME": linked.string]
            for variables in [xdg, ["SUSI_HOME": linked.appending("susi").string]] {
                for program in [try susi.installed(), susi] {
                    try await run(program, ["token"], variables).exits(0, output: token)
                    try? home.folder.appending("prefix").remove()
                }
                try await run(susi, ["accounts"], variables).exits(0, printing: "ana@contoso.example")
            }
        }
    }
}
