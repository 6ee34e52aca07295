import NIOHTTP1
import SusiBase
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Sample API", .inTurn, .timeLimit(.minutes(5)))
struct HelloAPITests {
    private func call(_ fixture: EmulatorFixture, _ token: String?, body: String? = nil) async throws -> Received {
        let headers = token.map { [("Authorization", "Bearer \($0)")] } ?? []
        let address = fixture.emulator.origin + "/api/hello"
        return try await fixture.browser().send(body == nil ? .GET : .POST, address, headers, body)
    }

    @Test("greets by GET and echoes JSON by POST; challenges a request without a token")
    func greets() async throws {
        try await withFixture { fixture in
            let token = try await fixture.tokens()["access_token"]?.string
            let get = try await call(fixture, token).expecting(200)
            #expect(
                try get.json == [
                    "message": "Hello, Ana Lima", "policy": "B2C_1_susi", "oid": .string(EmulatorFixture.ana),
                    "method": "GET",
                ])
            let post = try await call(fixture, token, body: "{\"n\":[1,2.5,null,true]}")
            #expect(try post.json["body"] == ["n": [.integer(1), .number("2.5"), .null, .bool(true)]], "\(post.text)")
            #expect(try await call(fixture, token, body: "{").status == 400)
            let without = try await call(fixture, nil)
            #expect(without.status == 401 && without.header("www-authenticate") == "Bearer realm=\"hello\"")
        }
    }

    @Test("refuses an expired token and one that is not valid yet")
    func refusesInvalidTimes() async throws {
        try await withFixture { fixture in
            let token = try await fixture.tokens()["access_token"]?.string
            for (seconds, reason) in [
                (-10, "The token is not valid yet"), (10 + 3_599, nil), (1, "The token has expired"),
            ] as [(Int64, String?)] {
                fixture.emulator.clock.advance(by: seconds)
                let response = try await call(fixture, token).expecting(reason == nil ? 200 : 401)
                let header = reason.map { #"Bearer realm="hello", error="invalid_token", error_description="\#($0)""# }
                #expect(response.header("www-authenticate") == header)
            }
        }
    }

    @Test func refusesMissingScope() async throws {
        try await withFixture { fixture in
            let token = try await fixture.tokens()
            guard case .object(var claims) = try token.claims("access_token") else {
                Issue.record("no claims")
                return
            }
            let key = fixture.emulator.site.tenants[0].keyRings[0]
            claims["scp"] = "demo.readers"
            let response = try await call(fixture, try key.sign(.object(claims))).expecting(403)
            #expect(
                response.header("www-authenticate") == """
                    Bearer realm="hello", error="insufficient_scope", error_description="The token does not have the scope \
                    demo.read", scope="\(EmulatorFixture.scope)"
                    """)
        }
    }
}
