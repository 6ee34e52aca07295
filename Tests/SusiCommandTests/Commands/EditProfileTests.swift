import Susi
import SusiEmulator
import SusiTestSupport
import Testing

/// `edit-profile` and `reset-password`: what they change, and what the person's other accounts have afterwards. A refresh repeats
/// the claims of the sign-in, as in Azure AD B2C.
@Suite("Changed profiles", .inTurn, .timeLimit(.minutes(5)))
struct EditProfileTests {
    private static let typing = ["displayName": "Ana Maria Lima"]

    /// Returns the name in the token for the API, as the API reads it.
    private static func name(
        _ tenant: LocalTenant, _ account: String? = nil, under policy: String? = nil, api: String? = "hello",
        refreshed: Bool = false
    ) async throws -> String? {
        let selection = AccountSelection(policy: policy.map { PolicyName($0) }, text: account)
        let options = TokenRequestOptions(forcesRefresh: refreshed)
        let token = try await tenant.client().token(api: api, of: selection, options: options).secret
        guard case .signed(_, let claims) = DecodedToken(token) else { return nil }
        return claims["name"]?.string
    }

    @Test("an edit signs in again under every policy of the person, and no other person's")
    func signsInAgain() async throws {
        try await withLocalTenant(signedIn: [.ben]) { tenant in
            try await tenant.signIn(.ana, under: "B2C_1_partner")
            try await tenant.signIn(.ana)
            try await tenant.interact(["edit-profile"], as: .ana, typing: Self.typing).exits(
                0, printing: "B2C_1_susi, B2C_1_partner", hiding: "old claims")
            let names = try await tenant.client().accounts().map { "\($0.account.policy) \($0.profile.name ?? "")" }
            let expected = ["susi", "partner"].map { "B2C_1_\($0) Ana Maria Lima" }
            #expect(Set(names) == Set(expected + ["B2C_1_susi Ben Okoro"]), "\(names)")
            // The tokens for the API have the new name too, also after a refresh.
            for policy in ["B2C_1_susi", "B2C_1_partner"] {
                #expect(try await Self.name(tenant, under: policy) == "Ana Maria Lima", "\(policy)")
                #expect(try await Self.name(tenant, under: policy, refreshed: true) == "Ana Maria Lima", "\(policy)")
            }
            try await tenant.susi.run("call", "hello").exits(0, printing: "Hello, Ana Maria Lima")
        }
    }

    @Test("an edit of another account than the current one leaves that one current")
    func keepsCurrentAccount() async throws {
        try await withLocalTenant(signedIn: [.ana, .ben]) { tenant in
            let edit = ["edit-profile", "-a", "ana@contoso.example"]
            try await tenant.interact(edit, as: .ana, typing: Self.typing).exits(
                0, printing: "updated under B2C_1_susi")
            #expect(try await Self.name(tenant) == "Ben Okoro")
            #expect(try await Self.name(tenant, "ana@contoso.example") == "Ana Maria Lima")
        }
    }

    @Test("an edit that returns another person is refused, and nothing is stored")
    func refusesAnotherPerson() async throws {
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            try await tenant.interact(["edit-profile"], as: .ben).exits(7, saying: "ben@contoso.example")
            #expect(try await tenant.client().accounts().map(\.label) == [LocalTenant.Person.ana.email])
            #expect(tenant.requests("GET", "/B2C_1_susi/oauth2/v2.0/authorize") == 1)
        }
    }

    @Test("without a session under the sign-in policy, its old claims are reported with the sign-in that renews them")
    func reportsOldClaims() async throws {
        try await withLocalTenant(configure: Self.separate, signedIn: [.ana]) { tenant in
            let edited = try await tenant.interact(["edit-profile", "--json"], as: .ana, typing: Self.typing)
            let json = try edited.json()
            #expect(edited.status == 0 && json["updatedPolicies"]?.strings == [], "\(edited)")
            #expect(json["stalePolicies"]?.strings == ["B2C_1_susi"], "\(edited)")
            #expect(edited.standardError.contains("susi sign-in -a ana@contoso.example"), "\(edited)")
            // The edit has no account of its own; its signed claims are in the result.
            #expect(json["policy"]?.string == "B2C_1_edit_profile" && json["label"]?.string == "ana@contoso.example")
            #expect(json["claims"]?["name"]?.string == "Ana Maria Lima" && json["account"] == nil, "\(edited)")
            #expect(try await tenant.client().storedCount().all == 1)
            // The refresh repeats the old name; lists keep the new one.
            #expect(try await Self.name(tenant, refreshed: true) == "Ana Lima")
            #expect(try await tenant.client().account(AccountSelection()).profile.name == "Ana Maria Lima")
            try await tenant.signIn(.ana)
            #expect(try await Self.name(tenant) == "Ana Maria Lima")
        }
    }

    @Test("an account that signed in by password keeps its claims until the next sign-in by password")
    func reportsPasswordPolicy() async throws {
        try await withLocalTenant(policies: { addingPasswordPolicy(to: $0) }) { tenant in
            try await tenant.signIn(.ana, byPassword: "B2C_1_ropc")
            #expect(try await Self.name(tenant, under: "B2C_1_ropc") == "Ana Lima")
            try await tenant.signIn(.ana)
            try await tenant.interact(["edit-profile"], as: .ana, typing: Self.typing).exits(
                0, saying: "--username ana@contoso.example", printing: "updated under B2C_1_susi\n")
            // The cached token goes with the sign-in that is proposed, although it asks for no API.
            #expect(try await Self.name(tenant, under: "B2C_1_ropc") == "Ana Lima")
            try await tenant.signIn(.ana, byPassword: "B2C_1_ropc")
            #expect(try await Self.name(tenant, under: "B2C_1_ropc") == "Ana Maria Lima")
        }
    }

    @Test(
        "a reset signs in again, because it ends the refresh tokens; without a session it says so",
        arguments: [true, false])
    func signsInAfterReset(hasSession: Bool) async throws {
        try await withLocalTenant(configure: hasSession ? { _ in } : Self.separate, signedIn: [.ana]) { tenant in
            let new = [
                "email": "ana@contoso.example", "newPassword": "Fresh-9-apples", "reenterPassword": "Fresh-9-apples",
            ]
            let reset = try await tenant.interact(["reset-password"], as: .ana, typing: new).exits(0)
            if hasSession {
                _ = try await Self.name(tenant, refreshed: true)
            } else {
                #expect(reset.standardError.contains("susi sign-in -a ana@contoso.example"), "\(reset)")
                try await tenant.susi.refusal("token", "--refresh").exits(4, saying: "AADB2C90129")
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
