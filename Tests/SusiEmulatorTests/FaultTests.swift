import NIOHTTP1
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Faults", .inTurn, .timeLimit(.minutes(2)))
struct FaultTests {
    @Test("a status of its own: the service's words, or any body; nothing is done about the request")
    func status() async throws {
        try await withScene { scene in
            let code = try await scene.signIn(scene.browser()).redirect["code"]
            let faults = scene.emulator.faults
            faults.add(Fault(.status(429, retryAfter: 7), at: .token, count: 1))
            faults.add(Fault(.status(503), at: .token, count: 1))
            faults.add(Fault(.status(418, body: "short & stout", contentType: "text/plain"), at: .token, count: 1))
            let busy = try await scene.redeem(code)
            #expect(busy.status == 429 && busy.header("retry-after") == "7")
            #expect(try busy.json.code == 90_244)
            let down = try await scene.redeem(code)
            #expect(down.status == 503 && down.header("retry-after") == nil)
            #expect(try down.json.code == 90_035)
            let teapot = try await scene.redeem(code)
            #expect(teapot.status == 418 && teapot.text == "short & stout")
            #expect(teapot.header("content-type") == "text/plain")
            #expect(try await scene.redeem(code).status == 200)
            #expect(faults.all.map(\.struck) == [1, 1, 1])
            let entry = try #require(scene.emulator.requests().first { $0.status == 503 })
            #expect(entry.reason?.hasSuffix("(fault 2: status 503)") == true && entry.code == "AADB2C90035")
        }
    }

    @Test("status 200 is a fault only with a body of its own; what spoils the usual answer says 200 too")
    func success() async throws {
        try await withScene { scene in
            let keys = "\(scene.tenant)/B2C_1_susi/discovery/v2.0/keys"
            let refused = try await scene.admin(.POST, "/faults", ["endpoint": "keys", "status": ["code": 200]])
            #expect(refused.status == 400)
            let detail = try #require(try refused.json["detail"]?.string)
            #expect(detail.contains("“status.body”: required with status 200") && detail.contains("malformed"))
            #expect(try await scene.browser().get(keys).json["keys"] != nil)
            for body in ["", "{}"] {
                let status: JSON = ["code": 200, "body": .string(body)]
                _ = try await scene.administer(.POST, "/faults", ["endpoint": "keys", "status": status, "count": 1])
                let answer = try await scene.browser().get(keys)
                #expect(answer.status == 200 && answer.text == body)
            }
            _ = try await scene.administer(.POST, "/faults", ["endpoint": "keys", "malformed": "cut", "count": 1])
            let cut = try await scene.browser().get(keys)
            #expect(cut.status == 200 && throwsParsing(cut))
        }
    }

    private func throwsParsing(_ answer: Received) -> Bool { (try? answer.json) == nil && !answer.text.isEmpty }

    @Test("a fault strikes where it was told to, and nowhere else", arguments: Fault.Endpoint.allCases)
    func places(endpoint: Fault.Endpoint) async throws {
        try await withScene { scene in
            scene.emulator.faults.add(Fault(.status(599, body: ""), at: endpoint))
            let policy = "\(scene.tenant)/B2C_1_susi"
            let requests: [(Fault.Endpoint, HTTPMethod, String)] = [
                (.metadata, .GET, "\(policy)/v2.0/.well-known/openid-configuration"),
                (.keys, .GET, "\(policy)/discovery/v2.0/keys"), (.authorize, .GET, scene.authorize()),
                (.token, .POST, "\(policy)/oauth2/v2.0/token"), (.logout, .GET, "\(policy)/oauth2/v2.0/logout"),
                (.userInfo, .GET, "\(policy)/openid/v2.0/userinfo"), (.page, .GET, "\(policy)/page/sign-in"),
                (.api, .GET, "\(scene.emulator.origin)/api/hello"),
            ]
            for (own, method, address) in requests {
                let answer = try await scene.browser().send(method, address, [], nil)
                #expect((answer.status == 599) == (endpoint == .any || endpoint == own), "\(own)")
            }
            #expect(try await scene.admin(.GET, "/faults").status == 200)
        }
    }

    @Test("only one policy, client or tenant")
    func narrowed() async throws {
        try await withScene { scene in
            let faults = scene.emulator.faults
            faults.add(Fault(.status(599, body: ""), at: .token, policy: "b2c_1_RESET"))
            faults.add(Fault(.status(598, body: ""), at: .token, clientID: "somebody"))
            faults.add(Fault(.status(597, body: ""), at: .token, tenant: "fabrikam.onmicrosoft.com"))
            let elsewhere = try await scene.refresh("x")
            #expect(elsewhere.status == 400)
            #expect(try await scene.refresh("x", policy: "B2C_1_reset").status == 599)
            #expect(try await scene.refresh("x", ["client_id": "SOMEBODY"]).status == 598)
            #expect(faults.remove(2) && !faults.remove(2))
            #expect(try await scene.refresh("x", ["client_id": "SOMEBODY"]).status == 400)
            faults.removeAll()
            #expect(try await scene.refresh("x", policy: "B2C_1_reset").status == 400)
        }
    }

    @Test("a closed connection: nothing was done, everything was done, or half of the body came")
    func drops() async throws {
        try await withScene { scene in
            let code = try await scene.signIn(scene.browser()).redirect["code"]
            let faults = scene.emulator.faults
            for drop in [Fault.Drop.request, .body] {
                faults.add(Fault(.drop(drop), at: .keys, count: 1))
                await #expect(throws: (any Error).self, "\(drop)") {
                    try await scene.browser().get("\(scene.tenant)/B2C_1_susi/discovery/v2.0/keys")
                }
            }
            faults.add(Fault(.drop(.request), at: .token, count: 1))
            await #expect(throws: (any Error).self) { try await scene.redeem(code) }
            faults.add(Fault(.drop(.answer), at: .token, count: 1))
            await #expect(throws: (any Error).self) { try await scene.redeem(code) }
            // The first one left the code alone, the second one used it up.
            #expect(try await scene.redeem(code).json.code == 90_129)
            #expect(faults.all.allSatisfy { $0.struck == 1 })
        }
    }

    @Test("spoilt answers")
    func malformed() async throws {
        try await withScene { scene in
            let address = "\(scene.tenant)/B2C_1_susi/v2.0/.well-known/openid-configuration"
            let right = try await scene.browser().get(address)
            for form in Fault.Malformation.allCases {
                scene.emulator.faults.add(Fault(.malformed(form), at: .metadata, count: 1))
                let answer = try await scene.browser().get(address)
                #expect(answer.status == 200)
                switch form {
                case .html:
                    #expect(answer.header("content-type")?.hasPrefix("text/html") == true)
                    #expect(answer.text.hasPrefix("<!DOCTYPE html>"))
                case .cut: #expect(right.text.hasPrefix(answer.text) && answer.text.count == right.text.count / 2)
                case .type: #expect(answer.text == right.text && answer.header("content-type") == "text/plain")
                case .encoding:
                    #expect(
                        answer.text.contains("\u{fffd}") && answer.headers.first(name: "content-type") != "text/plain")
                }
            }
            #expect(try await scene.browser().get(address).text == right.text)
        }
    }

    @Test("chance is the same for the same seed, and the seed is told when it was drawn")
    func chance() async throws {
        let tenant = try await Self.tenant()
        let strikes = { (seed: UInt64?) -> (pattern: [Bool], seed: UInt64) in
            let faults = Faults()
            faults.add(Fault(.status(503), probability: 0.3, seed: seed))
            let pattern = (1...200).map { _ in faults.strike(.token, tenant, policy: nil) { nil } != nil }
            return (pattern, faults.all[0].seed)
        }
        let first = strikes(42)
        #expect(first.pattern == strikes(42).pattern && first.seed == 42)
        #expect(first.pattern != strikes(43).pattern)
        #expect((40...80).contains(first.pattern.count { $0 }))
        let drawn = strikes(nil)
        #expect(strikes(drawn.seed).pattern == drawn.pattern)
    }

    private static func tenant() async throws -> Tenant {
        var found: Tenant?
        try await withScene { found = $0.emulator.site.tenants.first }
        return try #require(found)
    }

    @Test("through the API: added, listed with its strikes, removed")
    func administered() async throws {
        try await withScene { scene in
            let made = try await scene.admin(
                .POST, "/faults",
                [
                    "endpoint": "token", "policy": "B2C_1_susi", "probability": .number(0.5), "count": .integer(3),
                    "seed": .integer(9), "status": ["code": .integer(503), "retryAfter": .integer(1)],
                ])
            #expect(made.status == 201 && made.location == "/admin/v1/faults/1")
            for _ in 1...40 { _ = try await scene.refresh("x") }
            let listed = try await scene.administer(.GET, "/faults")["faults"]?.elements.first
            #expect(listed?["struck"] == .integer(3) && listed?["seed"] == .integer(9))
            #expect(listed?["status"] == ["code": 503, "contentType": "application/json", "retryAfter": 1])
            #expect(try await scene.admin(.DELETE, "/faults/1").status == 204)
            for body: JSON in [["delay": ["milliseconds": 1]], ["drop": "body"], ["malformed": "cut"]] {
                guard case .object(var members) = body else { continue }
                members["endpoint"] = "api"
                let shown = try await scene.administer(.POST, "/faults", .object(members))
                #expect(members.allSatisfy { shown[$0.key] == $0.value })
            }
            #expect(try await scene.admin(.DELETE, "/faults").status == 204)
            #expect(scene.emulator.faults.all.isEmpty)
        }
    }

    @Test("a late answer")
    func late() async throws {
        try await withScene { scene in
            scene.emulator.faults.add(Fault(.delay(milliseconds: 300), at: .api, count: 1))
            let start = ContinuousClock.now
            let answer = try await scene.browser().get(scene.emulator.origin + "/api/hello")
            #expect(answer.status == 401)
            #expect(ContinuousClock.now - start >= .milliseconds(300))
        }
    }
}
