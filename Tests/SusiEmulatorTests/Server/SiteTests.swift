import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Several tenants on one emulator", .inTurn, .timeLimit(.minutes(5)))
struct SiteTests {
    private func application(
        _ name: String, _ kind: AuthorityKind, _ path: String, client: String = EmulatorFixture.client,
        port: UInt16 = 8_400
    ) throws -> Application {
        Application(
            name: name, kind: kind, authority: try WebAddress("http://localhost:8480\(path)"), clientID: client,
            redirectPorts: [port], policies: [Policy(name: PolicyName("default"), kind: .signUpOrSignIn)],
            knownAuthorities: KnownAuthorities([]), apis: [])
    }

    @Test("joins applications of one tenant; /common joins the first workforce tenant")
    func joinsApplicationsOfTenant() throws {
        let tenants = TenantConfiguration.tenants(for: [
            try application("shared", .entra, "/common", client: "second", port: 8_401),
            try application("work", .entra, "/tailspin.onmicrosoft.com"),
            try application("people", .external, "/fabrikam.onmicrosoft.com"),
            try application("again", .external, "/FABRIKAM.onmicrosoft.com", port: 0),
            try application("other", .openid, "/login/"), try application("root", .openid, ""),
        ])
        #expect(tenants.map(\.kind) == [.entra, .external, .openid, .openid])
        #expect(tenants[0].applications.map(\.clientID) == [EmulatorFixture.client, "second"])
        #expect(tenants[1].applications[0].redirectAddresses == ["http://localhost:8400/", "http://localhost/"])
        #expect(tenants[2].name == "login" && tenants[2].issuerForm == .trailingSlash)
        #expect(tenants[3].name == "" && tenants[3].issuerForm == .tenant)
        let alone = TenantConfiguration.tenants(for: [try application("shared", .entra, "/common")])
        #expect(alone.map(\.name) == ["tailspin.onmicrosoft.com"])
    }

    @Test("names the policies of a tenant that was asked without one, beside a tenant of Entra ID too")
    func namesPoliciesOfTenant() async throws {
        try await withFixture(tenants: [try tenantOfTests(), Kinds.entra]) { fixture in
            let path = "v2.0/.well-known/openid-configuration"
            let known = try await fixture.browser().get("\(fixture.tenant)/\(path)").expecting(404)
            #expect(try known.json["error_description"]?.string?.contains("B2C_1_susi") == true, "\(known.text)")
            let unknown = try await fixture.browser().get("/other.onmicrosoft.com/\(path)")
            #expect(try unknown.json["error"] == "invalid_tenant")
        }
    }

    @Test("separates sessions, codes and tokens of tenants")
    func separatesTenants() async throws {
        try await withFixture(tenants: [try tenantOfTests(), Kinds.external, Kinds.entra, Kinds.openid]) { fixture in
            let browser = fixture.browser()
            let external = try await Door(fixture, "/fabrikam.onmicrosoft.com/v2.0")
            let entra = try await Door(fixture, "/tailspin.onmicrosoft.com/v2.0")
            let redirect = try await external.signIn(browser, "openid offline_access")
            #expect(try await entra.redeem(redirect).status == 400)
            let tokens = try await external.redeem(redirect).json
            #expect(try await entra.refresh(tokens).status == 400)
            #expect(try await external.refresh(tokens).status == 200)
            #expect(try await browser.get(try entra.authorize("openid")).status == 200)
            #expect(try await browser.get(try external.authorize("openid")).status == 303)
            // The browser is signed in to both tenants; a sign-out ends only one session.
            _ = try await entra.signIn(browser, as: "ben@contoso.example", "openid")
            _ = try await browser.get(try external.endpoint("end_session_endpoint"))
            #expect(try await browser.get(try entra.authorize("openid")).status == 303)
            #expect(try await browser.get(try external.authorize("openid")).status == 200)
            let page = try await fixture.browser().get("/")
            for name in ["contoso", "fabrikam", "tailspin"] { #expect(page.text.contains("\(name).onmicrosoft.com")) }
            let provider = try await fixture.browser().get("/?tenant=login")
            #expect(provider.text.contains("\(fixture.emulator.origin)/login/.well-known/openid-configuration"))
        }
    }
}
