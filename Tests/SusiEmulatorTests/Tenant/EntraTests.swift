import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Workforce tenant", .inTurn, .timeLimit(.minutes(5)))
struct EntraTests {
    private let id = derivedGUID("tailspin.onmicrosoft.com")

    @Test("serves an issuer template at an address for many tenants")
    func servesIssuerTemplate() async throws {
        try await withFixture(tenants: [Kinds.entra]) { fixture in
            for (name, tenant) in [
                ("common", "{tenantid}"), ("organizations", "{tenantid}"), ("consumers", EntraDialect.consumers),
                ("tailspin.onmicrosoft.com", id),
            ] {
                let door = try await Door(fixture, "/\(name)/v2.0")
                #expect(door.metadata["issuer"] == .string("\(fixture.emulator.origin)/\(tenant)/v2.0"))
                let host = fixture.emulator.origin.replacing("http://", with: "")
                #expect(door.metadata["msgraph_host"] == .string(host))
                #expect(try door.endpoint("token_endpoint") == "\(fixture.emulator.origin)/\(name)/oauth2/v2.0/token")
            }
        }
    }

    @Test("names the user's own tenant at every address")
    func namesHomeTenant() async throws {
        try await withDoor(Kinds.entra, "/common/v2.0") { fixture, door in
            let ana = try await door.verified(try await door.tokens("openid profile")["id_token"])
            #expect(ana["iss"] == .string("\(fixture.emulator.origin)/\(id)/v2.0"))
            #expect(ana["tid"] == .string(id) && ana["auth_time"] == nil)
            let tokens = try await door.tokens(
                as: "dee@outlook.example", "openid profile", ["max_age": "600"], ["client_info": "1"])
            let dee = try await door.verified(tokens["id_token"])
            #expect(dee["iss"] == .string("\(fixture.emulator.origin)/\(EntraDialect.consumers)/v2.0"))
            #expect(dee["tid"] == .string(EntraDialect.consumers) && dee["auth_time"] != nil)
            let info = try JSON(parsing: try #require(Base64URL.decode(tokens["client_info"]?.string ?? "")))
            #expect(info["utid"] == .string(EntraDialect.consumers))
        }
    }

    @Test("each address takes its own people")
    func acceptsOwnUsersPerAddress() async throws {
        try await withFixture(tenants: [Kinds.entra]) { fixture in
            for (name, email, isServed) in [
                ("organizations", "ana@contoso.example", true), ("organizations", "dee@outlook.example", false),
                ("consumers", "ana@contoso.example", false), ("consumers", "dee@outlook.example", true),
                ("tailspin.onmicrosoft.com", "dee@outlook.example", false),
            ] {
                let door = try await Door(fixture, "/\(name)/v2.0")
                let response = try await door.signIn(fixture.browser(), as: email, "openid").redirect
                #expect((response["code"] != nil) == isServed, "\(name) \(email)")
                #expect(isServed || response["error_description"]?.hasPrefix("AADSTS50020: ") == true)
            }
        }
    }

    @Test(
        "a sign-out ends at a registered address, or with the session of a personal account at the service's own page")
    func keepsBrowserAfterPersonalSignOut() async throws {
        try await withDoor(Kinds.entra, "/common/v2.0") { fixture, door in
            let out =
                "\(try door.endpoint("end_session_endpoint"))?post_logout_redirect_uri="
                + PercentEncoding.encode("http://localhost:8400/")
            for (email, comesBack) in [("dee@outlook.example", false), ("ana@contoso.example", true)] {
                let browser = fixture.browser()
                _ = try await door.signIn(browser, as: email, "openid")
                let page = try await browser.get(out)
                #expect((page.location != nil) == comesBack && page.text.contains("You have signed out") != comesBack)
                #expect(try await browser.get(try door.authorize("openid", ["prompt": "none"])).redirect["code"] == nil)
            }
            let unregistered = try await fixture.browser().get(out + "elsewhere")
            #expect(unregistered.location == nil && unregistered.status == 400)
        }
    }

    @Test("refuses a refresh token at an address that does not serve its user")
    func refusesRefreshTokenOfAnotherAddress() async throws {
        try await withFixture(tenants: [Kinds.entra]) { fixture in
            let common = try await Door(fixture, "/common/v2.0")
            let first = try await common.tokens(as: "dee@outlook.example", "openid offline_access")
            let refused = try await Door(fixture, "/tailspin.onmicrosoft.com/v2.0").refresh(first)
            #expect(try refused.json["error_codes"] == [.integer(50_020)], "\(refused.text)")
            // Nor at the address that issued it: only at that of personal accounts.
            let atCommon = try await common.refresh(first).expecting(400)
            #expect(try atCommon.json["error_codes"] == [.integer(70_000)], "\(atCommon.text)")
            #expect(try atCommon.json["error"] == "invalid_grant" && atCommon.json["suberror"] == "bad_token")
            for name in ["consumers", EntraDialect.consumers] {
                #expect(try await Door(fixture, "/\(name)/v2.0").refresh(first).status == 200)
            }
            let work = try await common.tokens("openid offline_access")
            #expect(try await common.refresh(work).status == 200)
        }
    }

    @Test("reports a code that is redeemed twice")
    func reportsRedeemedCode() async throws {
        try await withDoor(Kinds.entra, "/tailspin.onmicrosoft.com/v2.0") { fixture, door in
            let redirect = try await door.signIn(fixture.browser(), "openid")
            #expect(try await door.redeem(redirect).status == 200)
            let again = try await door.redeem(redirect).expecting(400).json
            #expect(again["error"] == "invalid_grant" && again["error_codes"] == [.integer(54_005)], "\(again)")
            #expect(again["error_description"]?.string?.contains("code was already redeemed") == true)
        }
    }

    @Test("serves the address of a home tenant that only its users have")
    func servesHomeTenantOfUsers() async throws {
        let home = "d1d1d1d1-0000-4000-8000-000000000001"
        var tenant = Kinds.entra
        (tenant.name, tenant.id) = ("trey.onmicrosoft.com", derivedGUID("trey.onmicrosoft.com"))
        tenant.users[1].homeTenant = home
        try await withFixture(tenants: [tenant]) { fixture in
            let first = try await Door(fixture, "/common/v2.0").tokens(
                as: "ben@contoso.example", "openid offline_access")
            let door = try await Door(fixture, "/\(home)/v2.0")
            #expect(door.metadata["issuer"] == .string("\(fixture.emulator.origin)/\(home)/v2.0"))
            let claims = try await door.verified(try await door.refresh(first).json["id_token"])
            #expect(claims["tid"] == .string(home))
            let ana = try await door.signIn(fixture.browser(), "openid").redirect
            #expect(ana["error_description"]?.hasPrefix("AADSTS50020: ") == true, "\(ana)")
            let other = home.replacing("d1d1d1d1", with: "d2d2d2d2")
            let unknown = try await fixture.browser().get("/\(other)/v2.0/.well-known/openid-configuration")
            #expect(try unknown.json["error_codes"] == [.integer(90_002)], "\(unknown.text)")
        }
    }

    @Test("answers that the tenant itself checks passwords, and instance discovery for its own host only")
    func answersInstanceDiscovery() async throws {
        try await withFixture(tenants: [Kinds.entra]) { fixture in
            let origin = fixture.emulator.origin
            let realm = try await fixture.browser().get("/common/UserRealm/ana%40contoso.example?api-version=1.0").json
            #expect(realm["account_type"] == "Managed" && realm["domain_name"] == "contoso.example")
            let base = "\(origin)/common/discovery/instance?api-version=1.1&authorization_endpoint="
            let own = try await fixture.browser().get(
                base + PercentEncoding.encode("\(origin)/common/oauth2/v2.0/authorize"))
            #expect(
                try own.json["tenant_discovery_endpoint"]
                    == .string("\(origin)/common/v2.0/.well-known/openid-configuration"))
            let other = try await fixture.browser().get(
                base + PercentEncoding.encode("https://login.evil.example/common/x")
            ).expecting(400)
            #expect(try other.json["error"] == "invalid_instance")
            // Native authentication is for External ID alone.
            let native = "\(origin)/tailspin.onmicrosoft.com/oauth2/v2.0/initiate"
            #expect(try await fixture.browser().post(native, ["client_id": EmulatorFixture.client]).status == 404)
        }
        // Other kinds have neither.
        try await withFixture(tenants: [try tenantOfTests(), Kinds.external]) { fixture in
            for path in ["userrealm/ana@contoso.example?api-version=1.0", "discovery/instance"] {
                let response = try await fixture.browser().get("/common/\(path)")
                #expect(response.status == 404, "\(path)")
            }
        }
    }

    @Test("resolves bare scopes to Graph and .default to its resource, and refuses two resources")
    func resolvesScopes() async throws {
        try await withTailspin { fixture, door in
            let graph = try await door.tokens("openid offline_access User.Read")
            #expect(graph["scope"] == "openid User.Read")
            #expect(try graph.claims("access_token")["aud"] == "00000003-0000-0000-c000-000000000000")
            #expect(try graph.claims("access_token")["scp"] == "openid User.Read")
            for scope in ["api://reports/.default", "api://reports//.default"] {
                let all = try await door.refresh(graph, ["scope": scope]).json
                #expect(try all.claims("access_token")["scp"] == "items.read")
                #expect(all["scope"] == .string("api://reports/items.read \(scope)"))
                #expect(all["id_token"] != nil)
            }
            let none = try await door.tokens("openid profile")
            #expect(none["scope"] == "openid profile")
            #expect(try none.claims("access_token")["aud"] == "00000003-0000-0000-c000-000000000000")
            let two = try await door.refresh(graph, ["scope": "User.Read \(Kinds.scope)"])
            #expect(try two.json["error_codes"] == [.integer(28_000)])
        }
    }

    @Test(
        "joins scopes of Microsoft Graph in several APIs into one resource",
        arguments: [AuthorityKind.entra, .external])
    func joinsGraphAPIs(kind: AuthorityKind) async throws {
        let base = try WebAddress("http://localhost:8480/v1.0")
        let application = Application(
            name: "work", kind: kind, authority: try WebAddress("http://localhost:8480/tailspin.onmicrosoft.com"),
            clientID: EmulatorFixture.client, redirectPorts: [8_400],
            policies: [Policy(name: PolicyName("default"), kind: .signUpOrSignIn)],
            knownAuthorities: KnownAuthorities([]),
            apis: [
                API(name: "calendar", baseURL: base, scopes: ["Calendars.Read"]),
                API(name: "graph", baseURL: base, scopes: ["User.Read"]),
                API(name: "mail", baseURL: base, scopes: ["https://graph.microsoft.com/Mail.Read"]),
            ])
        try await withFixture(tenants: [TenantConfiguration(application: application)]) { fixture in
            let door = try await Door(fixture, "/tailspin.onmicrosoft.com/v2.0")
            let asked = "openid offline_access Calendars.Read User.Read https://graph.microsoft.com/Mail.Read"
            let tokens = try await door.tokens(asked)
            let claims = try tokens.claims("access_token")
            #expect(claims["aud"] == "00000003-0000-0000-c000-000000000000")
            #expect(claims["scp"] == "openid Calendars.Read User.Read Mail.Read")
            let all = try await door.refresh(tokens, ["scope": "https://graph.microsoft.com/.default"]).json
            #expect(try all.claims("access_token")["scp"] == "openid Calendars.Read User.Read Mail.Read")
            for scope in ["Calendars.Read", "User.Read", "https://graph.microsoft.com/Mail.Read", "Mail.Read"] {
                let one = try await door.refresh(tokens, ["scope": scope]).json["access_token"]
                let me = try await fixture.call("/v1.0/me", one)
                #expect(me.status == 200, "\(scope): \(me.text)")
            }
        }
    }

    @Test("returns the signed-in user from Graph, without mail for a personal account")
    func returnsUserFromGraph() async throws {
        try await withFixture(tenants: [Kinds.entra, Kinds.external]) { fixture in
            let door = try await Door(fixture, "/common/v2.0")
            for (email, mail) in [
                ("ana@contoso.example", JSON.string("ana@contoso.example")), ("dee@outlook.example", .null),
            ] {
                let token = try await door.tokens(as: email, "openid User.Read")["access_token"]
                let me = try await fixture.call("/v1.0/me", token).expecting(200)
                #expect(try me.json["mail"] == mail)
                #expect(try me.json["userPrincipalName"] == .string(email))
            }
            let weak = try await door.tokens("openid")["access_token"]
            let denied = try await fixture.call("/v1.0/me", weak).expecting(403)
            #expect(try denied.json["error"]?["code"] == "Authorization_RequestDenied")
            #expect(try await fixture.call("/v1.0/users", weak).status == 401)
            let empty = try await fixture.browser().get("/v1.0/me").expecting(401)
            #expect(try empty.json["error"]?["code"] == "InvalidAuthenticationToken")
            // A user of the other tenant calls the API at the same address.
            let other = try await Door(fixture, "/fabrikam.onmicrosoft.com/v2.0")
            let token = try await other.tokens("openid User.Read")["access_token"]
            #expect(try await fixture.call("/v1.0/me", token).status == 200)
        }
    }

    @Test("accepts the password grant at the tenant's own address and at /organizations")
    func acceptsPasswordGrant() async throws {
        try await withTailspin { fixture, door in
            let fields = ["grant_type": "password", "username": "ana@contoso.example", "scope": "openid User.Read"]
            #expect(try await door.token(fields.merging(["password": "Passw0rd!"]) { $1 }).status == 200)
            let common = try await Door(fixture, "/common/v2.0")
            let shared = try await common.token(fields.merging(["password": "Passw0rd!"]) { $1 })
            #expect(try shared.json["error_codes"] == [.integer(9_001_023)], "\(shared.text)")
            let everyone = try await Door(fixture, "/organizations/v2.0")
            #expect(try await everyone.token(fields.merging(["password": "Passw0rd!"]) { $1 }).status == 200)
        }
    }
}
