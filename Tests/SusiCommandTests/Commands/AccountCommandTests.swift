import Foundation
import Susi
import SusiEmulator
import SusiSQLite
import SusiTestSupport
import SystemPackage
import Testing

/// Commands on accounts: `accounts`, `status`, `switch`, `remove`.
@Suite("Accounts", .inTurn, .timeLimit(.minutes(5)))
struct AccountCommandTests {
    @Test("two persons and two policies: list, switch, switch back, remove")
    func managesAccountsOfTwoPersonsAndPolicies() async throws {
        try await withLocalTenant { tenant in
            let susi = tenant.susi
            try await tenant.signIn(.ana)
            let second = try await tenant.interact(["sign-in"], as: .ben)
            #expect(second.standardOutput.contains("ana@contoso.example"))
            try await tenant.signIn(.ana, under: "b2c_1_PARTNER")

            let list = try JSONNode(parsing: try await susi.run("accounts", "--json").standardOutput.utf8)
            let accounts = list["accounts"]?.array ?? []
            #expect(accounts.count == 3)
            #expect(Set(accounts.compactMap { $0["homeAccountId"]?.string }).count == 3)
            #expect(try await susi.run("call", "hello").standardOutput.contains("Hello, Ben Okoro"))

            let switched = try await susi.run("switch", "ana@contoso.example")
            #expect(switched.status == 0)
            #expect(try await susi.run("call", "hello").standardOutput.contains("Hello, Ana Lima"))
            let back = try await susi.run("switch", "-")
            #expect(back.standardOutput.contains("Ben Okoro"))
            #expect(try await susi.run("call", "hello").standardOutput.contains("Hello, Ben Okoro"))
            // The option overrides the account for one command and stores nothing.
            let named = try await susi.run("call", "hello", "-a", "ANA@contoso.example")
            #expect(named.standardOutput.contains("Hello, Ana Lima"))
            #expect(try await susi.run("call", "hello").standardOutput.contains("Hello, Ben Okoro"))

            let both = try await susi.run("remove", "ana@contoso.example", "--yes")
            #expect(both.status == 5)
            #expect(both.standardError.contains("B2C_1_susi") && both.standardError.contains("B2C_1_partner"))
            let preview = try await susi.run("remove", "ana@contoso.example", "-p", "B2C_1_partner", "--dry-run")
            #expect(preview.status == 0 && preview.standardOutput.contains("Would remove"))
            #expect(try await count(susi) == 3)
            let unanswered = try await susi.run("remove", "ana@contoso.example", "-p", "B2C_1_partner")
            #expect(unanswered.status == 64 && unanswered.standardError.contains("--yes"))
            #expect(try await count(susi) == 3)
            let removed = try await susi.run("remove", "ana@contoso.example", "-p", "B2C_1_partner", "--yes")
            #expect(removed.status == 0)
            #expect(try await count(susi) == 2)
            #expect(try await susi.run("token", "-p", "B2C_1_partner").status == 4)
            #expect(try await susi.run("call", "hello", "-a", "ana@contoso.example").status == 0)
        }
    }

    private func count(_ susi: SusiBinary) async throws -> Int {
        try JSONNode(parsing: try await susi.run("accounts", "--json").standardOutput.utf8)["accounts"]?.array?.count
            ?? 0
    }

    @Test("after the current account is removed, no other account becomes current")
    func keepsNoCurrentAccountAfterRemoval() async throws {
        try await withLocalTenant { tenant in
            try await tenant.signIn(.ana)
            try await tenant.signIn(.ben)
            _ = try await tenant.susi.run("remove", "ben@contoso.example", "--yes")
            let token = try await tenant.susi.run("token")
            #expect(token.status == 4)
            #expect(token.standardError.contains("susi switch ana@contoso.example -p B2C_1_susi"))
        }
    }

    @Test("a sign-in that expects somebody else is refused, and nothing is stored")
    func refusesUnexpectedPerson() async throws {
        try await withLocalTenant { tenant in
            try await tenant.signIn(.ana)
            let expected = try await tenant.interact(["sign-in", "-a", "chi@contoso.example"], as: .ben)
            #expect(expected.status == 7)
            #expect(try await count(tenant.susi) == 1)
        }
    }

    @Test("policies with the same ending, and one with a dot, keep separate accounts")
    func keepsPoliciesWithSimilarNamesApart() async throws {
        let edit = { (text: String) in
            text.replacing("\"B2C_1_partner\"", with: "\"B2C_1_a.susi\"")
                .replacing("\"B2C_1_edit_profile\"", with: "\"susi\"")
                .replacing("\"kind\": \"editProfile\"", with: "\"kind\": \"signUpOrSignIn\"")
        }
        try await withLocalTenant(policies: edit) { tenant in
            try await tenant.signIn(.ana)
            try await tenant.signIn(.ben, under: "B2C_1_a.susi")
            #expect(try await tenant.susi.run("token", "-p", "susi", "hello").status == 4)
            let call = try await tenant.susi.run("call", "hello", "-p", "B2C_1_a.susi")
            #expect(call.standardOutput.contains("Hello, Ben Okoro"))
            #expect(try await tenant.susi.run("call", "hello").standardOutput.contains("Hello, Ana Lima"))
            let dotted = try await tenant.susi.run("accounts", "-p", "B2C_1_a.susi", "--json")
            #expect(dotted.standardOutput.contains("-b2c_1_a.susi."))
            _ = try await tenant.susi.run("remove", "ben@contoso.example", "--yes", "-p", "B2C_1_a.susi")
            _ = try await tenant.susi.run("remove", "ben@contoso.example", "--yes")
            #expect(try await count(tenant.susi) == 1)
        }
    }

    @Test("an account that cannot be decrypted is listed as damaged; the others work")
    func listsDamagedAccounts() async throws {
        try await withLocalTenant { tenant in
            try await tenant.signIn(.ana)
            try await tenant.signIn(.ben)
            let store = try Connection(
                path: tenant.susi.home.susiHome.appending("store.sqlite").string, mode: .readWrite)
            try store.execute(
                """
                UPDATE accounts SET claims = zeroblob(64)
                WHERE person = (SELECT id FROM persons WHERE label = ?)
                """, [.text(LocalTenant.Person.ana.email)])
            let list = try await tenant.susi.run("accounts")
            #expect(list.status == 0)
            #expect(list.standardOutput.components(separatedBy: "damaged: sign in again").count == 2)
            #expect(try await tenant.susi.run("token").status == 0)
            try await tenant.signIn(.ana)
            #expect(!(try await tenant.susi.run("accounts").standardOutput.contains("damaged")))
        }
    }

    @Test("each account is a line with policy and remaining time; --limit reports the rest")
    func listsAccountsWithPolicyAndRemainingTime() async throws {
        try await withLocalTenant { tenant in
            for policy in ["B2C_1_susi", "B2C_1_partner"] {
                try await tenant.signIn(.ana, under: policy)
            }
            try await tenant.signIn(.ben)
            let list = try await tenant.susi.run("accounts").standardOutput.split(separator: "\n").map(String.init)
            #expect(
                list == [
                    "* Ben Okoro <ben@contoso.example>  B2C_1_susi     sign-in valid 14 d",
                    "* Ana Lima <ana@contoso.example>   B2C_1_partner  sign-in valid 14 d",
                    "  Ana Lima <ana@contoso.example>   B2C_1_susi     sign-in valid 14 d",
                ])
            let cut = try await tenant.susi.run("accounts", "--limit", "2")
            #expect(
                cut.standardOutput.split(separator: "\n").count == 2 && cut.standardError.contains("There are more"))
            let json = try JSONNode(
                parsing: try await tenant.susi.run("accounts", "--limit", "1", "--json").standardOutput.utf8)
            #expect(json["accounts"]?.array?.count == 1 && json["hasMore"]?.bool == true)
            #expect(try await tenant.susi.run("accounts", "--limit", "3").standardError.isEmpty)
            #expect(try await tenant.susi.run("accounts", "--limit", "0").status == 64)
        }
    }

    @Test("control characters of a name are escaped")
    func escapesHostileNames() async throws {
        let name = "Eve\u{1b}[2J\u{7}\u{202e}"
        try await withLocalTenant(configure: { $0.users[2].displayName = name }) { tenant in
            let signedIn = try await tenant.interact(["sign-in"], as: .chi)
            #expect(signedIn.standardOutput.contains(#"Eve\u{1b}[2J\u{7}\u{202e}"#))
            for command in [["accounts"], ["status"], ["switch", "chi@contoso.example"]] {
                let outcome = try await tenant.susi.command(command).run()
                #expect(!outcome.standardOutput.unicodeScalars.contains("\u{1b}"))
                #expect(!outcome.standardOutput.unicodeScalars.contains("\u{202e}"))
            }
            let terminal = try await tenant.susi.runInTerminal("call", "hello")
            #expect(!terminal.standardOutput.contains("\u{1b}[2J"))
            let piped = try await tenant.susi.run("call", "hello")
            #expect(piped.standardOutput.contains("Eve"))
        }
    }
}
