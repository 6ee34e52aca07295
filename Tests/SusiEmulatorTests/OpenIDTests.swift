import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Plain provider", .inTurn, .timeLimit(.minutes(2)))
struct OpenIDTests {
    @Test(
        "the issuer is the address, with or without a slash, at the root too",
        arguments: [("login", false), ("login", true), ("realms/demo", false), ("", false)])
    func issuer(name: String, slash: Bool) async throws {
        var provider = Kinds.openid
        provider.name = name
        if slash { provider.issuerForm = .trailingSlash }
        try await withScene(tenants: [provider]) { scene in
            let path = name.isEmpty ? "" : "/\(name)"
            let door = try await Door(scene, path)
            let issuer = scene.emulator.origin + path + (slash ? "/" : "")
            #expect(door.metadata["issuer"] == .string(issuer))
            #expect(try door.endpoint("token_endpoint") == "\(scene.emulator.origin)\(path)/token")
            let tokens = try await door.tokens("openid")
            #expect(try await door.verified(tokens["id_token"])["iss"] == .string(issuer))
        }
    }

    @Test("tokens are signed with ES256, which is announced beside RS256, and know nothing of tenants")
    func tokens() async throws {
        try await withScene(tenants: [Kinds.openid]) { scene in
            let door = try await Door(scene, "/login")
            #expect(door.metadata["id_token_signing_alg_values_supported"] == ["ES256", "RS256"])
            let tokens = try await door.tokens("openid profile email offline_access items.read")
            #expect(tokens["token_type"] == "bearer")
            #expect(tokens["scope"] == "openid profile email offline_access items.read")
            #expect(tokens["client_info"] == nil)
            let claims = try await door.verified(tokens["id_token"])
            #expect(claims["sub"] == .string(Scene.ana))
            #expect(claims["preferred_username"] == "ana@contoso.example")
            #expect(claims["auth_time"] == .integer(Scene.start))
            for name in ["tid", "oid", "tfp", "ver", "nbf"] { #expect(claims[name] == nil, "\(name)") }
            let bare = try await door.verified(try await door.tokens("openid")["id_token"])
            for name in ["name", "email", "preferred_username"] { #expect(bare[name] == nil, "\(name)") }
            let api = "\(scene.emulator.origin)/open/reports"
            let token = tokens["access_token"]?.string ?? ""
            #expect(try await scene.browser().get(api, [("Authorization", "Bearer \(token)")]).status == 200)
        }
    }

    @Test("redirects name the issuer, and the metadata announces it; errors name it too")
    func issuerParameter() async throws {
        try await withScene(tenants: [Kinds.openid]) { scene in
            let door = try await Door(scene, "/login")
            #expect(door.metadata["authorization_response_iss_parameter_supported"]?.boolean == true)
            let redirect = try await door.signIn(scene.browser(), "openid").redirect
            #expect(redirect["iss"] == door.metadata["issuer"]?.string)
            let error = try await scene.browser().get(try door.authorize("openid", ["prompt": "none"])).redirect
            #expect(error["error"] == "login_required")
            #expect(error["iss"] == door.metadata["issuer"]?.string)
        }
    }

    @Test("refresh tokens die with their use, and a refresh asks for no more than the sign-in did")
    func refresh() async throws {
        try await withScene(tenants: [Kinds.openid]) { scene in
            let door = try await Door(scene, "/login")
            let first = try await door.tokens("openid offline_access")
            let more = try await door.refresh(first, ["scope": "openid items.read"])
            #expect(try more.json["error"] == "invalid_scope")
            let second = try await door.refresh(first).json
            let again = try await door.refresh(first)
            #expect(again.status == 400)
            #expect(try again.json == ["error": "invalid_grant", "error_description": again.json["error_description"]])
            #expect(try await door.refresh(second).status == 400)
        }
    }

    @Test("user info gives what the scopes allow, with the id token's subject")
    func userInfo() async throws {
        try await withScene(tenants: [Kinds.openid]) { scene in
            let door = try await Door(scene, "/login")
            let address = try door.endpoint("userinfo_endpoint")
            let ask = { (token: String?) in
                try await scene.browser().get(address, [("Authorization", "Bearer \(token ?? "")")])
            }
            let tokens = try await door.tokens("openid email")
            let email = try await ask(tokens["access_token"]?.string).json
            #expect(email["email"] == "ana@contoso.example" && email["name"] == nil)
            #expect(email["sub"] == .string(Scene.ana))
            #expect(try await ask(tokens["id_token"]?.string).status == 401)
            #expect(try await ask("nonsense").header("www-authenticate")?.contains("invalid_token") == true)
            #expect(try await scene.browser().get(address).header("www-authenticate") == "Bearer realm=\"login\"")
        }
    }

    @Test("sign-out leads where the named client may go, and nowhere unnamed")
    func signOut() async throws {
        try await withScene(tenants: [Kinds.openid]) { scene in
            let door = try await Door(scene, "/login")
            let target = "post_logout_redirect_uri=" + percentEncoded("http://localhost:8400/") + "&state=x"
            let base = try door.endpoint("end_session_endpoint") + "?" + target
            #expect(try await scene.browser().get(base).location == nil)
            let client = "&client_id=\(Scene.client)"
            #expect(try await scene.browser().get(base + client).location == "http://localhost:8400/?state=x")
            let hint = try await door.tokens("openid")["id_token"]?.string ?? ""
            #expect(
                try await scene.browser().get("\(base)&id_token_hint=\(hint)").location
                    == "http://localhost:8400/?state=x")
            #expect(try await scene.browser().get("\(base)&id_token_hint=\(hint)&client_id=other").location == nil)
        }
    }
}
