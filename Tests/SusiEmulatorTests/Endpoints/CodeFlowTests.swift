import SusiBase
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Code flow", .inTurn, .timeLimit(.minutes(5)))
struct CodeFlowTests {
    @Test("redeems the code of a sign-in with the vector of RFC 7636 appendix B")
    func redeemsCodeOfSignIn() async throws {
        try await withFixture { fixture in
            let redirect = try await fixture.signIn(fixture.browser(), ["client_info": "1"]).expecting(303)
            #expect(redirect.location?.hasPrefix("http://localhost:8400/?code=") == true)
            let fields = try redirect.redirect
            #expect(fields["state"] == "a state/&")
            let response = try await fixture.redeem(fields["code"], ["client_info": "1"]).expecting(200)
            #expect(response.header("cache-control") == "no-store")
            // Captures show the members and the types of their values.
            let json = try response.json
            #expect(json["client_info"]?.string == fields["client_info"])
            #expect(json["expires_on"] == .integer(EmulatorFixture.start + 3_600))
            #expect(json["refresh_token_expires_in"] == .integer(14 * 86_400))
            let (id, access) = (try json.claims("id_token"), try json.claims("access_token"))
            #expect(id["emails"] == ["ana@contoso.example"] && id["nonce"] == "a-nonce" && id["newUser"] == nil)
            #expect(access["aud"] == json["resource"] && access["azp"] == .string(EmulatorFixture.client))
            let info = try JSON(parsing: try #require(Base64URL.decode(json["client_info"]?.string ?? "")))
            #expect(info["uid"] == .string("\(EmulatorFixture.ana)-b2c_1_susi"))
            #expect(info["utid"] == .string(derivedGUID("contoso.onmicrosoft.com")))
        }
    }

    @Test("redirects a sign-out anywhere without a hint, and to registered addresses with one")
    func checksSignOutAddress() async throws {
        try await withFixture { fixture in
            let base = "\(fixture.tenant)/B2C_1_susi/oauth2/v2.0/logout?state=a%26b&post_logout_redirect_uri="
            for (address, expected) in [
                ("http://localhost:9999/out", "http://localhost:9999/out?state=a%26b"),
                ("http://localhost:9/x?y=1#z?", "http://localhost:9/x?y=1&state=a%26b#z?"),
            ] {
                #expect(try await fixture.browser().get(base + PercentEncoding.encode(address)).location == expected)
            }
            let elsewhere = base + PercentEncoding.encode("http://localhost:9999/out")
            let hint = try #require(try await fixture.tokens()["id_token"]?.string)
            let refused = try await fixture.browser().get("\(elsewhere)&id_token_hint=\(hint)").expecting(400)
            #expect(refused.location == nil)
            let registered = base + PercentEncoding.encode("http://localhost:8401/") + "&id_token_hint=\(hint)"
            #expect(try await fixture.browser().get(registered).location == "http://localhost:8401/?state=a%26b")
            // The user of a hint may be gone.
            _ = try fixture.database.removeUser(objectID: EmulatorFixture.ana)
            #expect(try await fixture.browser().get(registered).location == "http://localhost:8401/?state=a%26b")
        }
    }

    @Test("names what is wrong with the token of a sign-out, which still ends the session", arguments: [false, true])
    func refusesInvalidHint(isRequired: Bool) async throws {
        try await withFixture({ $0.change { $0.session.requiresIDToken = isRequired } }) { fixture in
            let logout =
                "\(fixture.tenant)/B2C_1_susi/oauth2/v2.0/logout?post_logout_redirect_uri=http%3A%2F%2Flocalhost:8400/"
            let good = try #require(try await fixture.tokens()["id_token"]?.string)
            let keys = fixture.emulator.site.tenants[0].keyRings[0]
            let foreign = try keys.sign(["iss": "http://localhost:1/", "aud": .string(EmulatorFixture.client)])
            for (hint, code): (String?, String?) in [
                (good, nil), (nil, isRequired ? "AADB2C90272" : nil), ("nonsense", "AADB2C90233"),
                (good.dropLast(4) + "AAAA", "AADB2C90233"), (foreign, "AADB2C90232"),
            ] {
                let browser = fixture.browser()
                _ = try await fixture.signIn(browser)
                let response = try await browser.get(logout + (hint.map { "&id_token_hint=\($0)" } ?? ""))
                #expect(response.location == (code == nil ? "http://localhost:8400/" : nil))
                #expect(response.status == (code == nil ? 303 : 400) && response.text.contains(code ?? ""))
                let silent = try await browser.get(fixture.authorize(["prompt": "none"])).redirect
                #expect(silent["code"] == nil)
            }
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
