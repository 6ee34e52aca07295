import SusiBase
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Plain provider", .inTurn, .timeLimit(.minutes(5)))
struct OpenIDTests {
    @Test(
        "uses its address as issuer, with or without a slash, at the root too",
        arguments: [("login", false), ("login", true), ("realms/demo", false), ("", false)])
    func usesAddressAsIssuer(name: String, slash: Bool) async throws {
        var provider = Kinds.openid
        provider.name = name
        if slash { provider.issuerForm = .trailingSlash }
        try await withFixture(tenants: [provider]) { fixture in
            let path = name.isEmpty ? "" : "/\(name)"
            let door = try await Door(fixture, path)
            let issuer = fixture.emulator.origin + path + (slash ? "/" : "")
            #expect(door.metadata["issuer"] == .string(issuer))
            #expect(try door.endpoint("token_endpoint") == "\(fixture.emulator.origin)\(path)/token")
            let tokens = try await door.tokens("openid")
            #expect(try await door.verified(tokens["id_token"])["iss"] == .string(issuer))
        }
    }

    @Test("signs tokens with ES256, announced beside RS256, without claims of tenants; sends the issuer in redirects")
    func signsWithES256() async throws {
        try await withDoor(Kinds.openid, "/login") { fixture, door in
            #expect(door.metadata["id_token_signing_alg_values_supported"] == ["ES256", "RS256"])
            // The implicit flow is announced only if an application may use it.
            #expect(door.metadata["response_types_supported"] == ["code"])
            #expect(door.metadata["authorization_response_iss_parameter_supported"]?.boolean == true)
            let redirect = try await door.signIn(fixture.browser(), "openid profile email offline_access items.read")
            let error = try await fixture.browser().get(try door.authorize("openid", ["prompt": "none"])).redirect
            #expect(error["error"] == "login_required")
            for fields in [try redirect.redirect, error] { #expect(fields["iss"] == door.metadata["issuer"]?.string) }
            let tokens = try await door.redeem(redirect).json
            #expect(tokens["token_type"] == "bearer")
            #expect(tokens["scope"] == "openid profile email offline_access items.read")
            #expect(tokens["client_info"] == nil)
            let claims = try await door.verified(tokens["id_token"])
            #expect(claims["sub"] == .string(EmulatorFixture.ana))
            #expect(claims["preferred_username"] == "ana@contoso.example")
            #expect(claims["auth_time"] == .integer(EmulatorFixture.start))
            for name in ["tid", "oid", "tfp", "ver", "nbf"] { #expect(claims[name] == nil, "\(name)") }
            let bare = try await door.verified(try await door.tokens("openid")["id_token"])
            for name in ["name", "email", "preferred_username"] { #expect(bare[name] == nil, "\(name)") }
            #expect(try await fixture.call("/open/reports", tokens["access_token"]).status == 200)
        }
    }

    @Test("rotates refresh tokens, and refuses more scopes than the sign-in had")
    func rotatesRefreshTokens() async throws {
        try await withDoor(Kinds.openid, "/login") { fixture, door in
            let first = try await door.tokens("openid offline_access")
            let more = try await door.refresh(first, ["scope": "openid items.read"])
            #expect(try more.json["error"] == "invalid_scope")
            let second = try await door.refresh(first).json
            let again = try await door.refresh(first).expecting(400)
            #expect(try again.json == ["error": "invalid_grant", "error_description": again.json["error_description"]])
            #expect(try await door.refresh(second).status == 400)
        }
    }

    @Test("returns the claims of the scopes with the subject of the ID token")
    func returnsClaimsOfScopes() async throws {
        try await withDoor(Kinds.openid, "/login") { fixture, door in
            let address = try door.endpoint("userinfo_endpoint")
            let tokens = try await door.tokens("openid email")
            let email = try await fixture.call(address, tokens["access_token"]).json
            #expect(email["email"] == "ana@contoso.example" && email["name"] == nil)
            #expect(email["sub"] == .string(EmulatorFixture.ana))
            #expect(try await fixture.call(address, tokens["id_token"]).status == 401)
            #expect(
                try await fixture.call(address, "nonsense").header("www-authenticate")?.contains("invalid_token")
                    == true)
            #expect(try await fixture.browser().get(address).header("www-authenticate") == "Bearer realm=\"login\"")
        }
    }

    @Test("redirects a sign-out to addresses of the named client only")
    func redirectsForNamedClient() async throws {
        try await withDoor(Kinds.openid, "/login") { fixture, door in
            let target = "post_logout_redirect_uri=" + PercentEncoding.encode("http://localhost:8400/") + "&state=x"
            let base = try door.endpoint("end_session_endpoint") + "?" + target
            #expect(try await fixture.browser().get(base).location == nil)
            let client = "&client_id=\(EmulatorFixture.client)"
            #expect(try await fixture.browser().get(base + client).location == "http://localhost:8400/?state=x")
            let hint = try await door.tokens("openid")["id_token"]?.string ?? ""
            #expect(
                try await fixture.browser().get("\(base)&id_token_hint=\(hint)").location
                    == "http://localhost:8400/?state=x")
            #expect(try await fixture.browser().get("\(base)&id_token_hint=\(hint)&client_id=other").location == nil)
        }
    }
}
