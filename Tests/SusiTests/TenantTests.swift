import Susi
import SusiEmulator
import SusiTestSupport
import SusiTools
import Testing

/// One sign-in for several workforce tenants: Ana of contoso is a guest of tailspin.
@Suite("Several tenants", .inTurn, .timeLimit(.minutes(5)))
struct TenantTests {
    static let tailspin = "tailspin.onmicrosoft.com"
    static let contosoID = TenantConfiguration(kind: .entra, name: "contoso.onmicrosoft.com").id
    static let ana = AccountSelection(text: "ana@contoso.example")
    static let ben = AccountSelection(text: "ben@contoso.example")

    private static func application(_ authority: String, known: [String], policies: String = "") -> String {
        let known = known.map { "\"http://localhost:8480\($0)\"" }.joined(separator: ", ")
        return """
            { "kind": "entra", "authority": "http://localhost:8480/\(authority)", \(policies)
              "clientId": "11111111-1111-1111-1111-111111111111", "redirectPorts": [0], "knownAuthorities": [\(known)],
              "apis": { "graph": { "baseUrl": "http://localhost:8480/v1.0", "scopes": ["User.Read"] } } }
            """
    }

    private static let partner = """
        "policies": {
            "default": { "kind": "signUpOrSignIn", "default": true },
            "partner": {
                "kind": "signUpOrSignIn", "authority": "http://localhost:8480/\(tailspin)", "scopes": ["User.Read"] } },
        """

    static func policies(_: String) -> String {
        let named = ["/common", "/contoso.onmicrosoft.com", "/\(tailspin)"]
        return """
            { "current": "common", "applications": {
                "common": \(application("common", known: named)),
                "contoso": \(application("contoso.onmicrosoft.com", known: named)),
                "tailspin": \(application(tailspin, known: named)),
                "policy": \(application("common", known: named, policies: partner)),
                "host": \(application("common", known: [""], policies: partner)),
                "other": \(application("common", known: named).replacing("\"11111111-", with: "\"44444444-")) } }
            """
    }

    static func guests(_ tenant: inout TenantConfiguration) {
        guard tenant.name == tailspin else { return }
        tenant.users = [
            User(
                objectID: "9a9a9a9a-0000-4000-8000-000000000009", email: "ana@contoso.example",
                displayName: "Ana of Contoso", identityProvider: contosoID)
        ]
    }

    static func invitesBen(_ tenant: inout TenantConfiguration) {
        guard tenant.name == tailspin else { return }
        tenant.users.append(
            User(
                objectID: "9b9b9b9b-0000-4000-8000-000000000009", email: "ben@contoso.example",
                displayName: "Ben of Contoso", identityProvider: contosoID))
    }

    func withTenants(
        arrived: (@Sendable (String) async -> Void)? = nil,
        configure more: (inout TenantConfiguration) -> Void = { _ in }, _ body: (LocalTenant) async throws -> Void
    ) async throws {
        try await withLocalTenant(
            policies: Self.policies, arrived: arrived,
            configure: {
                Self.guests(&$0)
                more(&$0)
            }, body)
    }

    /// Returns whose token the client has.
    func holder(_ client: PublicClient, _ selection: AccountSelection = AccountSelection()) async throws -> String? {
        try await client.token(api: "graph", of: selection).account.profile.name
    }

    private func said(_ error: SusiError?) -> String { error.map { "\($0) \($0.next)" } ?? "" }

    static let refreshing = TokenRequestOptions(forcesRefresh: true)
    static let tokenEndpoint = "/\(tailspin)/oauth2/v2.0/token"

    @Test(
        "a sign-in at common or at home serves another tenant, the second time from the cache",
        arguments: ["common", "contoso"])
    func servesOtherTenant(application: String) async throws {
        try await withTenants { tenant in
            let (home, there) = (try tenant.client(application), try tenant.client(application, at: Self.tailspin))
            try await tenant.signIn(.ana, of: application)
            let own = try await home.token(api: "graph")
            let token = try await there.token(api: "graph")
            let (ownClaims, claims) = (
                try SignedToken(parsing: own.secret).claims, try SignedToken(parsing: token.secret).claims
            )
            #expect(ownClaims["tid"]?.string == Self.contosoID && ownClaims["name"]?.string == "Ana Lima")
            #expect(claims["tid"]?.string != Self.contosoID && claims["name"]?.string == "Ana of Contoso")
            #expect(tenant.requests("POST", Self.tokenEndpoint) == 1)
            let count = tenant.requestLines.count
            for selection in [AccountSelection(), Self.ana] {
                #expect(try await there.token(api: "graph", of: selection).secret == token.secret)
                #expect(try await home.token(api: "graph", of: selection).secret == own.secret)
            }
            #expect(tenant.requestLines.count == count)
            // Two tokens of one second are equal.
            tenant.emulator.clock.advance(by: 1)
            let refreshed = try await there.token(api: "graph", options: Self.refreshing)
            #expect(refreshed.secret != token.secret && tenant.requests("POST", Self.tokenEndpoint) == 2)
        }
    }

    @Test("an export for the browser says of a guest that the tenant is not the home")
    func marksGuestInExport() async throws {
        try await withTenants { tenant in
            for (application, isAtHome) in [("tailspin", false), ("contoso", true)] {
                let client = try tenant.client(application)
                try await tenant.signIn(.ana, of: application)
                let export = try await client.export(try await client.accounts(), as: .browser(origin: nil))
                let entries = try JSONNode(parsing: export.text.utf8).members.compactMap {
                    try JSONNode(parsing: ($0.node.string ?? "").utf8)["tenantProfiles"]?.array?.first
                }
                #expect(entries.map { $0["isHomeTenant"]?.bool } == [isAtHome], "\(export.text)")
            }
        }
    }

    @Test("the accounts of one person in two tenants are two persons with one home account, removed one at a time")
    func keepsAccountsOfBothTenants() async throws {
        try await withTenants { tenant in
            let (home, there) = (try tenant.client(), try tenant.client(at: Self.tailspin))
            try await tenant.signIn(.ana)
            _ = try await there.token(api: "graph")
            let accounts = try await home.accounts()
            #expect(accounts.count == 2 && Set(accounts.map(\.homeAccountID)).count == 1)
            #expect(Set(accounts.map(\.account.person.subject)).count == 2)
            #expect(Set(accounts.map(\.account.person.tenant)).count == 2)
            #expect(Set(accounts.map { home.application.otherTenant(of: $0) }) == [nil, Self.tailspin])
            #expect(try await home.current(try home.policy(nil)).current?.profile.name == "Ana Lima")
            let guest = try #require(try await there.current(try there.policy(nil)).current)
            #expect(guest.profile.name == "Ana of Contoso")
            _ = try await home.remove(try await home.account(Self.ana))
            #expect(try await holder(there, Self.ana) == "Ana of Contoso")
            let unknown = await expectRefusal(.unknownAccount) { try await home.account(Self.ana) }
            #expect(said(unknown).contains(Self.tailspin))
            _ = try await there.remove(guest)
            #expect(try await home.accounts().isEmpty)
            await expectRefusal(.signInNeeded) { try await holder(there) }
        }
    }

    @Test("after a sign-out in another tenant the next request fetches the account again; --all removes every tenant's")
    func fetchesAgainAfterSignOut() async throws {
        try await withTenants { tenant in
            let (home, there) = (try tenant.client(), try tenant.client(at: Self.tailspin))
            try await tenant.signIn(.ana)
            for count in 1...2 {
                #expect(try await there.outlook(api: "graph", of: AccountSelection()).account.isAtHome)
                _ = try await holder(there)
                #expect(tenant.requests("POST", Self.tokenEndpoint) == count)
                _ = try await there.signOut(try await there.signingOut(AccountSelection()))
                #expect(try await there.accounts().isEmpty)
            }
            _ = try await holder(there)
            #expect(try await home.signOut(try await home.accounts()).removed.count == 2)
            #expect(try await home.accounts().isEmpty)
            await expectRefusal(.signInNeeded) { try await holder(there) }
        }
    }

    @Test("a sign-out in a shared store removes the account in a tenant that knownAuthorities no longer names")
    func removesAccountOfForgottenTenant() async throws {
        try await withTenants { tenant in
            try tenant.share()
            try await tenant.signIn(.ana)
            _ = try await holder(try tenant.client(at: Self.tailspin))
            let text = try tenant.susi.home.policiesFile.text()
            let entry = ", \"\(tenant.emulator.origin)/\(Self.tailspin)\"]"
            try #require(text.contains(entry))
            try tenant.susi.home.writePolicies(text.replacing(entry, with: "]"))
            let client = try tenant.client()
            #expect(try await client.signOut(try await client.signingOut(AccountSelection())).removed.count == 2)
            try tenant.susi.home.writePolicies(text)
            #expect(try await tenant.client().accounts().isEmpty)
        }
    }

    @Test("a policy at another tenant uses the sign-in at home until it is signed out")
    func servesPolicyWithAuthority() async throws {
        try await withTenants { tenant in
            let client = try tenant.client("policy")
            let partner = AccountSelection(policy: PolicyName("partner"))
            try await tenant.signIn(.ana, of: "policy")
            #expect(try await client.outlook(api: "graph", of: partner).account.label == "ana@contoso.example")
            #expect(tenant.requests("POST", Self.tokenEndpoint) == 0)
            let token = try await client.token(api: nil, of: partner)
            #expect(token.account.profile.name == "Ana of Contoso" && token.account.isCurrent)
            let count = tenant.requestLines.count
            #expect(try await client.token(api: nil, of: partner).secret == token.secret)
            #expect(tenant.requestLines.count == count)
            _ = try await client.signOut(try await client.signingOut(partner))
            await expectRefusal(.signInNeeded) { try await client.token(api: nil, of: partner) }
            #expect(try await holder(client) == "Ana Lima")
            // The time of a sign-in counts in whole seconds.
            let later = try tenant.client("policy", ahead: 5)
            try await tenant.signIn(.ana, with: later)
            #expect(try await later.token(api: nil, of: partner).account.profile.name == "Ana of Contoso")
        }
    }

    @Test("a tenant that knownAuthorities does not name gets nothing; the error names the entry")
    func refusesUnnamedTenant() async throws {
        try await withTenants { tenant in
            for application in ["host", "common"] { try await tenant.signIn(.ana, of: application) }
            let (count, origin) = (tenant.requestLines.count, tenant.emulator.origin)
            let unnamed = try tenant.client(at: "fabrikam.onmicrosoft.com")
            let unknown = await expectRefusal(.unknownAuthority) { try await holder(unnamed) }
            #expect(said(unknown).contains("\"\(origin)/fabrikam.onmicrosoft.com\""))
            let host = try tenant.client("host", at: Self.tailspin)
            let open = await expectRefusal(.unknownAuthority) { try await holder(host) }
            #expect(said(open).contains("\"\(origin)/\(Self.tailspin)\" to knownAuthorities"))
            let policy = await expectRefusal(.signInNeeded) {
                try await tenant.client("host").token(api: nil, of: AccountSelection(policy: PolicyName("partner")))
            }
            #expect(said(policy).contains("\"\(origin)/\(Self.tailspin)\" to knownAuthorities"))
            #expect(tenant.requestLines.count == count)
        }
    }

    @Test(
        "the person who is current at home is used in the other tenant, where the first account does not become current"
    )
    func followsCurrentAccount() async throws {
        try await withTenants(configure: Self.invitesBen) { tenant in
            let (home, there) = (try tenant.client(), try tenant.client(at: Self.tailspin))
            for person in [LocalTenant.Person.ana, .ben] {
                try await tenant.signIn(person)
                #expect(try await holder(there) == (person == .ana ? "Ana of Contoso" : "Ben of Contoso"))
            }
            _ = try await home.switchTo(Self.ana)
            #expect(try await holder(there) == "Ana of Contoso")
            #expect(try await holder(there, Self.ben) == "Ben of Contoso")
        }
    }

    @Test("a person who is removed at home while the other tenant responds does not come back")
    func keepsRemovedPersonRemoved() async throws {
        let gate = Gate("POST", Self.tokenEndpoint)
        try await withTenants(arrived: { await gate.pass($0) }) { tenant in
            let (home, there) = (try tenant.client(), try tenant.client(at: Self.tailspin))
            try await tenant.signIn(.ana)
            await gate.holdNext(1)
            async let token = there.token(api: "graph")
            await gate.waitUntilFull()
            _ = try await home.remove(try await home.account(Self.ana))
            await gate.open()
            do {
                _ = try await token
                Issue.record("the removed person has a token")
            } catch {}
            #expect(try await home.accounts().isEmpty)
        }
    }

    @Test("the sign-in of another client does not serve the tenant")
    func keepsClientsApart() async throws {
        try await withTenants { tenant in
            let other = try tenant.client("other", at: Self.tailspin)
            try await tenant.signIn(.ana)
            await expectRefusal(.signInNeeded) { try await holder(other) }
            await expectRefusal(.unknownAccount) { try await holder(other, Self.ana) }
            #expect(tenant.requests("POST", Self.tokenEndpoint) == 0)
        }
    }

    @Test("the policy's own tenant is no other tenant, however it is named")
    func knowsOwnTenantByAnyName() async throws {
        try await withTenants { tenant in
            for application in ["common", "contoso"] { try await tenant.signIn(.ana, of: application) }
            let text = try tenant.susi.home.policiesFile.text()
            let renamed = text.replacing("contoso.onmicrosoft.com", with: Self.contosoID)
            for (application, text) in [("common", text), ("contoso", renamed)] {
                try tenant.susi.home.writePolicies(text)
                let client = try tenant.client(application)
                let accounts = try await client.accounts()
                #expect(accounts.map(\.label) == ["ana@contoso.example"])
                #expect(accounts.compactMap { client.application.otherTenant(of: $0) } == [])
            }
        }
    }
}
