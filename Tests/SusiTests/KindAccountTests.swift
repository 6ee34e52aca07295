import Susi
import SusiEmulator
import SusiTestSupport
import Testing

/// Accounts of other kinds of tenant: several tenants under one name, several names of one tenant, revocation.
@Suite("Accounts of other kinds", .inTurn, .timeLimit(.minutes(5)))
struct KindAccountTests {
    private static func policies(_: String) -> String {
        let application = { (kind: String, path: String, more: String) in
            """
            { "kind": "\(kind)", "authority": "http://localhost:8480/\(path)",
              "clientId": "11111111-1111-1111-1111-111111111111", "redirectPorts": [0]\(more),
              "knownAuthorities": ["http://localhost:8480"] }
            """
        }
        let graph = #", "apis": { "graph": { "baseUrl": "http://localhost:8480/v1.0", "scopes": ["User.Read"] } }"#
        let other = graph.replacing("\"graph\"", with: "\"other\"").replacing("/v1.0", with: "/api/other")
        return """
            { "current": "common", "applications": {
                "tailspin": \(application("entra", "tailspin.onmicrosoft.com", graph)),
                "common": \(application("entra", "common", graph)),
                "organizations": \(application("entra", "organizations", graph)),
                "fabrikam": \(application("external", "fabrikam.onmicrosoft.com", other)),
                "login": \(application("openid", "login", "")) } }
            """
    }

    private func people(_ tenant: inout TenantConfiguration) {
        if tenant.kind == .entra { tenant.users[2].homeTenant = "9188040d-6c67-4c5b-b112-36a304b66dad" }
        tenant.algorithm = .rs256
    }

    /// The tenants of these policies; Ana of tailspin is a guest of fabrikam.
    private static let tailspinID = TenantConfiguration(kind: .entra, name: "tailspin.onmicrosoft.com").id
    private static let fabrikamID = TenantConfiguration(kind: .external, name: "fabrikam.onmicrosoft.com").id

    @Test(
        "an account of common or organizations is refreshed at its home tenant, without another request",
        arguments: [
            ("common", LocalTenant.Person.ana, tailspinID), ("common", .chi, "consumers"),
            ("organizations", .ana, tailspinID),
        ])
    func refreshesAtHomeTenant(application: String, person: LocalTenant.Person, home: String) async throws {
        try await withLocalTenant(policies: Self.policies, configure: people) { tenant in
            let client = try tenant.client(application)
            try await tenant.signIn(person, with: client)
            let before = tenant.requestLines.count
            let token = try await client.refreshed()
            #expect(tenant.requestLines.count == before + 1)
            #expect(tenant.requests("POST", "/\(home)/oauth2/v2.0/token") == 1, "\(tenant.requestLines)")
            #expect(tenant.requests("POST", "/\(application)/oauth2/v2.0/token") == 1)
            #expect(try await client.token(api: "graph").secret == token.secret)
            #expect(tenant.requestLines.count == before + 1)
        }
    }

    @Test("a guest of an External ID tenant signs in and is refreshed there")
    func signsInGuestOfExternalTenant() async throws {
        let invite = { (tenant: inout TenantConfiguration) in
            people(&tenant)
            guard tenant.kind == .external else { return }
            tenant.users = [
                User(
                    objectID: "9a9a9a9a-0000-4000-8000-000000000009", email: "ana@contoso.example",
                    displayName: "Ana of Tailspin", identityProvider: Self.tailspinID)
            ]
        }
        try await withLocalTenant(policies: Self.policies, configure: invite) { tenant in
            let client = try tenant.client("fabrikam")
            let account = try await tenant.signIn(.ana, with: client).account
            #expect(account.account.person.tenant.id == Self.fabrikamID)
            let home = "\(LocalTenant.Person.ana.user.objectID).\(Self.tailspinID)"
            #expect(account.homeAccountID.description == home)
            _ = try await client.refreshed()
            #expect(tenant.requests("POST", "/\(Self.fabrikamID)/oauth2/v2.0/token") == 2)
            // A refresh token of the home tenant is not valid here.
            #expect(tenant.requests("POST", "/\(Self.tailspinID)/oauth2/v2.0/token") == 0)
        }
    }

    @Test("tokens are revoked; without a network the account is removed anyway")
    func revokesTokensAndRemovesAccountOffline() async throws {
        try await withHome { home in
            let client = try await withLocalTenant(
                in: home, policies: Self.policies, configure: people
            ) { tenant async throws -> PublicClient in
                let client = try tenant.client("login")
                for person in [LocalTenant.Person.ana, .ben] { try await tenant.signIn(person, with: client) }
                let out = try await client.signOut(try await client.signingOut(AccountSelection()))
                guard case .revoked? = out.removed.first?.revocation else {
                    Issue.record("\(out)")
                    return client
                }
                #expect(tenant.requests("POST", "/revoke") >= 1)
                return client
            }
            let ana = try await client.account(AccountSelection(text: "ana@contoso.example"))
            guard case .failed(let error) = try await client.remove(ana).revocation else {
                Issue.record("the server is unreachable")
                return
            }
            #expect(error.code == .network)
            #expect(try await client.accounts().isEmpty)
        }
    }

    @Test("the current profile comes from Graph's /me or from userinfo; a policy may have neither")
    func readsCurrentProfile() async throws {
        try await withLocalTenant(policies: Self.policies, configure: people) { tenant in
            for (name, claim, path) in [
                ("tailspin", "userPrincipalName", "/v1.0/me"), ("login", "sub", "/userinfo"),
                ("fabrikam", "sub", "/userinfo"),
            ] {
                let client = try tenant.client(name)
                try await tenant.signIn(.ana, with: client)
                let claims = try await client.profile().claims
                #expect(claims.contains("ana@contoso.example") && claims.contains("\"\(claim)\""), "\(claims)")
                #expect(tenant.requests("GET", path) >= 1, "\(name)")
            }
        }
        try await withLocalTenant(signedIn: [.ana]) { tenant in
            await expectRefusal(.unknownName) { try await tenant.client().profile() }
        }
    }
}
