import NIOHTTP1
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Pages of other origins", .inTurn, .timeLimit(.minutes(5)))
struct CrossOriginTests {
    private static let page = "http://localhost:3000"

    private func withPages(_ body: (EmulatorFixture) async throws -> Void) async throws {
        try await withFixture { configuration in
            configuration.applications[0].origins = [Self.page]
            configuration.register("another")
        } _: {
            try await body($0)
        }
    }

    private func allowed(_ answer: Received) -> String? { answer.header("access-control-allow-origin") }

    private func preflight(_ fixture: EmulatorFixture, _ path: String, from origin: String, _ method: String)
        async throws
        -> Received
    {
        let headers = [
            ("Origin", origin), ("Access-Control-Request-Method", method),
            ("Access-Control-Request-Headers", "content-type,x-client-sku"),
        ]
        return try await fixture.browser().send(.OPTIONS, "\(fixture.tenant)/B2C_1_susi/\(path)", headers, nil)
    }

    @Test("lets a registered origin read tokens, claims and errors; refuses others")
    func allowsRegisteredOrigin() async throws {
        try await withPages { fixture in
            let token = "\(fixture.tenant)/B2C_1_susi/oauth2/v2.0/token"
            let fields = ["grant_type": "refresh_token", "client_id": EmulatorFixture.client]
            for (origin, client, expected) in [
                (Self.page, EmulatorFixture.client, Self.page), ("http://localhost:3001", EmulatorFixture.client, nil),
                ("null", EmulatorFixture.client, nil), (Self.page, "another", nil), (Self.page, "unknown", nil),
            ] {
                let asked = fields.merging(["client_id": client]) { $1 }
                let answer = try await fixture.browser().post(token, asked, [("Origin", origin)])
                #expect(answer.status == 400)
                #expect(allowed(answer) == expected, "\(origin) \(client)")
                #expect(answer.header("vary") == "Origin")
                #expect(answer.header("access-control-allow-credentials") == nil)
            }
            // Without an origin there is no header.
            let plain = try await fixture.browser().post(token, fields)
            #expect(allowed(plain) == nil && plain.header("vary") == nil)
            let claims = "\(fixture.tenant)/B2C_1_susi/openid/v2.0/userinfo"
            #expect(allowed(try await fixture.browser().get(claims, [("Origin", Self.page)])) == Self.page)
            #expect(allowed(try await fixture.browser().get(claims, [("Origin", "http://localhost:3001")])) == nil)
        }
    }

    @Test("ends the refresh tokens of a page a day after its sign-in")
    func endsRefreshTokensOfPages() async throws {
        try await withPages { fixture in
            #expect(try await fixture.tokens()["refresh_token_expires_in"] == 1_209_600)
            let door = try await Door(fixture, "/contoso.onmicrosoft.com/B2C_1_susi/v2.0")
            let redirect = try await door.signIn(fixture.browser(), "openid offline_access")
            var tokens = try await door.redeem(redirect, [:], [("Origin", Self.page)]).json
            #expect(tokens["refresh_token_expires_in"] == 86_400)
            fixture.emulator.clock.advance(by: 86_000)
            tokens = try await door.refresh(tokens).json
            #expect(tokens["refresh_token_expires_in"] == 400)
            fixture.emulator.clock.advance(by: 400)
            #expect(try await door.refresh(tokens).json.code == 90080)
        }
    }

    @Test("does not end them at a plain provider")
    func keepsRefreshTokensOfPlainProvider() async throws {
        try await withDoor(Kinds.openid, "/login") { fixture, door in
            let redirect = try await door.signIn(fixture.browser(), "openid offline_access")
            let tokens = try await door.redeem(redirect, [:], [("Origin", "http://localhost:8400")]).json
            fixture.emulator.clock.advance(by: 90_000)
            let refreshed = try await door.refresh(tokens)
            #expect(refreshed.status == 200, "\(refreshed.text)")
        }
    }

    @Test("uses the origins of the redirect addresses by default")
    func usesOriginsOfRedirectAddresses() async throws {
        try await withFixture { configuration in
            configuration.applications[0].redirectAddresses = [
                "http://localhost:8400/", "https://app.example:8443/back?x=1", "com.example.app:/back",
                "https://WWW.example:443/back",
            ]
        } _: { fixture in
            let token = "\(fixture.tenant)/B2C_1_susi/oauth2/v2.0/token"
            for (origin, expected) in [
                ("http://localhost:8400", true), ("https://app.example:8443", true), ("https://app.example", false),
                ("https://www.example", true),
                ("http://localhost:8401", false), ("http://127.0.0.1:8400", false), ("com.example.app:", false),
                ("null", false),
            ] {
                let answer = try await fixture.browser().post(
                    token, ["client_id": EmulatorFixture.client], [("Origin", origin)])
                #expect(allowed(answer) == (expected ? origin : nil), "\(origin)")
            }
        }
        try await withFixture {
            $0.redirectPorts = .any
        } _: { fixture in
            let token = "\(fixture.tenant)/B2C_1_susi/oauth2/v2.0/token"
            for (origin, expected) in [("http://localhost:3000", true), ("http://127.0.0.1:3000", false)] {
                let answer = try await fixture.browser().post(
                    token, ["client_id": EmulatorFixture.client], [("Origin", origin)])
                #expect(allowed(answer) == (expected ? origin : nil), "\(origin)")
            }
        }
    }

    @Test("lets pages call the sample APIs and read their refusals")
    func allowsSampleAPIs() async throws {
        var entra = Kinds.entra
        entra.applications[0].origins = [Self.page]
        try await withFixture(tenants: [entra]) { fixture in
            for path in ["/api/reports", "/v1.0/me"] {
                let address = fixture.emulator.origin + path
                for (origin, expected) in [(Self.page, Self.page), ("http://localhost:3001", nil)] {
                    let headers = [
                        ("Origin", origin), ("Access-Control-Request-Method", "GET"),
                        ("Access-Control-Request-Headers", "authorization"),
                    ]
                    let preflight = try await fixture.browser().send(.OPTIONS, address, headers, nil)
                    #expect(preflight.status == 204 && allowed(preflight) == expected, "\(path)")
                    #expect(
                        preflight.header("access-control-allow-headers") == (expected == nil ? nil : "authorization"))
                    let answer = try await fixture.browser().get(address, [("Origin", origin)])
                    #expect(answer.status == 401 && allowed(answer) == expected, "\(path)")
                }
                let plain = try await fixture.browser().send(.OPTIONS, address, [], nil)
                #expect(plain.status != 204)
            }
        }
    }

    @Test(
        "shares metadata and keys with every page, and sign-in pages with none; answers a preflight by the same rules")
    func sharesMetadata() async throws {
        try await withPages { fixture in
            let stranger = [("Origin", "https://stranger.example")]
            for path in ["v2.0/.well-known/openid-configuration", "discovery/v2.0/keys"] {
                let answer = try await fixture.browser().get("\(fixture.tenant)/B2C_1_susi/\(path)", stranger)
                #expect(allowed(answer) == "*", "\(path)")
            }
            #expect(allowed(try await fixture.browser().get(fixture.authorize(), [("Origin", Self.page)])) == nil)
            #expect(
                allowed(try await fixture.browser().get(fixture.emulator.origin + "/", [("Origin", Self.page)])) == nil)
            // A preflight has the same rules.
            let token = "oauth2/v2.0/token"
            let answer = try await preflight(fixture, token, from: Self.page, "POST")
            #expect(answer.status == 204)
            #expect(allowed(answer) == Self.page)
            #expect(answer.header("access-control-allow-methods") == "POST")
            #expect(answer.header("access-control-allow-headers") == "content-type,x-client-sku")
            let refused = try await preflight(fixture, token, from: "https://stranger.example", "POST")
            #expect(allowed(refused) == nil && refused.header("access-control-allow-methods") == nil)
            #expect(try await preflight(fixture, token, from: Self.page, "DELETE").status == 405)
            #expect(allowed(try await preflight(fixture, "oauth2/v2.0/authorize", from: Self.page, "GET")) == nil)
            let metadata = "v2.0/.well-known/openid-configuration"
            #expect(allowed(try await preflight(fixture, metadata, from: "https://stranger.example", "GET")) == "*")
            #expect(allowed(try await preflight(fixture, "openid/v2.0/userinfo", from: Self.page, "GET")) == Self.page)
        }
    }
}
