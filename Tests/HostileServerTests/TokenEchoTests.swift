import Foundation
import Susi
import SusiTestSupport
import Testing

/// Servers that repeat a token where it is neither a form's field nor an error's text: APIs, claims, id tokens.
@Suite("Repeated tokens", .inTurn, .timeLimit(.minutes(5)))
struct TokenEchoTests {
    // Without the form of a secret, so that only the knowledge of it hides it.
    private static let token = "opaque.token/1+x"

    /// Makes the access tokens `token` with a number, and signs in.
    private static func signIn(_ stage: Stage) async throws {
        stage.change {
            $0.claims["at_hash"] = .some(nil)
            $0.response["access_token"] = "\"\(Self.token)1\""
        }
        _ = try await stage.signIn()
        stage.change { $0.response["access_token"] = "\"\(Self.token)2\"" }
    }

    /// Runs the program with a signed-in account.
    private func withProgram(_ body: (Stage, SusiBinary) async throws -> Void) async throws {
        try await Stage.withProgram(at: .openid) { stage, _, susi async throws in
            try await Self.signIn(stage)
            try await body(stage, susi)
        }
    }

    /// Runs `body` with a signed-in account of the library.
    private func withAccount(_ body: (Stage) async throws -> Void) async throws {
        try await Stage.with(.openid) { stage, _ in
            try await Self.signIn(stage)
            try await body(stage)
        }
    }

    /// Calls an API that refuses the token with this challenge. Returns what is shown.
    private static func call(_ stage: Stage, refusedWith challenge: String) async throws -> String {
        stage.change {
            $0.apiReplies = [.text("no", status: 401, ("WWW-Authenticate", "Bearer error=\(challenge)"))]
        }
        return try await stage.shown { _ = try await $0.call(CallRequest(api: "hello")) }
    }

    private static func reply(
        _ asked: Asked, status: String, echo: EchoTests.Echo = .decoded, scheme: String = "Bearer error=\"strange\","
    ) -> Reply? {
        guard asked.path.hasSuffix("/api") else { return nil }
        let token = echo.encode(String(asked.authorization?.dropFirst("Bearer ".count) ?? "no token"))
        let body = "{\"error\":\"got \(token)\"}"
        return .bytes(
            "HTTP/1.1 \(status) no \(token)\r\nWWW-Authenticate: \(scheme) error_description=\"got \(token)\"\r\n"
                + "X-Echo: got \(token)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")
    }

    @Test(
        "what call prints about a response hides the token; a redirected body is not changed",
        arguments: [
            ("401", EchoTests.Echo.decoded, [[], ["-i"], ["--json"], ["-o", "body"], ["--debug"]]),
            ("403", .base64, [["-i"], ["-o", "body"]]), ("400", .twice, [[], ["--debug"]]),
        ] as [(String, EchoTests.Echo, [[String]])])
    func callHidesToken(status: String, echo: EchoTests.Echo, options: [[String]]) async throws {
        try await withProgram { stage, susi in
            stage.change { $0.respond = { Self.reply($0, status: status, echo: echo) } }
            let echoed = echo.encode("\(Self.token)1")
            for options in options {
                let outcome = try await susi.command(["call", "hello"] + options).run().exits(8)
                #expect(!outcome.standardError.contains(echoed), "\(options): \(outcome)")
                let parts = outcome.standardOutput.split(separator: "\n\n", maxSplits: 1)
                if options == ["-i"] {
                    let head = parts.first ?? ""
                    #expect(head.contains("X-Echo: got [hidden]") && !head.contains(echoed), "\(outcome)")
                }
                if options == ["-o", "body"] {
                    #expect(outcome.standardError.contains("\"got [hidden]"), "\(outcome)")
                } else if options != ["--json"] {
                    #expect(parts.last == "{\"error\":\"got \(echoed)\"}", "\(outcome)")
                }
                if status != "400" { #expect(outcome.standardError.contains("got [hidden]"), "\(outcome)") }
            }
        }
    }

    @Test("a refused token is hidden in the response to its successor too")
    func hidesRefusedToken() async throws {
        try await withProgram { stage, susi in
            stage.change {
                // Nothing in it hides a part of the refused one.
                $0.response["access_token"] = "\"successor-2\""
                $0.respond = { asked in
                    let isFirst = asked.authorization?.hasSuffix("1") ?? false
                    let first = Asked(
                        method: asked.method, target: asked.target, body: "", authorization: "Bearer \(Self.token)1")
                    return Self.reply(first, status: isFirst ? "401" : "403", scheme: "Bearer error=\"invalid_token\",")
                }
            }
            let outcome = try await susi.run("call", "hello", "-i")
            #expect(outcome.status == 8 && outcome.standardOutput.hasPrefix("HTTP/1.1 403"), "\(outcome)")
            let head = outcome.standardOutput.split(separator: "\n\n", maxSplits: 1).first ?? ""
            #expect(head.contains("X-Echo: got [hidden]") && !head.contains(Self.token), "\(outcome)")
            #expect(!outcome.standardError.contains(Self.token), "\(outcome)")
        }
    }

    @Test(
        "a claims challenge of an API that contains the token is neither shown nor stored",
        arguments: ["\(token)1", "\\u006fpaque.token\\/1\\u002bx1"])
    func refusesClaimsOfAPIWithToken(spelling: String) async throws {
        try await withAccount { stage in
            let claims = Data(#"{"access_token":{"acrs":{"value":"\#(spelling)"}}}"#.utf8).base64EncodedString()
            let shown = try await Self.call(stage, refusedWith: "\"insufficient_claims\", claims=\"\(claims)\"")
            #expect(shown.hasPrefix("invalidResponse"), "\(shown)")
            for text in [Self.token, spelling, claims] { #expect(!shown.contains(text), "\(shown)") }
            try await expectNoClaims(stage)
        }
    }

    @Test("an escaped token in a step-up challenge is not shown")
    func hidesTokenInStepUpChallenge() async throws {
        try await withAccount { stage in
            let escaped = Self.token.replacing("t", with: "\\t")
            let shown = try await Self.call(
                stage, refusedWith: "\"insufficient_user_authentication\", acr_values=\"\(escaped)1\"")
            #expect(shown.hasPrefix("signInNeeded") && !shown.contains(Self.token), "\(shown)")
        }
    }

    @Test(
        "claims of a refusal that contain the refresh token are neither shown nor stored",
        arguments: ["rt/secret+refresh", "rt\\\\u002fsecret+ref\\\\u0072esh", "rt%2Fsecret%2Brefresh"])
    func refusesClaimsOfRefusal(spelling: String) async throws {
        try await withAccount { stage in
            stage.change { $0.response["refresh_token"] = "\"rt/secret+refresh\"" }
            _ = try await stage.signIn()
            stage.change {
                $0.refuseToken(
                    "interaction_required", "strange",
                    more: #","claims":"{\"access_token\":{\"x\":{\"value\":\"\#(spelling)\"}}}""#)
            }
            let shown = try await stage.shown { _ = try await stage.refresh(with: $0) }
            #expect(shown.hasPrefix("signInNeeded"), "\(shown)")
            for text in ["rt/secret", "secret+ref", "rt%2F", "u002f"] {
                #expect(!shown.contains(text), "\(text): \(shown)")
            }
            try await expectNoClaims(stage)
        }
    }

    private func expectNoClaims(_ stage: Stage) async throws {
        let accounts = try await stage.client.accounts()
        for account in accounts { #expect(try stage.store.pendingClaims(of: account.account) == nil) }
    }

    @Test("the reason of a refused id token hides the refresh token that it repeats", arguments: ["iss", "aud", "azp"])
    func hidesRefreshTokenInReason(claim: String) async throws {
        try await withAccount { stage in
            stage.change { $0.response["refresh_token"] = "\"rt.secret/refresh\"" }
            _ = try await stage.signIn()
            stage.change { $0.claims[claim] = "\"rt.secret/refresh\"" }
            let error = await expectRefusal(.invalidResponse, why: "“[hidden]”") { try await stage.refresh() }
            #expect(error?.description.contains("rt.secret") == false)
        }
    }
}
