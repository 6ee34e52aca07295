import NIOHTTP1
import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Pages of other origins", .inTurn, .timeLimit(.minutes(5)))
struct CrossOriginTests {
    private static let page = "http://localhost:3000"

    private func withPages(_ body: (EmulatorFixture) async throws -> Void) async throws {
        try await withFixture(
            { configuration in
                configuration.applications[0].origins = [Self.page]
                configuration.register("another")
                configuration.register("separate")
                configuration.applications[configuration.applications.count - 1].coopEnforcement = true
                configuration.policies.append(Policy(name: PolicyName("B2C_1A_susi"), kind: .signUpOrSignIn))
            }, body)
    }

    private func allowed(_ response: Received) -> String? { response.header("access-control-allow-origin") }

    private func preflight(
        _ fixture: EmulatorFixture, _ path: String, from origin: String, _ method: String,
        policy: String = "B2C_1_susi"
    )
        async throws
        -> Received
    {
        let headers = [
            ("Origin", origin), ("Access-Control-Request-Method", method),
            ("Access-Control-Request-Headers", "content-type,x-client-sku"),
        ]
        return try await fixture.browser().send(.OPTIONS, "\(fixture.tenant)/\(policy)/\(path)", headers, nil)
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
                let response = try await fixture.browser().post(token, asked, [("Origin", origin)]).expecting(400)
                #expect(allowed(response) == expected, "\(origin) \(client)")
                #expect(response.header("vary") == "Origin")
                #expect(response.header("access-control-allow-credentials") == nil)
            }
            // Without an origin there is no header.
            let plain = try await fixture.browser().post(token, fields)
            #expect(allowed(plain) == nil && plain.header("vary") == nil)
            let claims = "\(fixture.tenant)/B2C_1A_susi/openid/v2.0/userinfo"
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

    @Test("separates the windows of an application's sign-in from the page that opened them, on every response")
    func separatesWindows() async throws {
        try await withPages { fixture in
            let browser = fixture.browser()
            let page = try await browser.get(fixture.authorize(["client_id": "separate"]))
            let again = try await browser.submit(page, ["password": "wrong"])
            let done = try await fixture.signIn(fixture.browser(), ["client_id": "separate"])
            for response in [page, again, done] {
                #expect(response.header("cross-origin-opener-policy") == "same-origin", "\(response.status)")
            }
            let other = try await fixture.ask()
            #expect(done.status == 303 && other.header("cross-origin-opener-policy") == nil)
        }
    }

    @Test("does not end them at a plain provider")
    func keepsRefreshTokensOfPlainProvider() async throws {
        try await withDoor(Kinds.openid, "/login") { fixture, door in
            let redirect = try await door.signIn(fixture.browser(), "openid offline_access")
            let tokens = try await door.redeem(redirect, [:], [("Origin", "http://localhost:8400")]).json
            fixture.emulator.clock.advance(by: 90_000)
            try await door.refresh(tokens).expecting(200)
        }
    }

    @Test(
        "uses the origins of the redirect addresses by default, with any port of a loopback address if ports may differ"
    )
    func usesOriginsOfRedirectAddresses() {
        let application = RegisteredApplication(
            clientID: "x",
            redirectAddresses: [
                "http://localhost:8400/", "https://app.example:8443/back?x=1", "com.example.app:/back",
                "https://WWW.example:443/back",
            ])
        for (origin, isExact, isAny) in [
            ("http://localhost:8400", true, true), ("https://app.example:8443", true, true),
            ("https://app.example", false, false), ("https://www.example", true, true),
            ("http://localhost:8401", false, true), ("http://127.0.0.1:8400", false, false),
            ("com.example.app:", false, false), ("null", false, false),
        ] {
            #expect(application.allows(origin: origin, ports: .exact) == isExact, "\(origin)")
            #expect(application.allows(origin: origin, ports: .any) == isAny, "\(origin)")
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
                    let response = try await fixture.browser().get(address, [("Origin", origin)])
                    #expect(response.status == 401 && allowed(response) == expected, "\(path)")
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
                let response = try await fixture.browser().get("\(fixture.tenant)/B2C_1_susi/\(path)", stranger)
                #expect(allowed(response) == "*", "\(path)")
            }
            #expect(allowed(try await fixture.browser().get(fixture.authorize(), [("Origin", Self.page)])) == nil)
            #expect(allowed(try await fixture.browser().get("/", [("Origin", Self.page)])) == nil)
            // A preflight has the same rules.
            let token = "oauth2/v2.0/token"
            let response = try await preflight(fixture, token, from: Self.page, "POST").expecting(204)
            #expect(allowed(response) == Self.page)
            #expect(response.header("access-control-allow-methods") == "POST")
            #expect(response.header("access-control-allow-headers") == "content-type,x-client-sku")
            let refused = try await preflight(fixture, token, from: "https://stranger.example", "POST")
            #expect(allowed(refused) == nil && refused.header("access-control-allow-methods") == nil)
            #expect(try await preflight(fixture, token, from: Self.page, "DELETE").status == 405)
            #expect(allowed(try await preflight(fixture, "oauth2/v2.0/authorize", from: Self.page, "GET")) == nil)
            let metadata = "v2.0/.well-known/openid-configuration"
            #expect(allowed(try await preflight(fixture, metadata, from: "https://stranger.example", "GET")) == "*")
            let info = try await preflight(
                fixture, "openid/v2.0/userinfo", from: Self.page, "GET", policy: "B2C_1A_susi")
            #expect(allowed(info) == Self.page)
        }
    }
}
