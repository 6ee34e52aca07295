import Foundation
import Susi
import SusiEmulator
import SusiTestSupport
import SystemPackage
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

    @Test("common has people of several tenants and one current account; a tenant has its own people")
    func keepsOneCurrentAccountForSeveralTenants() async throws {
        try await withLocalTenant(policies: Self.policies, configure: people) { tenant in
            let susi = tenant.susi
            try await tenant.signIn(.ana)
            let second = try await tenant.interact(["sign-in"], as: .chi)
            #expect(second.status == 0 && second.standardOutput.contains("ana@contoso.example"), "\(second)")
            let list = try JSONNode(parsing: try await susi.run("accounts", "--json").standardOutput.utf8)
            let accounts = list["accounts"]?.array ?? []
            #expect(accounts.map { $0["label"]?.string } == ["chi@contoso.example", "ana@contoso.example"])
            #expect(accounts.map { $0["isCurrent"]?.bool } == [true, false])
            #expect(Set(accounts.map { $0["tenantId"]?.string }).count == 2)
            #expect(try await susi.run("token").status == 0)
            #expect(try await susi.run("switch", "-").standardOutput.contains("Ana Lima"))
            // The tenant's own name is known after the first sign-in through it.
            #expect(try await tenant.interact(["sign-in", "-A", "tailspin"], as: .ben).status == 0)
            let own = try await susi.run("accounts", "-A", "tailspin")
            #expect(own.standardOutput.contains("Ana Lima") && !own.standardOutput.contains("chi@"))
            #expect(try await susi.run("status", "-A", "tailspin").standardOutput.contains("Ben Okoro"))
            #expect(try await susi.run("status").standardOutput.contains("Ana Lima"))
            let out = try await susi.run("sign-out", "--yes")
            #expect(out.status == 0, "\(out)")
            #expect(!(try await susi.run("accounts", "-A", "tailspin").standardOutput.contains("Ana")))
            #expect(
                try await susi.run("status").standardOutput.contains("signed out: ana@contoso.example; before: chi@"))
        }
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
            #expect(try await tenant.interact(["sign-in", "-A", application], as: person).status == 0)
            let before = tenant.requestLines.count
            let token = try await tenant.susi.run("token", "graph", "-A", application, "--refresh")
            #expect(token.status == 0 && !token.standardOutput.isEmpty, "\(token)")
            #expect(tenant.requestLines.count == before + 1)
            #expect(tenant.requests("POST", "/\(home)/oauth2/v2.0/token") == 1, "\(tenant.requestLines)")
            #expect(tenant.requests("POST", "/\(application)/oauth2/v2.0/token") == 1)
            let cached = try await tenant.susi.run("token", "graph", "-A", application)
            #expect(cached.standardOutput == token.standardOutput && tenant.requestLines.count == before + 1)
        }
    }

    @Test("a guest of an External ID tenant signs in and is refreshed there")
    func signsInGuestOfExternalTenant() async throws {
        let guest = "9a9a9a9a-0000-4000-8000-000000000009"
        try await withLocalTenant(
            policies: Self.policies,
            configure: { tenant in
                people(&tenant)
                guard tenant.kind == .external else { return }
                tenant.users = [
                    User(
                        objectID: guest, email: "ana@contoso.example", displayName: "Ana of Tailspin",
                        identityProvider: Self.tailspinID)
                ]
            },
            { tenant in
                let signedIn = try await tenant.interact(["sign-in", "-A", "fabrikam"], as: .ana)
                #expect(signedIn.status == 0, "\(signedIn)")
                let list = try await tenant.susi.run("accounts", "-A", "fabrikam", "--json")
                let account = try JSONNode(parsing: list.standardOutput.utf8)["accounts"]?.array?.first
                #expect(account?["tenantId"]?.string == Self.fabrikamID, "\(list)")
                let home = "\(LocalTenant.Person.ana.user.objectID).\(Self.tailspinID)"
                #expect(account?["homeAccountId"]?.string == home, "\(list)")
                let token = try await tenant.susi.run("token", "-A", "fabrikam", "--refresh")
                #expect(token.status == 0, "\(token)")
                #expect(tenant.requests("POST", "/\(Self.fabrikamID)/oauth2/v2.0/token") == 2)
                // A refresh token of the home tenant is not valid here.
                #expect(tenant.requests("POST", "/\(Self.tailspinID)/oauth2/v2.0/token") == 0)
            })
    }

    @Test("a tenant's name and GUID lead to the same accounts and the same current account")
    func findsSameAccountsByNameAndGUID() async throws {
        try await withLocalTenant(policies: Self.policies, configure: people) { tenant in
            let susi = tenant.susi
            #expect(try await tenant.interact(["sign-in", "-A", "fabrikam"], as: .ana).status == 0)
            let list = try JSONNode(
                parsing: try await susi.run("accounts", "-A", "fabrikam", "--json").standardOutput.utf8)
            let id = try #require(list["accounts"]?.array?.first?["tenantId"]?.string)
            let file = susi.home.policiesFile.string
            let text = try String(contentsOfFile: file, encoding: .utf8)
            try susi.home.writePolicies(text.replacing("fabrikam.onmicrosoft.com", with: id))
            #expect(
                try await susi.run("status", "--all", "-A", "fabrikam").standardOutput
                    .contains("the only account"))
            #expect(try await susi.run("inspect", "-A", "fabrikam").standardOutput.hasPrefix("valid "))
            #expect(try await tenant.interact(["sign-in", "-A", "fabrikam"], as: .ben).status == 0)
            try susi.home.writePolicies(text)
            let status = try await susi.run("status", "-A", "fabrikam")
            #expect(status.standardOutput.contains("Ben Okoro"))
            #expect(status.standardOutput.contains("ana@contoso.example"))
        }
    }

    @Test(
        "tokens are revoked, the refresh token first; without a network the account is removed anyway")
    func revokesTokensAndRemovesAccountOffline() async throws {
        try await withHome { home in
            try await withLocalTenant(in: home, policies: Self.policies, configure: people) { tenant in
                for person in [LocalTenant.Person.ana, .ben] {
                    #expect(try await tenant.interact(["sign-in", "-A", "login"], as: person).status == 0)
                }
                let out = try await tenant.susi.run("sign-out", "-A", "login", "--yes", "--json")
                let report = try JSONNode(parsing: out.standardOutput.utf8)
                #expect(
                    out.status == 0 && report["revocations"]?.array?.first?["result"]?.string == "revoked", "\(out)")
                #expect(tenant.requests("POST", "/revoke") >= 1)
            }
            let susi = try SusiBinary(home: home)
            let removed = try await susi.run("remove", "ana@contoso.example", "-A", "login", "--yes")
            #expect(
                removed.status == 0 && removed.standardOutput.contains("not revoked: no server at"), "\(removed)")
            #expect(try await susi.run("accounts", "-A", "login").standardOutput.isEmpty)
        }
    }

    @Test("the current profile comes from Graph's /me or from userinfo; a policy may have neither")
    func readsCurrentProfile() async throws {
        try await withLocalTenant(policies: Self.policies, configure: people) { tenant in
            let susi = tenant.susi
            for name in ["tailspin", "login", "fabrikam"] {
                #expect(try await tenant.interact(["sign-in", "-A", name], as: .ana).status == 0)
            }
            let me = try await susi.run("status", "--profile", "-A", "tailspin")
            #expect(me.status == 0 && me.standardOutput.contains("/v1.0/me"), "\(me)")
            #expect(me.standardOutput.contains("userPrincipalName"))
            for name in ["login", "fabrikam"] {
                let info = try await susi.run("status", "--profile", "--json", "-A", name)
                #expect(info.status == 0, "\(info)")
                let profile = try JSONNode(parsing: info.standardOutput.utf8)["profile"]
                #expect(profile?["label"]?.string == "ana@contoso.example")
                #expect(profile?["claims"]?["sub"]?.string?.isEmpty == false)
            }
        }
        try await withLocalTenant { tenant in
            try await tenant.signIn(.ana)
            let none = try await tenant.susi.run("status", "--profile")
            #expect(none.status == 5 && none.standardError.contains("only custom policies"), "\(none)")
        }
    }

    @Test("token --sign-in lets the person consent on the sign-in page")
    func grantsConsentAtSignIn() async throws {
        let scope = "https://contoso.onmicrosoft.com/hello/demo.read"
        let edit = { (text: String) in
            KindSignInTests.policies(
                "entra", "http://localhost:8480/tailspin.onmicrosoft.com",
                "http://localhost:8480/tailspin.onmicrosoft.com")(
                    text
                ).replacing(
                    "\"apis\": {",
                    with: """
                        "apis": { "graph": { "baseUrl": "http://localhost:8480/v1.0", "scopes": ["User.Read"] },
                        """)
        }
        try await withLocalTenant(policies: edit, configure: { $0.userConsent = [scope] }) { tenant in
            let signedIn = try await tenant.interact(["sign-in", "--api", "graph"], as: .ana)
            #expect(signedIn.status == 0, "\(signedIn)")
            let refused = try await tenant.susi.run("token", "hello")
            #expect(refused.status == 4 && refused.standardError.contains("--prompt consent"), "\(refused)")
            let token = try await tenant.interact(["token", "hello", "--sign-in"], as: .ana)
            #expect(token.status == 0 && !token.standardOutput.isEmpty, "\(token)")
            #expect(tenant.requests("POST", "/page/consent") == 1)
        }
    }
}
