import NIOHTTP1
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Pages of other origins", .inTurn, .timeLimit(.minutes(2)))
struct CrossOriginTests {
    private static let page = "http://localhost:3000"

    private func withPages(_ body: (Scene) async throws -> Void) async throws {
        try await withScene { configuration in
            configuration.applications[0].origins = [Self.page]
            configuration.applications.append(
                RegisteredApplication(clientID: "another", redirectAddresses: ["http://localhost:8400/"]))
        } _: {
            try await body($0)
        }
    }

    private func allowed(_ answer: Received) -> String? { answer.header("access-control-allow-origin") }

    private func preflight(_ scene: Scene, _ path: String, from origin: String, _ method: String) async throws
        -> Received
    {
        let headers = [
            ("Origin", origin), ("Access-Control-Request-Method", method),
            ("Access-Control-Request-Headers", "content-type,x-client-sku"),
        ]
        return try await scene.browser().send(.OPTIONS, "\(scene.tenant)/B2C_1_susi/\(path)", headers, nil)
    }

    @Test("a registered origin reads tokens and claims, errors too; others do not, nor pages of another client")
    func answers() async throws {
        try await withPages { scene in
            let token = "\(scene.tenant)/B2C_1_susi/oauth2/v2.0/token"
            let fields = ["grant_type": "refresh_token", "client_id": Scene.client]
            for (origin, client, expected) in [
                (Self.page, Scene.client, Self.page), ("http://localhost:3001", Scene.client, nil),
                ("null", Scene.client, nil), (Self.page, "another", nil), (Self.page, "nobody", nil),
            ] {
                let asked = fields.merging(["client_id": client]) { $1 }
                let answer = try await scene.browser().post(token, asked, [("Origin", origin)])
                #expect(answer.status == 400)
                #expect(allowed(answer) == expected, "\(origin) \(client)")
                #expect(answer.header("vary") == "Origin")
                #expect(answer.header("access-control-allow-credentials") == nil)
            }
            // Without an origin nothing is said.
            let plain = try await scene.browser().post(token, fields)
            #expect(allowed(plain) == nil && plain.header("vary") == nil)
            let claims = "\(scene.tenant)/B2C_1_susi/openid/v2.0/userinfo"
            #expect(allowed(try await scene.browser().get(claims, [("Origin", Self.page)])) == Self.page)
            #expect(allowed(try await scene.browser().get(claims, [("Origin", "http://localhost:3001")])) == nil)
        }
    }

    @Test("a page's refresh tokens end a day after it got the first one, however often they are used")
    func refreshTokens() async throws {
        try await withPages { scene in
            #expect(try await scene.tokens()["refresh_token_expires_in"] == 1_209_600)
            let code = try #require(try await scene.signIn(scene.browser()).redirect["code"])
            let fields = [
                "grant_type": "authorization_code", "client_id": Scene.client, "code": code,
                "redirect_uri": "http://localhost:8400/", "code_verifier": vectorVerifier,
            ]
            let token = "\(scene.tenant)/B2C_1_susi/oauth2/v2.0/token"
            var tokens = try await scene.browser().post(token, fields, [("Origin", Self.page)]).json
            #expect(tokens["refresh_token_expires_in"] == 86_400)
            scene.emulator.clock.advance(by: 86_000)
            tokens = try await scene.refresh(tokens["refresh_token"]?.string).json
            #expect(tokens["refresh_token_expires_in"] == 400)
            scene.emulator.clock.advance(by: 400)
            #expect(try await scene.refresh(tokens["refresh_token"]?.string).json.code == 90080)
        }
    }

    @Test("a plain provider knows no such end")
    func refreshTokensOfPlainProviders() async throws {
        try await withScene(tenants: [Kinds.openid]) { scene in
            let door = try await Door(scene, "/login")
            let code = try #require(
                try await door.signIn(scene.browser(), "openid offline_access").redirect["code"])
            let fields = [
                "grant_type": "authorization_code", "client_id": Scene.client, "code": code,
                "redirect_uri": "http://localhost:8400/", "code_verifier": vectorVerifier,
            ]
            let tokens = try await scene.browser().post(
                try door.endpoint("token_endpoint"), fields, [("Origin", "http://localhost:8400")]
            ).json
            scene.emulator.clock.advance(by: 90_000)
            let refreshed = try await door.refresh(tokens)
            #expect(refreshed.status == 200, "\(refreshed.text)")
        }
    }

    @Test("without origins of its own an application has those of its redirect addresses")
    func ofRedirectAddresses() async throws {
        try await withScene { configuration in
            configuration.applications[0].redirectAddresses = [
                "http://localhost:8400/", "https://app.example:8443/back?x=1", "com.example.app:/back",
                "https://WWW.example:443/back",
            ]
        } _: { scene in
            let token = "\(scene.tenant)/B2C_1_susi/oauth2/v2.0/token"
            for (origin, expected) in [
                ("http://localhost:8400", true), ("https://app.example:8443", true), ("https://app.example", false),
                ("https://www.example", true),
                ("http://localhost:8401", false), ("http://127.0.0.1:8400", false), ("com.example.app:", false),
                ("null", false),
            ] {
                let answer = try await scene.browser().post(token, ["client_id": Scene.client], [("Origin", origin)])
                #expect(allowed(answer) == (expected ? origin : nil), "\(origin)")
            }
        }
        try await withScene {
            $0.redirectPorts = .any
        } _: { scene in
            let token = "\(scene.tenant)/B2C_1_susi/oauth2/v2.0/token"
            for (origin, expected) in [("http://localhost:3000", true), ("http://127.0.0.1:3000", false)] {
                let answer = try await scene.browser().post(token, ["client_id": Scene.client], [("Origin", origin)])
                #expect(allowed(answer) == (expected ? origin : nil), "\(origin)")
            }
        }
    }

    @Test("pages call the sample APIs, and read why they were refused")
    func samples() async throws {
        var entra = Kinds.entra
        entra.applications[0].origins = [Self.page]
        try await withScene(tenants: [entra]) { scene in
            for path in ["/api/reports", "/v1.0/me"] {
                let address = scene.emulator.origin + path
                for (origin, expected) in [(Self.page, Self.page), ("http://localhost:3001", nil)] {
                    let headers = [
                        ("Origin", origin), ("Access-Control-Request-Method", "GET"),
                        ("Access-Control-Request-Headers", "authorization"),
                    ]
                    let preflight = try await scene.browser().send(.OPTIONS, address, headers, nil)
                    #expect(preflight.status == 204 && allowed(preflight) == expected, "\(path)")
                    #expect(
                        preflight.header("access-control-allow-headers") == (expected == nil ? nil : "authorization"))
                    let answer = try await scene.browser().get(address, [("Origin", origin)])
                    #expect(answer.status == 401 && allowed(answer) == expected, "\(path)")
                }
                let plain = try await scene.browser().send(.OPTIONS, address, [], nil)
                #expect(plain.status != 204)
            }
        }
    }

    @Test("metadata and keys are for everybody; the pages of a sign-in for nobody")
    func others() async throws {
        try await withPages { scene in
            let stranger = [("Origin", "https://stranger.example")]
            for path in ["v2.0/.well-known/openid-configuration", "discovery/v2.0/keys"] {
                let answer = try await scene.browser().get("\(scene.tenant)/B2C_1_susi/\(path)", stranger)
                #expect(allowed(answer) == "*", "\(path)")
            }
            #expect(allowed(try await scene.browser().get(scene.authorize(), [("Origin", Self.page)])) == nil)
            #expect(allowed(try await scene.browser().get(scene.emulator.origin + "/", [("Origin", Self.page)])) == nil)
        }
    }

    @Test("a preflight is answered for the same")
    func preflights() async throws {
        try await withPages { scene in
            let token = "oauth2/v2.0/token"
            let answer = try await preflight(scene, token, from: Self.page, "POST")
            #expect(answer.status == 204)
            #expect(allowed(answer) == Self.page)
            #expect(answer.header("access-control-allow-methods") == "POST")
            #expect(answer.header("access-control-allow-headers") == "content-type,x-client-sku")
            let stranger = try await preflight(scene, token, from: "https://stranger.example", "POST")
            #expect(allowed(stranger) == nil && stranger.header("access-control-allow-methods") == nil)
            #expect(try await preflight(scene, token, from: Self.page, "DELETE").status == 405)
            #expect(allowed(try await preflight(scene, "oauth2/v2.0/authorize", from: Self.page, "GET")) == nil)
            let metadata = "v2.0/.well-known/openid-configuration"
            #expect(allowed(try await preflight(scene, metadata, from: "https://stranger.example", "GET")) == "*")
            #expect(allowed(try await preflight(scene, "openid/v2.0/userinfo", from: Self.page, "GET")) == Self.page)
        }
    }
}
