import Foundation
import NIOHTTP1
import SusiBase
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Sample API: special responses", .inTurn, .timeLimit(.minutes(5)))
struct SampleAPITests {
    private func call(
        _ fixture: EmulatorFixture, _ path: String, _ token: String?, method: HTTPMethod = .GET, body: String? = nil
    ) async throws -> Received {
        var headers = [("X-Mine", "yes")]
        if let token { headers.append(("Authorization", "Bearer \(token)")) }
        return try await fixture.browser().send(method, "/api/hello/" + path, headers, body)
    }

    private func token(_ fixture: EmulatorFixture, _ changed: [String: String?] = [:]) async throws -> String {
        try await fixture.tokens(changed)["access_token"]?.string ?? ""
    }

    @Test("echoes the request without its token")
    func echoesWithoutToken() async throws {
        try await withFixture { fixture in
            let response = try await call(fixture, "echo?a=1", "a.secret.token", method: .PUT, body: "text")
            let json = try response.json
            #expect(json["method"] == "PUT" && json["query"] == "a=1" && json["body"] == "text")
            #expect(json["headers"]?["x-mine"] == "yes")
            #expect(json["hasToken"]?.boolean == true)
            #expect(!response.text.contains("secret"))
        }
    }

    @Test("challenges for claims in base64 and accepts a token that has them")
    func challengesForClaims() async throws {
        try await withFixture { fixture in
            let response = try await call(fixture, "protected?acrs=c2", try await token(fixture)).expecting(401)
            let header = try #require(response.header("www-authenticate"))
            #expect(header.contains("error=\"insufficient_claims\""))
            let text = try #require(header.firstMatch(of: /claims="([^"]*)"/)).1
            let claims = String(decoding: try #require(Data(base64Encoded: String(text))), as: UTF8.self)
            #expect(claims == #"{"access_token":{"acrs":{"essential":true,"value":"c2"}}}"#)
            let better = try await token(fixture, ["claims": claims])
            #expect(try await call(fixture, "protected?acrs=c2", better).status == 200)
            #expect(try await call(fixture, "protected", better).status == 401)
            #expect(try await call(fixture, "protected", nil).header("www-authenticate") == "Bearer realm=\"hello\"")
        }
    }

    @Test("refuses a token without a role of the API, as user flows issue it; a scope of the same name is no role")
    func demandsRole() async throws {
        try await withFixture {
            $0.apis[0].roles = ["admin", "demo.read"]
            $0.add(1, email: "eve@contoso.example") { $0.attributes = ["roles": ["reader", "admin"]] }
            $0.policies.append(Policy(name: PolicyName("B2C_1A_susi"), kind: .signUpOrSignIn))
        } _: { fixture in
            let refused = try await call(fixture, "", try await token(fixture)).expecting(403)
            #expect(refused.header("www-authenticate")?.contains("the role admin or demo.read") == true)
            for (policy, status) in [("B2C_1_susi", 403), ("B2C_1A_susi", 200)] {
                let tokens = try await fixture.tokens(as: "eve@contoso.example", policy: policy)
                #expect(try await call(fixture, "", tokens["access_token"]?.string).status == status, "\(policy)")
            }
        }
    }

    @Test("refuses one token once, and every token at some paths")
    func refusesTokens() async throws {
        try await withFixture { fixture in
            let (first, second) = (try await token(fixture), try await token(fixture, ["nonce": "other"]))
            #expect(
                try await call(fixture, "once", first).header("www-authenticate")?.contains("invalid_token") == true)
            #expect(try await call(fixture, "once", first).status == 401)
            #expect(try await call(fixture, "", first).status == 401)
            #expect(try await fixture.call("/api/hello", .string(first)).status == 401)
            #expect(try await call(fixture, "once", second).status == 200)
            #expect(try await call(fixture, "never", second).status == 401)
            let forbidden = try await call(fixture, "forbidden", second).expecting(403)
            #expect(forbidden.header("www-authenticate")?.contains("insufficient_scope") == true)
            #expect(try await call(fixture, "status?code=418", nil).status == 418)
            #expect(try await call(fixture, "nothing", second).status == 404)
        }
    }

    @Test("sends long bodies with and without a length, slowly, and redirects to another origin")
    func streamsAndRedirects() async throws {
        try await withFixture { fixture in
            let token = try await token(fixture)
            let known = try await call(fixture, "long?bytes=100000", token)
            #expect(known.header("content-length") == "100000" && known.text.utf8.count == 100_000)
            let unknown = try await call(fixture, "long?bytes=70000&length=no", token)
            #expect(unknown.header("content-length") == nil && unknown.text.utf8.count == 70_000)
            #expect(try await call(fixture, "long?bytes=0", token).text.isEmpty)
            #expect(try await call(fixture, "slow?milliseconds=1", token).status == 200)
            let redirect = try await call(fixture, "redirect", token).expecting(307)
            #expect(redirect.location == "http://127.0.0.1:\(fixture.emulator.port)/api/hello/echo")
            let moved = try await call(fixture, "redirect?status=302&to=https%3A%2F%2Felsewhere.example%2F", token)
            #expect(moved.status == 302 && moved.location == "https://elsewhere.example/")
        }
    }

    @Test("a response without a body leaves its connection in order", arguments: [204, 304])
    func sendsNoBody(code: Int) async throws {
        try await withFixture { fixture in
            for _ in 1...20 {
                let empty = try await call(fixture, "status?code=\(code)", nil)
                let next = try await call(fixture, "status?code=500", nil)
                #expect(empty.status == code && next.status == 500)
            }
        }
    }

    @Test("answers any number in a query")
    func boundsNumbers() async throws {
        try await withFixture { fixture in
            let token = try await token(fixture)
            let numbers = [
                "\(Int.min)", "-1", "0", "99", "100", "304", "600", "999", "1000", "\(Int.max)", "1e9", "%00", "",
            ]
            for number in numbers {
                let redirect = try await call(fixture, "redirect?status=\(number)", nil)
                #expect(redirect.status == (number == "304" ? 304 : 307), "\(number)")
                let status = try await call(fixture, "status?code=\(number)", nil).status
                #expect(status == (number == "304" ? 304 : 500), "\(number)")
                #expect(try await call(fixture, "long?bytes=\(number)", nil).status == 401)
                #expect(try await call(fixture, "slow?milliseconds=\(number)", nil).status == 401)
            }
            #expect(try await call(fixture, "slow?milliseconds=-1", token).status == 200)
            #expect(try await call(fixture, "long?bytes=-1", token).status == 200)
        }
    }
}
