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
    @Test("a switch says that SUSI_ACCOUNT is over it") func namesTheVariableOverASwitch() async throws {
        try await withLocalTenant(signedIn: [.ana, .ben]) { _, susi in
            let variable = ["SUSI_ACCOUNT": "ana@contoso.example"]
            try await susi.run("switch", "ben@contoso.example", environment: variable).exits(
                0, saying: "SUSI_ACCOUNT=ana@contoso.example is over", "next: unset SUSI_ACCOUNT")
            for account in ["-", "ana@contoso.example"] {
                try await susi.run("switch", account, environment: variable).exits(0, error: "")
            }
        }
    }

    @Test("two persons and two policies: list, switch, switch back, remove")
    func managesAccountsOfTwoPersonsAndPolicies() async throws {
        try await withLocalTenant { tenant in
            let (susi, client, ana) = (tenant.susi, try tenant.client(), "ana@contoso.example")
            try await tenant.signIn(.ana)
            try await tenant.interact(["sign-in"], as: .ben).exits(0, printing: ana)
            try await tenant.signIn(.ana, under: "b2c_1_PARTNER")
            let accounts = try await client.accounts()
            #expect(accounts.count == 3 && Set(accounts.map(\.homeAccountID)).count == 3)
            #expect(try await susi.run("call", "hello").standardOutput.contains("Hello, Ben Okoro"))

            #expect(try await susi.run("switch", ana).status == 0)
            #expect(try await susi.run("call", "hello").standardOutput.contains("Hello, Ana Lima"))
            try await susi.run("switch", "-").exits(0, printing: "Ben Okoro")
            // The option overrides the account for one command and stores nothing.
            try await susi.run("call", "hello", "-a", "ANA@contoso.example").exits(0, printing: "Hello, Ana Lima")
            #expect(try await client.account(AccountSelection()).label == LocalTenant.Person.ben.email)

            try await susi.refusal("remove", ana, "--yes").exits(5, saying: "B2C_1_susi", "B2C_1_partner")
            let one = ["remove", ana, "-p", "B2C_1_partner"]
            try await susi.command(one + ["--dry-run"]).run().exits(0, printing: ana)
            let unanswered = try await susi.refusal(one)
            #expect(unanswered.status == 64 && unanswered.next.contains("--yes"), "\(unanswered)")
            #expect(try await client.accounts().count == 3)
            #expect(try await susi.command(one + ["--yes"]).run().status == 0)
            #expect(try await client.accounts().count == 2)
            #expect(try await susi.refusal("token", "-p", "B2C_1_partner").status == 4)
            #expect(try await client.account(AccountSelection(text: ana)).label == ana)
        }
    }

    @Test("an account that cannot be decrypted is listed as damaged; the others work")
    func listsDamagedAccounts() async throws {
        try await withLocalTenant(signedIn: [.ana, .ben]) { tenant in
            let store = try Connection(path: tenant.susi.home.file("store.sqlite").string, mode: .readWrite)
            try store.execute(
                """
                UPDATE accounts SET claims = zeroblob(64)
                WHERE person = (SELECT id FROM persons WHERE emails ->> 0 = ?)
                """, [.text(LocalTenant.Person.ana.email)])
            let list = try await tenant.susi.run("accounts").exits(0)
            #expect(list.standardOutput.components(separatedBy: "damaged: sign in again").count == 2)
            let client = try tenant.client()
            #expect(try await client.token(api: nil, of: AccountSelection()).account.label == "ben@contoso.example")
            try await tenant.signIn(.ana)
            #expect(try await client.accounts().allSatisfy { $0.damage == nil })
        }
    }

    @Test("control characters of a name are escaped")
    func escapesHostileNames() async throws {
        let name = "Eve\u{1b}[2J\u{7}\u{202e}"
        try await withLocalTenant(configure: { $0.users[2].displayName = name }) { tenant in
            try await tenant.interact(["sign-in"], as: .chi).exits(0, printing: #"Eve\u{1b}[2J\u{7}\u{202e}"#)
            try await tenant.susi.runInTerminal("call", "hello").exits(0, hiding: "\u{1b}[2J")
        }
    }
}
