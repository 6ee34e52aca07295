import NIOHTTP1
import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Faults", .inTurn, .timeLimit(.minutes(5)))
struct FaultTests {
    @Test("responds with a status and the service's body or a given one, without processing the request; delays one")
    func respondsWithStatus() async throws {
        try await withFixture { fixture in
            let code = try await fixture.signIn(fixture.browser()).redirect["code"]
            let faults = fixture.emulator.faults
            faults.add(Fault(.status(429, retryAfter: 7), at: .token, count: 1))
            faults.add(Fault(.status(503), at: .token, count: 1))
            faults.add(Fault(.status(418, body: "short & stout", contentType: "text/plain"), at: .token, count: 1))
            let busy = try await fixture.redeem(code)
            #expect(busy.status == 429 && busy.header("retry-after") == "7")
            #expect(try busy.json.code == 90_244 && busy.json["error"] == "temporarily_unavailable")
            let down = try await fixture.redeem(code)
            #expect(down.status == 503 && down.header("retry-after") == nil)
            #expect(try down.json.code == 90_035 && down.json["error"] == "temporarily_unavailable")
            let teapot = try await fixture.redeem(code)
            #expect(teapot.status == 418 && teapot.text == "short & stout")
            #expect(teapot.header("content-type") == "text/plain")
            faults.add(Fault(.delay(milliseconds: 200), at: .token, count: 1))
            let start = ContinuousClock.now
            #expect(try await fixture.redeem(code).status == 200)
            #expect(ContinuousClock.now - start >= .milliseconds(200))
            #expect(faults.all.map(\.hits) == [1, 1, 1, 1])
            let entry = try #require(fixture.emulator.requests().first { $0.status == 503 })
            #expect(entry.reason?.hasSuffix("(fault 2: status 503)") == true && entry.code == "AADB2C90035")
        }
    }

    @Test("a status that is none of a response counts as 500")
    func boundsStatus() async throws {
        try await withFixture { fixture in
            for code in [Int.min, -1, 0, 100, 600, 1_000, Int.max] {
                fixture.emulator.faults.add(Fault(.status(code), at: .api, count: 1))
                let response = try await fixture.browser().send(.GET, "/api/hello", [], nil)
                #expect(response.status == 500, "\(code)")
            }
        }
    }

    @Test func affectsNamedEndpointOnly() async throws {
        try await withFixture {
            $0.policies.append(Policy(name: PolicyName("B2C_1A_susi"), kind: .signUpOrSignIn))
        } _: { fixture in
            let policy = "\(fixture.tenant)/B2C_1_susi"
            let requests: [(Fault.Endpoint, HTTPMethod, String)] = [
                (.metadata, .GET, "\(policy)/v2.0/.well-known/openid-configuration"),
                (.keys, .GET, "\(policy)/discovery/v2.0/keys"), (.authorize, .GET, fixture.authorize()),
                (.token, .POST, "\(policy)/oauth2/v2.0/token"), (.logout, .GET, "\(policy)/oauth2/v2.0/logout"),
                (.userInfo, .GET, "\(fixture.tenant)/B2C_1A_susi/openid/v2.0/userinfo"),
                (.page, .GET, "\(policy)/page/sign-in"),
                (.api, .GET, "\(fixture.emulator.origin)/api/hello"),
            ]
            for endpoint in Fault.Endpoint.allCases {
                fixture.emulator.faults.removeAll()
                fixture.emulator.faults.add(Fault(.status(599, body: ""), at: endpoint))
                for (own, method, address) in requests {
                    let response = try await fixture.browser().send(method, address, [], nil)
                    #expect((response.status == 599) == (endpoint == .any || endpoint == own), "\(endpoint) \(own)")
                }
                #expect(try await fixture.admin(.GET, "/faults").status == 200)
            }
        }
    }

    @Test("affects only the named policy, client or tenant")
    func affectsNamedClientOnly() async throws {
        try await withFixture { fixture in
            let faults = fixture.emulator.faults
            faults.add(Fault(.status(599, body: ""), at: .token, policy: "b2c_1_RESET"))
            faults.add(Fault(.status(598, body: ""), at: .token, clientID: "somebody"))
            faults.add(Fault(.status(597, body: ""), at: .token, tenant: "fabrikam.onmicrosoft.com"))
            try await fixture.refresh("x").expecting(400)
            #expect(try await fixture.refresh("x", policy: "B2C_1_reset").status == 599)
            #expect(try await fixture.refresh("x", ["client_id": "SOMEBODY"]).status == 598)
            faults.add(Fault(.status(596, body: ""), at: .token, tenant: "CONTOSO.onmicrosoft.com", count: 1))
            #expect(try await fixture.refresh("x").status == 596)
            #expect(faults.remove(2) && !faults.remove(2))
            #expect(try await fixture.refresh("x", ["client_id": "SOMEBODY"]).status == 400)
            faults.removeAll()
            #expect(try await fixture.refresh("x", policy: "B2C_1_reset").status == 400)
        }
    }

    @Test("closes the connection before, after or within the response")
    func closesConnection() async throws {
        try await withFixture { fixture in
            let code = try await fixture.signIn(fixture.browser()).redirect["code"]
            let faults = fixture.emulator.faults
            for drop in [Fault.Drop.request, .body] {
                faults.add(Fault(.drop(drop), at: .keys, count: 1))
                await #expect(throws: (any Error).self, "\(drop)") {
                    try await fixture.browser().get("\(fixture.tenant)/B2C_1_susi/discovery/v2.0/keys")
                }
            }
            faults.add(Fault(.drop(.request), at: .token, count: 1))
            await #expect(throws: (any Error).self) { try await fixture.redeem(code) }
            faults.add(Fault(.drop(.response), at: .token, count: 1))
            await #expect(throws: (any Error).self) { try await fixture.redeem(code) }
            // The first fault did not use up the code; the second one did.
            #expect(try await fixture.redeem(code).json.code == 90_129)
            #expect(faults.all.allSatisfy { $0.hits == 1 })
        }
    }

    @Test("malforms responses, or sends a given body with status 200")
    func malformsResponse() async throws {
        try await withFixture { fixture in
            let address = "\(fixture.tenant)/B2C_1_susi/v2.0/.well-known/openid-configuration"
            let right = try await fixture.browser().get(address)
            for body in ["", "{}"] {
                fixture.emulator.faults.add(Fault(.status(200, body: body), at: .metadata, count: 1))
                let response = try await fixture.browser().get(address)
                #expect(response.status == 200 && response.text == body)
            }
            for form in Fault.Malformation.allCases {
                fixture.emulator.faults.add(Fault(.malformed(form), at: .metadata, count: 1))
                let response = try await fixture.browser().get(address).expecting(200)
                switch form {
                case .html:
                    #expect(response.header("content-type")?.hasPrefix("text/html") == true)
                    #expect(response.text.hasPrefix("<!DOCTYPE html>"))
                case .cut: #expect(right.text.hasPrefix(response.text) && response.text.count == right.text.count / 2)
                case .type: #expect(response.text == right.text && response.header("content-type") == "text/plain")
                case .encoding:
                    #expect(
                        response.text.contains("\u{fffd}")
                            && response.headers.first(name: "content-type") != "text/plain")
                }
            }
            #expect(try await fixture.browser().get(address).text == right.text)
        }
    }

    @Test("repeats with the same seed and returns a random one")
    func repeatsWithSeed() async throws {
        var found: Tenant?
        try await withFixture { found = $0.emulator.site.tenants.first }
        let tenant = try #require(found)
        let strikes = { (seed: UInt64?) -> (pattern: [Bool], seed: UInt64) in
            let faults = Faults()
            faults.add(Fault(.status(503), probability: 0.3, seed: seed))
            let pattern = (1...200).map { _ in faults.next(.token, tenant, policy: nil) { nil } != nil }
            return (pattern, faults.all[0].seed)
        }
        let first = strikes(42)
        #expect(first.pattern == strikes(42).pattern && first.seed == 42)
        #expect(first.pattern != strikes(43).pattern)
        #expect((40...80).contains(first.pattern.count { $0 }))
        let drawn = strikes(nil)
        #expect(strikes(drawn.seed).pattern == drawn.pattern)
    }

    @Test("is added, listed with its count and removed by the admin API")
    func isManagedByAPI() async throws {
        try await withFixture { fixture in
            let made = try await fixture.admin(
                .POST, "/faults",
                [
                    "endpoint": "token", "policy": "B2C_1_susi", "probability": .number("0.5"), "count": .integer(3),
                    "seed": .integer(9), "status": ["code": .integer(503), "retryAfter": .integer(1)],
                ])
            #expect(made.status == 201 && made.location == "/admin/v1/faults/1")
            for _ in 1...40 { _ = try await fixture.refresh("x") }
            let listed = try await fixture.administer(.GET, "/faults")["faults"]?.elements.first
            #expect(listed?["struck"] == .integer(3) && listed?["seed"] == .integer(9))
            #expect(listed?["status"] == ["code": 503, "contentType": "application/json", "retryAfter": 1])
            #expect(try await fixture.admin(.DELETE, "/faults/1").status == 204)
            for body: JSON in [["delay": ["milliseconds": 1]], ["drop": "body"], ["malformed": "cut"]] {
                guard case .object(var members) = body else { continue }
                members["endpoint"] = "api"
                let shown = try await fixture.administer(.POST, "/faults", .object(members))
                #expect(members.allSatisfy { shown[$0.key] == $0.value })
            }
            #expect(try await fixture.admin(.DELETE, "/faults").status == 204)
            #expect(fixture.emulator.faults.all.isEmpty)
        }
    }
}
