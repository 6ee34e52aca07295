import Susi
import SusiEmulator
import SusiSQLite
import SusiTestSupport
import SystemPackage
import Testing

/// Stored values that this version never writes: an earlier version accepted them, or another program changed the file.
@Suite("Stored values", .inTurn, .timeLimit(.minutes(5)))
struct StoredValueTests {
    private static let commands = [
        ["accounts"], ["accounts", "--json"], ["status", "-p", PasswordTenant.policy],
        ["status", "-p", PasswordTenant.policy, "--json"],
        ["status", "-p", PasswordTenant.policy, "--claims"], ["sign-out", "-p", PasswordTenant.policy, "--dry-run"],
        ["remove", "ana@contoso.example", "--dry-run"], ["store", "status"],
    ]

    private func change(_ scene: PasswordTenant, _ statements: String...) throws {
        let database = try Connection(path: scene.folder.database.string, mode: .readWrite)
        for statement in statements { try database.execute(statement) }
    }

    /// Writes a time into every column of the store that holds one.
    private func putTimes(_ time: Int64, _ scene: PasswordTenant) throws {
        // SQLite reads the digits before the sign, so the literal of the smallest number would be too large.
        let text = time == .min ? "(-9223372036854775807 - 1)" : "\(time)"
        try change(
            scene, "UPDATE tokens SET expires_on = \(text), refresh_on = \(text), saved_on = \(text)",
            "UPDATE accounts SET signed_in_on = \(text), claims_on = \(text)",
            "UPDATE persons SET profile_on = \(text)",
            "UPDATE documents SET fetched_on = \(text)")
    }

    @Test("times out of range are shown") func survivesTimesOutOfRange() async throws {
        try await PasswordTenant.run { scene in
            try await scene.signIn(.ana)
            for time in [Int64.min, .max] {
                try putTimes(time, scene)
                for command in Self.commands {
                    let outcome = try await scene.susi.command(command).run()
                    // An expired session needs a sign-in.
                    let isExpected = outcome.status == 0 || command[0] == "status" && outcome.status == 4
                    #expect(isExpected, "\(command): \(outcome)")
                }
                for command in [["policies", "check"], ["doctor"], ["token", "-p", PasswordTenant.policy]] {
                    let outcome = try await scene.susi.command(command).run()
                    #expect(outcome.status < 128, "\(command): \(outcome)")
                }
            }
        }
    }

    @Test func escapesNamesThatATerminalWouldObey() async throws {
        try await PasswordTenant.run { scene in
            try await scene.signIn(.ana, .ben)
            try change(
                scene, "UPDATE accounts SET policy = policy || char(27) || '[2J' || char(10)",
                "UPDATE persons SET name = 'Ana' || char(27) || '[2J'")
            for command in [
                ["accounts", "--all"], ["accounts", "--all", "--json"], ["status", "-p", PasswordTenant.policy],
                ["sign-out", "--all", "--dry-run"],
                ["remove", "ana@contoso.example", "--person", "--dry-run"],
                ["remove", "ana@contoso.example", "--person", "--yes"],
            ] {
                let outcome = try await scene.susi.command(command).run()
                let all = outcome.standardOutput + outcome.standardError
                #expect(all.contains("[2J") || command[0] == "status", "\(command): \(outcome)")
                #expect(!all.contains("\u{1b}"), "\(command): \(outcome)")
            }
        }
    }
}
