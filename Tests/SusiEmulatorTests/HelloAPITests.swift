import NIOHTTP1
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Sample API", .inTurn, .timeLimit(.minutes(2)))
struct HelloAPITests {
    private func call(_ scene: Scene, _ token: String?, body: String? = nil) async throws -> Received {
        let headers = token.map { [("Authorization", "Bearer \($0)")] } ?? []
        let address = scene.emulator.origin + "/api/hello"
        return try await scene.browser().send(body == nil ? .GET : .POST, address, headers, body)
    }

    @Test("greets by GET and echoes JSON by POST")
    func greets() async throws {
        try await withScene { scene in
            let token = try await scene.tokens()["access_token"]?.string
            let get = try await call(scene, token)
            #expect(get.status == 200)
            #expect(
                try get.json == [
                    "message": "Hello, Ana Lima", "policy": "B2C_1_susi", "oid": .string(Scene.ana), "method": "GET",
                ])
            let post = try await call(scene, token, body: "{\"n\":[1,2.5,null,true]}")
            #expect(
                try post.json["body"] == ["n": [.integer(1), .number(2.5), .null, .bool(true)]], "\(post.text)")
            #expect(try await call(scene, token, body: "{").status == 400)
        }
    }

    @Test("no token: a plain challenge")
    func noToken() async throws {
        try await withScene { scene in
            let answer = try await call(scene, nil)
            #expect(answer.status == 401)
            #expect(answer.header("www-authenticate") == "Bearer realm=\"hello\"")
        }
    }

    /// Calls with `token` and expects a 401 that gives `reason`.
    private func expectRefused(
        _ scene: Scene, _ token: String, _ reason: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let answer = try await call(scene, token)
        #expect(answer.status == 401, sourceLocation: sourceLocation)
        #expect(
            answer.header("www-authenticate")
                == "Bearer realm=\"hello\", error=\"invalid_token\", error_description=\"\(reason)\"",
            sourceLocation: sourceLocation)
    }

    @Test("expired, not yet valid")
    func times() async throws {
        try await withScene { scene in
            let token = try #require(try await scene.tokens()["access_token"]?.string)
            scene.emulator.clock.advance(by: -10)
            try await expectRefused(scene, token, "The token is not valid yet")
            scene.emulator.clock.advance(by: 10 + 3_599)
            #expect(try await call(scene, token).status == 200)
            scene.emulator.clock.advance(by: 1)
            try await expectRefused(scene, token, "The token has expired")
        }
    }

    @Test("another audience: a token of another API, an id token")
    func audience() async throws {
        try await withScene { scene in
            let id = derivedGUID("https://contoso.onmicrosoft.com/hello")
            let reason = "The token has a different audience; this API is \(id)"
            let tokens = try await scene.tokens([
                "scope": "openid https://contoso.onmicrosoft.com/other/items.write"
            ])
            try await expectRefused(scene, try #require(tokens["access_token"]?.string), reason)
            try await expectRefused(scene, try #require(tokens["id_token"]?.string), reason)
        }
    }

    @Test("tampered, unsigned, signed by somebody else")
    func signature() async throws {
        try await withScene { scene in
            let token = try #require(try await scene.tokens()["access_token"]?.string)
            let parts = token.split(separator: ".").map(String.init)
            guard case .object(var claims) = try JSON(parsing: try #require(bytes(base64URL: parts[1]))) else { return }
            claims["name"] = "Somebody Else"
            let changed = base64URL(try JSON.object(claims).encoded())
            try await expectRefused(scene, "\(parts[0]).\(changed).\(parts[2])", "The token has an invalid signature")
            let none = base64URL("{\"alg\":\"none\"}".utf8)
            try await expectRefused(
                scene, "\(none).\(parts[1]).",
                "The token has an unsupported signature algorithm; supported: RS256, PS256, ES256")
            let foreign = try SigningKey.make(.rs256, now: 0).sign(.object(claims))
            try await expectRefused(scene, foreign, "The token is signed with an unknown key")
            try await expectRefused(scene, "nonsense", "The token is not a signed JWT")
        }
    }

    @Test("another issuer, and a missing scope: signed with the right key")
    func claims() async throws {
        try await withScene { scene in
            let token = try await scene.tokens()
            guard case .object(var claims) = try token.claims("access_token") else { return }
            let key = scene.emulator.site.tenants[0].keys
            claims["scp"] = "demo.readers"
            let answer = try await call(scene, try key.sign(.object(claims)))
            #expect(answer.status == 403)
            #expect(
                answer.header("www-authenticate") == """
                    Bearer realm="hello", error="insufficient_scope", error_description="The token does not have the scope \
                    demo.read", scope="\(Scene.scope)"
                    """)
            claims["iss"] = "http://localhost:1/v2.0/"
            try await expectRefused(scene, try key.sign(.object(claims)), "The token has a different issuer")
        }
    }
}
