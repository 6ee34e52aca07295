import SusiBase
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Consent", .inTurn, .timeLimit(.minutes(5)))
struct ConsentTests {
    @Test("refuses a scope silently without consent, asks for it once, then grants it")
    func asksForScopeOnce() async throws {
        try await withTailspin({ $0.userConsent = [Kinds.scope] }) { _, door in
            let browser = door.fixture.browser()
            let plain = try await door.redeem(try await door.signIn(browser, "openid offline_access User.Read")).json
            let silent = try await door.refresh(plain, ["scope": Kinds.scope])
            #expect(try silent.json["error"] == "invalid_grant")
            #expect(try silent.json["suberror"] == "consent_required")
            #expect(try silent.json["error_codes"] == [.integer(65_001)])
            let scope = "openid offline_access \(Kinds.scope)"
            let none = try await browser.get(try door.authorize(scope, ["prompt": "none"])).redirect
            #expect(none["error"] == "consent_required")
            let page = try await browser.get(try door.authorize(scope))
            #expect(page.text.contains("Permissions requested") && page.text.contains(Kinds.scope))
            let cancelled = try await browser.submit(page, ["cancel": "1"]).redirect
            #expect(cancelled["error"] == "access_denied")
            #expect(cancelled["error_description"]?.hasPrefix("AADSTS65004: ") == true)
            let again = try await browser.get(try door.authorize(scope))
            #expect(try await door.redeem(try await browser.submit(again, [:])).status == 200)
            #expect(try await browser.get(try door.authorize(scope)).redirect["code"] != nil)
            #expect(try await door.refresh(plain, ["scope": Kinds.scope]).status == 200)
            // Only Ana has consented.
            let ben = try await door.signIn(door.fixture.browser(), as: "ben@contoso.example", scope)
            #expect(ben.text.contains("Permissions requested"))
        }
    }

    @Test("asks for each scope of .default and grants those with consent")
    func asksForScopesOfDefault() async throws {
        let (write, all) = (Self.write, "api://reports/.default")
        try await withTailspin {
            $0.apis[0].scopes.append("items.write")
            $0.userConsent = [Kinds.scope]
        } _: { _, door in
            let plain = try await door.tokens("openid offline_access User.Read")
            let silent = try await door.refresh(plain, ["scope": all])
            #expect(try silent.json["error_codes"] == [.integer(65_001)])
            let browser = door.fixture.browser()
            let page = try await door.signIn(browser, "openid offline_access \(all)")
            #expect(page.text.contains(Kinds.scope) && !page.text.contains(write))
            let boxes = try page.form().fields.filter { $0.value == Kinds.scope }
            let unticked = boxes.mapValues { _ in String?.none }
            let tokens = try await door.redeem(try await browser.submit(page, unticked)).json
            #expect(try tokens.claims("access_token")["scp"] == "items.write")
            // A declined scope is not part of `.default`: it is neither granted nor requested again.
            let refreshed = try await door.refresh(tokens, ["scope": all]).json
            #expect(try refreshed.claims("access_token")["scp"] == "items.write")
            let again = try await browser.get(try door.authorize("openid offline_access \(all)"))
            #expect(try await door.redeem(again).json.claims("access_token")["scp"] == "items.write")
            // If the scope is requested by name, the page asks again.
            #expect(try await browser.get(try door.authorize("openid \(Kinds.scope)")).status == 200)
        }
        // If everything was declined, the page asks for everything again.
        try await withTailspin({ $0.userConsent = [Kinds.scope] }) { _, door in
            let browser = door.fixture.browser()
            let page = try await door.signIn(browser, "openid offline_access \(all)")
            let tokens = try await door.redeem(try await browser.submit(page, ["scope_0": nil])).json
            #expect(try await door.refresh(tokens, ["scope": all]).json["error_codes"] == [.integer(65_001)])
            let again = try await browser.get(try door.authorize("openid \(all)"))
            #expect(try offered(again) == [Kinds.scope])
        }
    }

    @Test("omits scopes from .default that the tenant declines or that need an administrator")
    func omitsScopesFromDefault() async throws {
        let (write, all) = (Self.write, "api://reports/.default")
        try await withTailspin {
            $0.apis[0].scopes = ["items.read", "items.write", "items.list"]
            $0.declines = [Kinds.scope]
            $0.administratorConsent = [write]
        } _: { _, door in
            let tokens = try await door.tokens("openid offline_access \(all)")
            #expect(try tokens.claims("access_token")["scp"] == "items.list")
            let refreshed = try await door.refresh(tokens, ["scope": all]).json
            #expect(try refreshed.claims("access_token")["scp"] == "items.list")
            // A request for the scope itself is refused.
            let silent = try await door.refresh(tokens, ["scope": write])
            #expect(try silent.json["error_codes"] == [.integer(65_001)])
            let response = try await door.signIn(door.fixture.browser(), "openid \(write)").redirect
            #expect(response["error_description"]?.hasPrefix("AADSTS90094: ") == true)
        }
        try await withTailspin({ $0.administratorConsent = [Kinds.scope] }) { _, door in
            let response = try await door.signIn(door.fixture.browser(), "openid \(all)").redirect
            #expect(response["error_description"]?.hasPrefix("AADSTS90094: ") == true)
        }
        try await withFixture {
            $0.apis[0].scopes.append("demo.write")
            $0.administratorConsent = [EmulatorFixture.scope]
        } _: { fixture in
            let all = EmulatorFixture.scope.replacing("demo.read", with: ".default")
            let tokens = try await fixture.tokens(["scope": "openid offline_access \(all)"])
            #expect(try tokens.claims("access_token")["scp"] == "demo.write")
        }
    }

    private static let write = "api://reports/items.write"
    private static let both = "openid offline_access \(Kinds.scope) \(write)"

    /// Returns the scopes that a page offers, each with a ticked box.
    private func offered(_ page: Received) throws -> [String] {
        try page.form().fields.filter { $0.key.hasPrefix("scope_") }.map(\.value).sorted()
    }

    @Test("grants the other scopes, remembers the answer and asks for a declined scope again")
    func remembersDeclinedScope() async throws {
        try await withTailspin {
            $0.apis[0].scopes.append("items.write")
            $0.userConsent = [Kinds.scope, Self.write]
        } _: { _, door in
            let browser = door.fixture.browser()
            let page = try await door.signIn(browser, Self.both)
            #expect(try offered(page) == [Kinds.scope, Self.write])
            let redirect = try await browser.submit(page, ["scope_1": nil])
            let tokens = try await door.redeem(redirect).json
            let granted = try #require(tokens["scope"]?.string?.split(separator: " ").map(String.init))
            #expect(granted.contains(Kinds.scope) && !granted.contains(Self.write))
            #expect(try await door.verified(tokens["access_token"])["scp"] == "items.read")
            // A granted scope is not asked for again. A declined one is, even in a silent request.
            let read = "openid offline_access \(Kinds.scope)"
            #expect(try await browser.get(try door.authorize(read)).redirect["code"] != nil)
            let refreshed = try await door.refresh(tokens).json
            #expect(try await door.verified(refreshed["access_token"])["scp"] == "items.read")
            let more = try await door.refresh(tokens, ["scope": Self.both])
            #expect(try more.json["suberror"] == "consent_required")
            let none = try await browser.get(try door.authorize(Self.both, ["prompt": "none"]))
            #expect(try none.redirect["error"] == "consent_required")
            let again = try await browser.get(try door.authorize(Self.both))
            #expect(try offered(again) == [Self.write])
            let whole = try await door.redeem(try await browser.submit(again, [:])).json
            #expect(try await door.verified(whole["access_token"])["scp"] == "items.read items.write")
            #expect(try await browser.get(try door.authorize(Self.both)).redirect["code"] != nil)
        }
    }

    @Test("refuses a request whose scopes are all declined, unless it includes openid")
    func refusesWhenEverythingIsDeclined() async throws {
        try await withTailspin({ $0.userConsent = [Kinds.scope] }) { _, door in
            let browser = door.fixture.browser()
            let page = try await door.signIn(browser, Kinds.scope)
            let refused = try await browser.submit(page, ["scope_0": nil]).redirect
            #expect(refused["error"] == "access_denied" && refused["state"] == "s")
            #expect(refused["error_description"]?.hasPrefix("AADSTS65004: ") == true)
            let identity = try await browser.get(try door.authorize("openid \(Kinds.scope)"))
            #expect(try offered(identity) == [Kinds.scope])
            let signedIn = try await browser.submit(identity, ["scope_0": nil])
            let tokens = try await door.redeem(signedIn).json
            #expect(tokens["id_token"] != nil && tokens["scope"]?.string?.contains(Kinds.scope) == false)
        }
    }

    @Test("offers every scope with prompt=consent, and asks for a declined one again")
    func offersEveryScopeWithPromptConsent() async throws {
        var tenant = Kinds.openid
        tenant.apis[0].scopes.append("items.write")
        tenant.applications[0].allowsImplicit = true
        try await withDoor(tenant, "/login") { fixture, door in
            let browser = fixture.browser()
            let asked = ["prompt": "consent", "response_type": "code id_token token"]
            let page = try await door.signIn(browser, "openid items.read items.write", asked)
            #expect(try offered(page) == ["items.read", "items.write"])
            let redirect = try await browser.submit(page, ["scope_0": nil])
            #expect(try redirect.redirect["scope"] == "openid items.write")
            let front = try await door.verified(redirect.redirect["access_token"].map(JSON.string))
            #expect(front["scope"] == "openid items.write")
            #expect(try await door.redeem(redirect).json["scope"] == "openid items.write")
            #expect(try await browser.get(try door.authorize("openid items.write")).redirect["code"] != nil)
            let again = try await browser.get(try door.authorize("openid items.read items.write"))
            #expect(try offered(again) == ["items.read"])
        }
    }

    @Test("grants a device the confirmed scopes and no others")
    func grantsConfirmedScopesToDevice() async throws {
        try await withTailspin({ $0.apis[0].scopes.append("items.write") }) { _, door in
            let (fixture, browser) = (door.fixture, door.fixture.browser())
            let begun = try await fixture.browser().post(
                try door.endpoint("device_authorization_endpoint"),
                ["client_id": EmulatorFixture.client, "scope": "openid \(Kinds.scope)"]
            ).json
            let address = try #require(begun["verification_uri"]?.string)
            let code = PercentEncoding.encode(begun["user_code"]?.string ?? "")
            let signIn = try await browser.get("\(address)?user_code=\(code)")
            let question = try await browser.submit(signIn, EmulatorFixture.answers)
            #expect(try offered(question) == [Kinds.scope])
            try await browser.submit(question, ["scope_0": nil, "scope_7": Self.write]).expecting(200)
            let tokens = try await door.token([
                "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
                "device_code": begun["device_code"]?.string ?? "",
            ]).json
            #expect(tokens["id_token"] != nil && tokens["scope"]?.string?.contains("reports") == false)
        }
    }
}
