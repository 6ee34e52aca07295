import Crypto
import Foundation
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Code flow", .inTurn, .timeLimit(.minutes(2)))
struct CodeFlowTests {
    @Test("from the form to the tokens, with the vector of RFC 7636 appendix B")
    func whole() async throws {
        try await withScene { scene in
            let redirect = try await scene.signIn(scene.browser(), ["client_info": "1"])
            #expect(redirect.status == 303)
            #expect(redirect.location?.hasPrefix("http://localhost:8400/?code=") == true)
            let fields = try redirect.redirect
            #expect(fields["state"] == "a state/&")
            let answer = try await scene.redeem(fields["code"])
            #expect(answer.status == 200)
            #expect(answer.header("cache-control") == "no-store")
            let json = try answer.json
            #expect(json["client_info"]?.string == fields["client_info"])
            #expect(json["token_type"] == "Bearer")
            #expect(json["expires_in"] == .integer(3_600))
            #expect(json["not_before"] == .integer(Scene.start))
            #expect(json["expires_on"] == .integer(Scene.start + 3_600))
            #expect(json["refresh_token_expires_in"] == .integer(14 * 86_400))
            #expect(json["scope"] == .string(Scene.scope))
            let id = try json.claims("id_token")
            #expect(id["emails"] == ["ana@contoso.example"])
            #expect(id["tfp"] == "B2C_1_susi")
            #expect(id["nonce"] == "a-nonce")
            #expect(id["newUser"] == nil)
            let access = try json.claims("access_token")
            #expect(access["aud"] == json["resource"])
            #expect(access["scp"] == "demo.read")
            #expect(access["azp"] == .string(Scene.client))
            let info = try JSON(parsing: try #require(bytes(base64URL: json["client_info"]?.string ?? "")))
            #expect(info["uid"] == .string("\(Scene.ana)-b2c_1_susi"))
            #expect(info["utid"] == .string(derivedGUID("contoso.onmicrosoft.com")))
        }
    }

    @Test("the answer's three ways back")
    func modes() async throws {
        try await withScene { scene in
            let fragment = try await scene.signIn(scene.browser(), ["response_mode": "fragment"])
            #expect(fragment.location?.hasPrefix("http://localhost:8400/#code=") == true)
            let post = try await scene.signIn(scene.browser(), ["response_mode": "form_post"])
            #expect(post.status == 200)
            let (action, fields) = try post.form()
            #expect(action == "http://localhost:8400/")
            #expect(fields["state"] == "a state/&")
            #expect(try await scene.redeem(fields["code"]).status == 200)
        }
    }

    @Test("a session signs in silently, prompt=login asks again, sign-out ends it")
    func session() async throws {
        try await withScene { scene in
            let browser = scene.browser()
            #expect(
                try await browser.get(scene.authorize("B2C_1_susi", ["prompt": "none"])).redirect["error"]
                    == "interaction_required")
            _ = try await scene.signIn(browser)
            #expect(try await browser.get(scene.authorize()).redirect["code"] != nil)
            #expect(try await browser.get(scene.authorize("B2C_1_susi", ["prompt": "none"])).redirect["code"] != nil)
            #expect(try await browser.get(scene.authorize("B2C_1_susi", ["prompt": "login"])).status == 200)
            let select = try await browser.get(scene.authorize("B2C_1_susi", ["prompt": "select_account"]))
            #expect(select.status == 200 && select.text.contains("ana@contoso.example"))
            let out = try await browser.get("\(scene.tenant)/B2C_1_susi/oauth2/v2.0/logout")
            #expect(out.text.contains("You have signed out"))
            #expect(try await browser.get(scene.authorize()).status == 200)
        }
    }

    @Test("sign-out goes anywhere without a hint, only to registered addresses with one")
    func logout() async throws {
        try await withScene { scene in
            let base = "\(scene.tenant)/B2C_1_susi/oauth2/v2.0/logout?state=s&post_logout_redirect_uri="
            let elsewhere = base + percentEncoded("http://localhost:9999/out")
            #expect(try await scene.browser().get(elsewhere).location == "http://localhost:9999/out?state=s")
            let hint = try #require(try await scene.tokens()["id_token"]?.string)
            let refused = try await scene.browser().get("\(elsewhere)&id_token_hint=\(hint)")
            #expect(refused.status == 400)
            #expect(refused.location == nil)
            let registered = base + percentEncoded("http://localhost:8401/") + "&id_token_hint=\(hint)"
            #expect(try await scene.browser().get(registered).location == "http://localhost:8401/?state=s")
        }
    }

    @Test("only openid offline_access gives no access token")
    func noResource() async throws {
        try await withScene { scene in
            let json = try await scene.tokens(["scope": "openid offline_access"])
            #expect(json["access_token"] == nil)
            #expect(json["expires_in"] == nil)
            #expect(json["scope"] == "")
            #expect(try json.claims("id_token")["at_hash"] == nil)
            #expect(json["refresh_token"] != nil)
        }
    }

    @Test("the client id as a scope gives a token for the client; without offline_access nothing to refresh")
    func ownClient() async throws {
        try await withScene { scene in
            let json = try await scene.tokens(["scope": "openid \(Scene.client)"])
            #expect(try json.claims("access_token")["aud"] == .string(Scene.client))
            #expect(json["refresh_token"] == nil)
        }
    }

    @Test("at_hash is the left half of the access token's SHA-256")
    func accessTokenHash() async throws {
        try await withScene { scene in
            let json = try await scene.tokens()
            let token = try #require(json["access_token"]?.string)
            let half = SHA256.hash(data: Data(token.utf8)).prefix(16)
            let expected = Data(half).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                .replacing("=", with: "")
            #expect(try json.claims("id_token")["at_hash"] == .string(expected))
        }
    }
}
