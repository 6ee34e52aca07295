import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Code flow", .inTurn, .timeLimit(.minutes(5)))
struct CodeFlowTests {
    @Test("redeems the code of a sign-in with the vector of RFC 7636 appendix B")
    func redeemsCodeOfSignIn() async throws {
        try await withFixture { fixture in
            let redirect = try await fixture.signIn(fixture.browser(), ["client_info": "1"])
            #expect(redirect.status == 303)
            #expect(redirect.location?.hasPrefix("http://localhost:8400/?code=") == true)
            let fields = try redirect.redirect
            #expect(fields["state"] == "a state/&")
            let answer = try await fixture.redeem(fields["code"], ["client_info": "1"])
            #expect(answer.status == 200)
            #expect(answer.header("cache-control") == "no-store")
            let json = try answer.json
            #expect(json["client_info"]?.string == fields["client_info"])
            #expect(json["token_type"] == "Bearer")
            #expect(json["expires_in"] == .integer(3_600))
            #expect(json["not_before"] == .integer(EmulatorFixture.start))
            #expect(json["expires_on"] == .integer(EmulatorFixture.start + 3_600))
            #expect(json["refresh_token_expires_in"] == .integer(14 * 86_400))
            #expect(json["scope"] == .string(EmulatorFixture.scope))
            let id = try json.claims("id_token")
            #expect(id["emails"] == ["ana@contoso.example"])
            #expect(id["tfp"] == "B2C_1_susi")
            #expect(id["nonce"] == "a-nonce")
            #expect(id["newUser"] == nil)
            let access = try json.claims("access_token")
            #expect(access["aud"] == json["resource"])
            #expect(access["scp"] == "demo.read")
            #expect(access["azp"] == .string(EmulatorFixture.client))
            let info = try JSON(parsing: try #require(bytes(base64URL: json["client_info"]?.string ?? "")))
            #expect(info["uid"] == .string("\(EmulatorFixture.ana)-b2c_1_susi"))
            #expect(info["utid"] == .string(derivedGUID("contoso.onmicrosoft.com")))
        }
    }

    @Test("returns the response as query, fragment and form")
    func supportsResponseModes() async throws {
        try await withFixture { fixture in
            let fragment = try await fixture.signIn(fixture.browser(), ["response_mode": "fragment"])
            #expect(fragment.location?.hasPrefix("http://localhost:8400/#code=") == true)
            let post = try await fixture.signIn(fixture.browser(), ["response_mode": "form_post"])
            #expect(post.status == 200)
            let (action, fields) = try post.form()
            #expect(action == "http://localhost:8400/")
            #expect(fields["state"] == "a state/&")
            #expect(try await fixture.redeem(fields["code"]).status == 200)
        }
    }

    @Test("signs in silently with a session, asks again with prompt=login, ends it by sign-out")
    func reusesSession() async throws {
        try await withFixture { fixture in
            let browser = fixture.browser()
            #expect(
                try await browser.get(fixture.authorize("B2C_1_susi", ["prompt": "none"])).redirect["error"]
                    == "interaction_required")
            _ = try await fixture.signIn(browser)
            #expect(try await browser.get(fixture.authorize()).redirect["code"] != nil)
            #expect(try await browser.get(fixture.authorize("B2C_1_susi", ["prompt": "none"])).redirect["code"] != nil)
            #expect(try await browser.get(fixture.authorize("B2C_1_susi", ["prompt": "login"])).status == 200)
            let select = try await browser.get(fixture.authorize("B2C_1_susi", ["prompt": "select_account"]))
            #expect(select.status == 200 && select.text.contains("ana@contoso.example"))
            let out = try await browser.get("\(fixture.tenant)/B2C_1_susi/oauth2/v2.0/logout")
            #expect(out.text.contains("You have signed out"))
            #expect(try await browser.get(fixture.authorize()).status == 200)
        }
    }

    @Test("redirects a sign-out anywhere without a hint, and to registered addresses with one")
    func checksSignOutAddress() async throws {
        try await withFixture { fixture in
            let base = "\(fixture.tenant)/B2C_1_susi/oauth2/v2.0/logout?state=s&post_logout_redirect_uri="
            let elsewhere = base + percentEncoded("http://localhost:9999/out")
            #expect(try await fixture.browser().get(elsewhere).location == "http://localhost:9999/out?state=s")
            let hint = try #require(try await fixture.tokens()["id_token"]?.string)
            let refused = try await fixture.browser().get("\(elsewhere)&id_token_hint=\(hint)")
            #expect(refused.status == 400)
            #expect(refused.location == nil)
            let registered = base + percentEncoded("http://localhost:8401/") + "&id_token_hint=\(hint)"
            #expect(try await fixture.browser().get(registered).location == "http://localhost:8401/?state=s")
        }
    }

    @Test("issues a token for the client itself; no refresh token without offline_access")
    func acceptsClientIDAsScope() async throws {
        try await withFixture { fixture in
            let json = try await fixture.tokens(["scope": "openid \(EmulatorFixture.client)"])
            #expect(try json.claims("access_token")["aud"] == .string(EmulatorFixture.client))
            #expect(json["refresh_token"] == nil)
        }
    }
}
