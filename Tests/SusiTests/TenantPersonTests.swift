import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
import Testing

/// Who is meant in another tenant: the person at home, whose account there has another subject.
extension TenantTests {
    private static let revoked =
        #"{"error":"invalid_grant","error_description":"AADSTS50173: revoked","error_codes":[50173]}"#

    private static let atPartner = AccountSelection(policy: PolicyName("partner"))

    private static func atPartner(_ text: String) -> AccountSelection {
        AccountSelection(policy: PolicyName("partner"), text: text)
    }

    /// A name of Ana's, in another tenant or under a policy whose authority is one.
    struct Expectation: Sendable, CustomTestStringConvertible {
        let underPolicy: Bool
        let text: String?
        let completing: Bool
        var testDescription: String { "\(underPolicy ? "policy" : "tenant"): \(text ?? "current") \(completing)" }
    }

    private static let expectations: [Expectation] = [
        Expectation(underPolicy: false, text: nil, completing: false),
        Expectation(underPolicy: false, text: "ana@contoso.example", completing: true),
        Expectation(underPolicy: true, text: "ana", completing: true),
    ]

    @Test(
        "a sign-in there accepts only the person who is current, or whom the text means, at home",
        arguments: expectations)
    func expectsPersonAtHome(row: Expectation) async throws {
        try await withTenants(configure: Self.invitesBen) { tenant in
            let policy = row.underPolicy ? PolicyName("partner") : nil
            let application = row.underPolicy ? "policy" : "common"
            let client = try tenant.client(application, at: row.underPolicy ? nil : Self.tailspin)
            try await tenant.signIn(.ana, of: application)
            let (person, shortFor) = try await client.expectedPerson(
                AccountSelection(policy: policy, text: row.text), completing: row.completing)
            #expect(shortFor?.label == (row.text == "ana" ? "ana@contoso.example" : nil))
            let request = SignInRequest(policy: policy, expected: person)
            let other = await expectRefusal(.differentPerson) { try await tenant.signIn(.ben, with: client, request) }
            #expect(other?.description.contains("ben@contoso.example") == true)
            let stored = try await client.accounts(policy: PolicyName(row.underPolicy ? "partner" : "default"))
            #expect(stored.filter { $0.profile.name != "Ana Lima" }.isEmpty)
            let signedIn = try await tenant.signIn(.ana, with: client, request)
            #expect(signedIn.account.profile.name == "Ana of Contoso")
        }
    }

    @Test("a missing consent in the other tenant leads to its consent page; the sign-in at home serves on")
    func asksForConsentThere() async throws {
        try await withTenants(configure: { if $0.name == Self.tailspin { $0.userConsent = ["User.Read"] } }) { tenant in
            let (home, there) = (try tenant.client(), try tenant.client(at: Self.tailspin))
            try await tenant.signIn(.ana)
            await expectRefusal(.consentNeeded) { try await holder(there) }
            _ = try await home.token(api: "graph", options: Self.refreshing)
            let expected = try await there.expectedPerson(AccountSelection(), api: "graph").person
            let options = AuthorizationOptions(prompt: .consent)
            try await tenant.signIn(
                .ana, with: there, SignInRequest(api: "graph", options: options, expected: expected))
            #expect(try await holder(there) == "Ana of Contoso")
        }
    }

    /// Runs `body` after Ben and then Ana have signed in at home; both are guests of the policy's tenant.
    private func withBothAtHome(_ body: (LocalTenant, PublicClient) async throws -> Void) async throws {
        try await withTenants(configure: Self.invitesBen) { tenant in
            for person in [LocalTenant.Person.ben, .ana] { try await tenant.signIn(person, of: "policy") }
            try await body(tenant, try tenant.client("policy"))
        }
    }

    @Test("after the other tenant revoked its tokens, a forced refresh uses the sign-in at home")
    func refreshesFromHomeAfterRevocation() async throws {
        try await withTenants { tenant in
            let there = try tenant.client(at: Self.tailspin)
            try await tenant.signIn(.ana)
            let first = try await there.token(api: "graph")
            let refresh = { try await there.token(api: "graph", options: Self.refreshing) }
            tenant.emulator.faults.add(Fault(.status(400, body: Self.revoked), at: .token))
            await expectRefusal(.signInNeeded) { try await refresh() }
            tenant.emulator.faults.removeAll()
            // The cached token is still valid.
            #expect(try await there.token(api: "graph").secret == first.secret)
            let count = tenant.requests("POST", "/oauth2/v2.0/token")
            // Two tokens of one second are equal.
            tenant.emulator.clock.advance(by: 1)
            #expect(try await refresh().secret != first.secret)
            #expect(tenant.requests("POST", "/oauth2/v2.0/token") == count + 1)
        }
    }

    @Test("a person in another tenant has the token of that person's sign-in at home, even if another one is current")
    func refreshesFromOwnHome() async throws {
        try await withBothAtHome { tenant, client in
            let refresh = { try await client.token(api: nil, of: Self.atPartner, options: Self.refreshing) }
            _ = try await client.token(api: nil, of: Self.atPartner)
            _ = try await client.switchTo(Self.ben)
            tenant.emulator.faults.add(Fault(.status(400, body: Self.revoked), at: .token))
            await expectRefusal(.signInNeeded) { try await refresh() }
            tenant.emulator.faults.removeAll()
            #expect(try await refresh().account.profile.name == "Ana of Contoso")
            let stored = try await client.accounts(policy: PolicyName("partner"))
            #expect(stored.map(\.profile.name) == ["Ana of Contoso"])
        }
    }

    @Test("after a sign-out under a policy at another tenant, no other account there is chosen")
    func choosesNobodyAfterSignOut() async throws {
        try await withBothAtHome { _, client in
            for name in ["ben@contoso.example", "ana@contoso.example"] {
                _ = try await client.token(api: nil, of: Self.atPartner(name))
            }
            _ = try await client.signOut(try await client.signingOut(Self.atPartner))
            // Ana is current at home, and has an account here.
            await expectRefusal(.noCurrentAccount) { try await client.token(api: nil, of: Self.atPartner) }
            await expectRefusal(.unknownAccount) { try await client.signingOut(Self.atPartner) }
            await expectRefusal(.noCurrentAccount) { try await client.outlook(api: "graph", of: Self.atPartner) }
            let stored = try await client.accounts(policy: PolicyName("partner"))
            #expect(stored.map(\.profile.name) == ["Ana of Contoso"])
        }
    }

    @Test("an identifier at home names the person under a policy at another tenant; a removal stays there")
    func findsByIdentifierAtHome() async throws {
        try await withTenants { tenant in
            let client = try tenant.client("policy")
            try await tenant.signIn(.ana, of: "policy")
            // Only the account at home has that name: in the other tenant, Ana has another identifier.
            let home = try #require(try await client.accounts().first)
            let (subject, policy) = (home.account.person.subject, try client.policy(PolicyName("partner")))
            #expect(
                try await client.finding({ try $0.account(shortenedTo: String(subject.prefix(8)), under: policy) })
                    == home)
            #expect(
                try await client.finding({ try $0.accounts(named: "ana", under: policy, completing: true) }).accounts
                    .isEmpty)
            let first = try await client.token(api: nil, of: Self.atPartner(subject))
            #expect(try await client.token(api: nil, of: Self.atPartner(subject)).secret == first.secret)
            #expect(try await client.switchTo(Self.atPartner(subject)).account.profile.name == "Ana of Contoso")
        }
    }

    @Test("a name that somebody has exactly at home is not completed for a sign-in in another tenant")
    func prefersWholeNameAtHome() async throws {
        let configure = { (tenant: inout TenantConfiguration) in
            if tenant.name != Self.tailspin { ExpectedPersonTests.namingBen("ana")(&tenant) }
        }
        try await withTenants(configure: configure) { tenant in
            let there = try tenant.client(at: Self.tailspin)
            try await tenant.signIn(.ana)
            _ = try await holder(there)
            try await tenant.signIn(.ben, with: try tenant.client(), typing: ["signInName": "ana"])
            // “ana” is Ben's user name, and begins Ana's address.
            let (person, shortFor) = try await there.expectedPerson(AccountSelection(text: "ana"), completing: true)
            #expect(shortFor == nil && person?.hint == "ana")
            await expectRefusal(.differentPerson) {
                try await tenant.signIn(.ana, with: there, SignInRequest(expected: person))
            }
        }
    }

    @Test("a name that two people have at home chooses neither in another tenant")
    func refusesNameOfTwoPeopleAtHome() async throws {
        try await withHome { home in
            let port = try await withLocalTenant(
                in: home, policies: Self.policies, configure: { Self.guests(&$0) }
            ) { tenant async throws -> UInt16 in
                try await tenant.signIn(.ana)
                return tenant.emulator.port
            }
            try home.folder.appending("emulator").remove()
            // Ben has Ana's address now.
            let moved = { (tenant: inout TenantConfiguration) in
                Self.guests(&tenant)
                guard tenant.name != Self.tailspin else { return }
                tenant.users[0].email = "lima@contoso.example"
                tenant.users[1].email = "ana@contoso.example"
            }
            try await withLocalTenant(in: home, port: port, policies: Self.policies, configure: moved) { tenant in
                let there = try tenant.client(at: Self.tailspin)
                try await tenant.signIn(.ben, with: try tenant.client(), typing: ["signInName": "ana@contoso.example"])
                await expectRefusal(.ambiguousAccount) { try await holder(there, Self.ana) }
                await expectRefusal(.ambiguousAccount) { try await there.expectedPerson(Self.ana) }
                #expect(tenant.requests("POST", Self.tokenEndpoint) == 0)
            }
        }
    }
}
