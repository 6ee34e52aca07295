import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import Testing

/// `edit-profile` and `reset-password`: what they change, and what the person's other accounts have afterwards. A refresh repeats
/// the claims of the sign-in, as in Azure AD B2C.
@Suite("Changed profiles", .inTurn, .timeLimit(.minutes(5)))
struct EditProfileTests {
    private static let typing = ["displayName": "Ana Maria Lima"]

    @Test("an edit signs in again under every policy of the person, and no other person's")
    func signsInAgain() async throws {
        try await withLocalTenant { tenant in
            let susi = tenant.susi
            try await tenant.signIn(.ben)
            try await tenant.signIn(.ana, under: "B2C_1_partner")
            try await tenant.signIn(.ana)
            let edited = try await tenant.interact(["edit-profile"], as: .ana, typing: Self.typing)
            #expect(edited.status == 0 && !edited.standardError.contains("old claims"), "\(edited)")
            #expect(edited.standardOutput.contains("B2C_1_susi, B2C_1_partner"), "\(edited)")
            let status = try JSONNode(parsing: try await susi.run("status", "--json").standardOutput.utf8)
            let names = (status["policies"]?.array ?? []).map { $0["account"]?["name"]?.string }
            #expect(names == ["Ana Maria Lima", "Ana Maria Lima", "Ana Maria Lima", nil])
            let list = try await susi.run("accounts")
            #expect(list.standardOutput.contains("Ben Okoro"))
            #expect(!list.standardOutput.contains("Ana Lima"))
            // The tokens for the API have the new name too, also after a refresh.
            let policies = ["B2C_1_susi", "B2C_1_partner", "B2C_1_edit_profile"]
            for policy in policies {
                let called = try await susi.run("call", "hello", "-p", policy)
                #expect(called.standardOutput.contains("Hello, Ana Maria Lima"), "\(policy): \(called)")
                #expect(try await susi.run("token", "--refresh", "-p", policy).status == 0)
                let again = try await susi.run("call", "hello", "-p", policy)
                #expect(again.standardOutput.contains("Hello, Ana Maria Lima"), "\(policy): \(again)")
            }
            let next = ["displayName": "Ana Neu"]
            #expect(try await tenant.interact(["edit-profile"], as: .ana, typing: next).status == 0)
            for policy in policies {
                let called = try await susi.run("call", "hello", "-p", policy)
                #expect(called.standardOutput.contains("Hello, Ana Neu"), "\(policy): \(called)")
            }
        }
    }

    @Test("an edit of another account than the current one leaves that one current")
    func keepsCurrentAccount() async throws {
        try await withLocalTenant { tenant in
            try await tenant.signIn(.ana)
            try await tenant.signIn(.ben)
            let edit = ["edit-profile", "-a", "ana@contoso.example"]
            let edited = try await tenant.interact(edit, as: .ana, typing: Self.typing)
            #expect(edited.status == 0 && edited.standardOutput.contains("updated under B2C_1_susi"), "\(edited)")
            #expect(try await tenant.susi.run("call", "hello").standardOutput.contains("Hello, Ben Okoro"))
            let named = try await tenant.susi.run("call", "hello", "-a", "ana@contoso.example")
            #expect(named.standardOutput.contains("Hello, Ana Maria Lima"), "\(named)")
        }
    }

    @Test("tokens for every API have the new name, not only the one that the window brought")
    func renewsTokensOfEveryAPI() async throws {
        let other = """
            "apis": { "other": { "baseUrl": "http://localhost:8480/other", \
            "scopes": ["https://contoso.onmicrosoft.com/other/items.write"] },
            """
        try await withLocalTenant(policies: { $0.replacing("\"apis\": {", with: other) }) { tenant in
            let susi = tenant.susi
            _ = try await tenant.interact(["sign-in", "--api", "hello"], as: .ana)
            #expect(try await susi.run("token", "other").status == 0)
            #expect(try await tenant.interact(["edit-profile"], as: .ana, typing: Self.typing).status == 0)
            for api in ["hello", "other"] {
                let token = try await susi.run("token", api).standardOutput
                let shown = try await susi.run("inspect", "-", "--json", input: token)
                #expect(shown.standardOutput.contains("Ana Maria Lima"), "\(api): \(shown)")
            }
        }
    }

    @Test("an edit that returns another person is refused, and nothing is stored")
    func refusesAnotherPerson() async throws {
        try await withLocalTenant { tenant in
            try await tenant.signIn(.ana)
            let edited = try await tenant.interact(["edit-profile"], as: .ben)
            #expect(edited.status == 7 && edited.standardError.contains("ben@contoso.example"), "\(edited)")
            #expect(try await tenant.susi.run("accounts", "--json").standardOutput.contains("ben@") == false)
            #expect(tenant.requests("GET", "/B2C_1_susi/oauth2/v2.0/authorize") == 1)
        }
    }

    @Test("without a session under the sign-in policy, its old claims are reported with the sign-in that renews them")
    func reportsOldClaims() async throws {
        try await withLocalTenant(configure: Self.separate) { tenant in
            let susi = tenant.susi
            try await tenant.signIn(.ana)
            let edited = try await tenant.interact(["edit-profile", "--json"], as: .ana, typing: Self.typing)
            let json = try JSONNode(parsing: edited.standardOutput.utf8)
            #expect(edited.status == 0 && json["updatedPolicies"]?.strings == [], "\(edited)")
            #expect(json["stalePolicies"]?.strings == ["B2C_1_susi"], "\(edited)")
            #expect(edited.standardError.contains("B2C_1_susi still has the old claims"), "\(edited)")
            #expect(edited.standardError.contains("susi sign-in -a ana@contoso.example"), "\(edited)")
            // The refresh repeats the old name; lists keep the new one.
            #expect(try await susi.run("token", "--refresh").status == 0)
            #expect(try await susi.run("call", "hello").standardOutput.contains("Hello, Ana Lima"))
            #expect(try await susi.run("accounts").standardOutput.contains("Ana Maria Lima"))
            let again = ["sign-in", "-p", "B2C_1_susi", "-a", "ana@contoso.example"]
            #expect(try await tenant.interact(again, as: .ana).status == 0)
            #expect(try await susi.run("call", "hello").standardOutput.contains("Hello, Ana Maria Lima"))
        }
    }

    @Test("an account that signed in by password keeps its claims until the next sign-in by password")
    func reportsPasswordPolicy() async throws {
        try await withLocalTenant(policies: { addingPasswordPolicy(to: $0) }) { tenant in
            let signedIn = try await tenant.susi.run(
                "sign-in", "-p", "B2C_1_ropc", "--username", "ana@contoso.example", "--password-stdin",
                input: User.standard[0].password)
            #expect(signedIn.status == 0, "\(signedIn)")
            try await tenant.signIn(.ana)
            let edited = try await tenant.interact(["edit-profile"], as: .ana, typing: Self.typing)
            #expect(edited.status == 0 && edited.standardOutput.contains("updated under B2C_1_susi\n"), "\(edited)")
            #expect(edited.standardError.contains("B2C_1_ropc still has the old claims"), "\(edited)")
            #expect(edited.standardError.contains("--username ana@contoso.example"), "\(edited)")
        }
    }

    @Test(
        "a reset signs in again, because it ends the refresh tokens; without a session it says so",
        arguments: [true, false])
    func signsInAfterReset(hasSession: Bool) async throws {
        try await withLocalTenant(configure: hasSession ? { _ in } : Self.separate) { tenant in
            let susi = tenant.susi
            try await tenant.signIn(.ana)
            let new = [
                "email": "ana@contoso.example", "newPassword": "Fresh-9-apples", "reenterPassword": "Fresh-9-apples",
            ]
            let reset = try await tenant.interact(["reset-password"], as: .ana, typing: new)
            #expect(reset.status == 0, "\(reset)")
            let refreshed = try await susi.run("token", "--refresh")
            if hasSession {
                #expect(reset.standardOutput.contains("signed in again under B2C_1_susi"), "\(reset)")
                #expect(refreshed.status == 0, "\(refreshed)")
            } else {
                #expect(reset.standardError.contains("B2C_1_susi needs a new sign-in"), "\(reset)")
                #expect(reset.standardError.contains("susi sign-in -a ana@contoso.example"), "\(reset)")
                #expect(refreshed.status == 4 && refreshed.standardError.contains("AADB2C90129"), "\(refreshed)")
            }
        }
    }

    /// Sessions of one policy each.
    private static func separate(_ tenant: inout TenantConfiguration) {
        for policy in tenant.policies {
            var settings = tenant.settings(of: policy.name)
            settings.session.scope = .policy
            tenant.settings[policy.name] = settings
        }
    }
}
