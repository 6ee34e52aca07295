import Foundation
import NIOHTTP1
import SusiTestSupport
import Testing

@testable import SusiEmulator

@Suite("Below the sample API", .inTurn, .timeLimit(.minutes(2)))
struct SampleAPITests {
    private func call(
        _ scene: Scene, _ path: String, _ token: String?, method: HTTPMethod = .GET, body: String? = nil
    ) async throws -> Received {
        var headers = [("X-Mine", "yes")]
        if let token { headers.append(("Authorization", "Bearer \(token)")) }
        return try await scene.browser().send(method, scene.emulator.origin + "/api/hello/" + path, headers, body)
    }

    private func token(_ scene: Scene, _ changed: [String: String?] = [:]) async throws -> String {
        try await scene.tokens(changed)["access_token"]?.string ?? ""
    }

    @Test("echo shows what came, but no token")
    func echo() async throws {
        try await withScene { scene in
            let answer = try await call(scene, "echo?a=1", "a.secret.token", method: .PUT, body: "text")
            let json = try answer.json
            #expect(json["method"] == "PUT" && json["query"] == "a=1" && json["body"] == "text")
            #expect(json["headers"]?["x-mine"] == "yes")
            #expect(json["hasToken"]?.boolean == true)
            #expect(!answer.text.contains("secret"))
        }
    }

    @Test("a claims challenge names in base64 what the next sign-in must bring; then it is content")
    func challenge() async throws {
        try await withScene { scene in
            let answer = try await call(scene, "protected?acrs=c2", try await token(scene))
            #expect(answer.status == 401)
            let header = try #require(answer.header("www-authenticate"))
            #expect(header.contains("error=\"insufficient_claims\""))
            let text = try #require(header.firstMatch(of: /claims="([^"]*)"/)).1
            let claims = String(decoding: try #require(Data(base64Encoded: String(text))), as: UTF8.self)
            #expect(claims == #"{"access_token":{"acrs":{"essential":true,"value":"c2"}}}"#)
            let better = try await token(scene, ["claims": claims])
            #expect(try await call(scene, "protected?acrs=c2", better).status == 200)
            #expect(try await call(scene, "protected", better).status == 401)
            #expect(try await call(scene, "protected", nil).header("www-authenticate") == "Bearer realm=\"hello\"")
        }
    }

    @Test("a token is refused once, another one never was, some paths refuse every one")
    func refusals() async throws {
        try await withScene { scene in
            let (first, second) = (try await token(scene), try await token(scene, ["nonce": "other"]))
            #expect(try await call(scene, "once", first).header("www-authenticate")?.contains("invalid_token") == true)
            #expect(try await call(scene, "once", first).status == 401)
            #expect(try await call(scene, "", first).status == 401)
            let plain = [("Authorization", "Bearer \(first)")]
            #expect(try await scene.browser().get(scene.emulator.origin + "/api/hello", plain).status == 401)
            #expect(try await call(scene, "once", second).status == 200)
            #expect(try await call(scene, "never", second).status == 401)
            let forbidden = try await call(scene, "forbidden", second)
            #expect(forbidden.status == 403)
            #expect(forbidden.header("www-authenticate")?.contains("insufficient_scope") == true)
            #expect(try await call(scene, "status?code=418", nil).status == 418)
            #expect(try await call(scene, "nothing", second).status == 404)
        }
    }

    @Test("long with and without a length, slow, and a redirect to another origin")
    func transfers() async throws {
        try await withScene { scene in
            let token = try await token(scene)
            let known = try await call(scene, "long?bytes=100000", token)
            #expect(known.header("content-length") == "100000" && known.text.utf8.count == 100_000)
            let unknown = try await call(scene, "long?bytes=70000&length=no", token)
            #expect(unknown.header("content-length") == nil && unknown.text.utf8.count == 70_000)
            #expect(try await call(scene, "long?bytes=0", token).text.isEmpty)
            #expect(try await call(scene, "slow?milliseconds=1", token).status == 200)
            let redirect = try await call(scene, "redirect", token)
            #expect(redirect.status == 307)
            #expect(redirect.location == "http://127.0.0.1:\(scene.emulator.port)/api/hello/echo")
            let moved = try await call(scene, "redirect?status=302&to=https%3A%2F%2Felsewhere.example%2F", token)
            #expect(moved.status == 302 && moved.location == "https://elsewhere.example/")
        }
    }
}
