import Foundation
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
        ["remove", "ana@contoso.example", "--dry-run"], ["store", "status"], ["policies", "check"], ["doctor"],
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

    @Test(arguments: [Int64.min, -1, Int64.max])
    func showsTimesOutOfRange(time: Int64) async throws {
        try await PasswordTenant.run { scene in
            try await scene.signIn(.ana)
            try putTimes(time, scene)
            for command in Self.commands {
                let outcome = try await scene.susi.command(command).run()
                #expect(outcome.status < 128, "\(command): \(outcome)")
                guard command[0] != "doctor", command[0] != "policies" else { continue }
                // An expired session needs a sign-in.
                let isExpected = outcome.status == 0 || command[0] == "status" && outcome.status == 4
                #expect(isExpected, "\(command): \(outcome)")
            }
            let token = try await scene.susi.run("token", "-p", PasswordTenant.policy)
            #expect(token.status < 128, "\(token)")
        }
    }

    @Test(arguments: [Int64.min, Int64.max])
    func checkReportsTimesOutOfRangeAndRepairRemovesThem(time: Int64) async throws {
        try await PasswordTenant.run { scene in
            try await scene.signIn(.ana)
            try putTimes(time, scene)
            let check = try await scene.susi.run("store", "check")
            #expect(check.status == 6, "\(check)")
            for place in ["tokens.expires_on", "tokens.saved_on", "accounts.claims_on", "persons.profile_on"] {
                #expect(check.standardOutput.contains(place), "\(place): \(check)")
            }
            let json = try await scene.susi.run("store", "check", "--json")
            #expect(
                try JSONNode(parsing: json.standardOutput.utf8)["findings"]?.array?.first?["kind"]?.string == "time")
            let repair = try await scene.susi.run("store", "repair", "--yes")
            #expect(repair.status == 0 && repair.standardOutput.contains("Kept 1 account"), "\(repair)")
            let again = try await scene.susi.run("store", "check")
            #expect(again.status == 0, "\(again)")
            // The refresh token is still valid, but its expiry is unknown now.
            #expect(try await scene.susi.run("token", "-p", PasswordTenant.policy).status == 0)
        }
    }

    @Test func escapesNamesThatATerminalWouldObey() async throws {
        try await PasswordTenant.run { scene in
            try await scene.signIn(.ana, .ben)
            try change(
                scene, "UPDATE accounts SET policy = policy || char(27) || '[2J' || char(10)",
                "UPDATE persons SET name = 'Ana' || char(27) || '[2J', label = label || char(27) || '[2J'")
            for command in [
                ["accounts"], ["accounts", "--json"], ["status", "-p", PasswordTenant.policy], ["store", "check"],
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

    @Test func repairKeepsAProfileWhoseTimeIsOutOfRange() async throws {
        try await PasswordTenant.run { scene in
            try await scene.signIn(.ana)
            try change(scene, "UPDATE persons SET name = 'Kept Name', profile_on = -5")
            let repair = try await scene.susi.run("store", "repair", "--yes")
            #expect(repair.status == 0, "\(repair)")
            let list = try await scene.susi.run("accounts", "--json")
            #expect(list.standardOutput.contains("Kept Name"), "\(list)")
        }
    }
}
