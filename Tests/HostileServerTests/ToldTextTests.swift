import Susi
import SusiTestSupport
import Testing

/// A server that repeats the token, or chooses where it goes: in the log, in errors, and after a redirect.
@Suite("Told texts", .inTurn, .timeLimit(.minutes(5)))
struct ToldTextTests {
    // Valid as a path, a host's label and a header's name, and without the form of a secret.
    private static let token = "opaqueaccesstokenofada"

    private func withAccount(_ body: (Stage, SusiBinary) async throws -> Void) async throws {
        try await Stage.withProgram(at: .openid) { stage, _, susi async throws in
            stage.change {
                $0.claims["at_hash"] = .some(nil)
                $0.response["access_token"] = "\"\(Self.token)\""
                $0.discovery["userinfo_endpoint"] = "\"\($0.origin)/userinfo\""
                $0.userinfo = .text("{\"sub\":\"s1\"}", status: 200, ("X-Echo", Self.token))
            }
            _ = try await stage.signIn()
            try await body(stage, susi)
        }
    }

    private static func redirect(_ location: String) -> Reply {
        .response(status: 302, headers: [("Location", location)])
    }

    private static let headerName = Reply.bytes("HTTP/1.1 200 OK\r\n\(token): x\r\nContent-Length: 4\r\n\r\nfine")

    @Test(
        "neither the log nor an error shows a token that an API repeats: in a redirect, a host, or a header's name",
        arguments: [
            (["-v"], redirect("/api/\(token)/x?a=\(token)"), 0, "[hidden]"),
            (["--debug"], redirect("/api/\(token)"), 0, "[hidden]"),
            (["-v"], redirect("/elsewhere/\(token)"), 0, "[hidden]"),
            // Shortened by the server.
            (["--debug"], redirect("/api/xopaqueaccesstoken***"), 0, "[hidden]"),
            ([], redirect("https://\(token).invalid/x"), 3, "https://[hidden].invalid"),
            (["--debug"], redirect("https://\(token).invalid/x"), 3, "https://[hidden].invalid"),
            (["--debug"], headerName, 0, "< [hidden]: "),
        ] as [([String], Reply, Int32, String)])
    func hidesTokenOfAPI(options: [String], reply: Reply, status: Int32, said: String) async throws {
        try await withAccount { stage, susi in
            stage.change {
                $0.respond = { asked in
                    switch asked.path {
                    case "/api": reply
                    case "/token", "/keys", "/.well-known/openid-configuration": nil
                    default: .text("fine")
                    }
                }
            }
            let outcome = try await susi.command(["call", "hello"] + options).run().exits(status, saying: said)
            #expect(outcome.standardOutput == (status == 0 ? "fine" : ""), "\(outcome)")
            #expect(!outcome.standardError.contains("opaqueaccess"), "\(outcome)")
        }
    }

    @Test("--debug hides a token that the userinfo endpoint repeats")
    func hidesTokenOfProfile() async throws {
        try await withAccount { _, susi in
            let outcome = try await susi.run("status", "--profile", "--debug").exits(0, saying: "X-Echo: [hidden]")
            #expect(!outcome.standardError.contains(Self.token), "\(outcome)")
        }
    }

    @Test("neither an error nor the log of a later token request shows the password of an earlier one")
    func debugHidesSecretOfEarlierStep() async throws {
        try await Stage.withProgram(at: .external) { stage, _, susi async throws in
            stage.change {
                $0.native = NativeScript(.factor)
                let error = #"{"error":"strange","error_description":"saw swordfish"}"#
                $0.native[.introspect] = [.text(error, status: 400, ("X-Echo", "got swordfish"))]
            }
            let outcome = try await susi.run(
                "sign-in", "--username", "ada@example.com", "--password-stdin", "--code-command", "echo 86420975",
                "--debug", input: "swordfish\n")
            #expect(outcome.status != 0 && outcome.standardError.contains("X-Echo: got [hidden]"), "\(outcome)")
            #expect(!"\(outcome)".contains("swordfish"), "\(outcome)")
        }
    }

    @Test("a password reset within a sign-in carries none of the conditions of the sign-in")
    func resetsWithoutConditions() async throws {
        try await Stage.with(.b2c) { stage, _ in
            let client = try stage.client {
                $0.replacing(
                    "\"default\": true}",
                    with: "\"default\": true, \"idTokenHint\": true}, \"B2C_1_reset\": {\"kind\": \"passwordReset\"}")
            }
            _ = try await stage.signIn()
            stage.change {
                // The first one belongs to the sign-in before.
                $0.redirects += [
                    [("error", "access_denied"), ("error_description", "AADB2C90118: x"), ("state", "STATE")],
                    [("code", "of the reset"), ("state", "STATE")], [("code", "of the sign-in"), ("state", "STATE")],
                ]
                $0.claims = ["acr": "\"gold\"", "auth_time": "\(Provider.now)"]
            }
            let before = stage.server.asked.count
            var options = AuthorizationOptions(
                prompt: .login, domainHint: "contoso.com", maximumAge: 300, acrValues: "gold")
            try options.request(claims: #"{"id_token":{"email":null}}"#)
            _ = try await client.signIn(
                SignInRequest(api: "hello", options: options),
                through: SignInSurface(browser: FormBrowser(answers: [:]), timeout: 100))
            let asked = stage.server.asked[before...].filter { $0.path.hasSuffix("/authorize") }.map { asked in
                Set((FormEncoding.decode(asked.query) ?? []).map(\.name))
            }
            try #require(asked.count == 3)
            let conditions: Set = ["prompt", "id_token_hint", "claims", "acr_values", "max_age", "domain_hint"]
            #expect(asked[0].isSuperset(of: conditions) && asked[2].isSuperset(of: conditions), "\(asked)")
            #expect(asked[1].isDisjoint(with: conditions), "\(asked[1])")
        }
    }

    @Test(
        "what is probably wrong stands in the next step, where the same sign-in would fail again",
        arguments: [
            (["oid": nil, "sub": nil], "Object ID"),
            (["sub": "\"Not supported currently. Use oid claim.\"", "oid": nil], "Object ID"),
            (["aud": "\"other\""], "check clientId"), (["aud": "[\"\(Provider.client)\",\"other\"]"], "check clientId"),
        ] as [([String: String?], String)])
    func suggestsCheckAfterWrongClaims(claims: [String: String?], next: String) async throws {
        try await Stage.with(.b2c) { stage, _ in
            stage.change { $0.claims = claims }
            let error = await expectRefusal(.invalidResponse, next: next) { try await stage.signIn() }
            #expect(error?.next.contains("sign in") == false)
        }
    }

    @Test(
        "a browser that reaches the redirect address without a query is told, and so is the person; waiting continues")
    func tellsResponseInFragment() async throws {
        try await Stage.withProgram(at: .openid) { stage, _, susi async throws in
            let browser = try await BrowserCommand.capture(in: susi.home.folder)
            try await susi.command(["sign-in", "--browser", browser.command]).start { run in
                let url = try await browser.nextURL()
                let query = url.split(separator: "?", maxSplits: 1).last ?? ""
                let redirect = FormEncoding.decode(query)?.first { $0.name == "redirect_uri" }?.value
                // A browser does not send “#error=access_denied”.
                let page = try await PlainVisit.get(try #require(redirect))
                #expect(page.status == 404 && page.body.contains("“#”"), "\(page)")
                try await run.waitForLine(containing: "set the policy to answer in the query")
                try await FormBrowser(answers: [:]).open(url)
                try await run.waitUntilExit().exits(0)
            }
        }
    }

    @Test("after a revocation, each refresh says that the sign-in has ended")
    func saysThatSignInHasEnded() async throws {
        try await Stage.with(.openid) { stage, _ in
            _ = try await stage.signIn()
            stage.change { $0.refuseToken("invalid_grant", "revoked by the administrator") }
            await expectRefusal(.signInNeeded, why: "revoked by the administrator") { try await stage.refresh() }
            // Not that the token has expired.
            await expectRefusal(.signInNeeded, why: "the sign-in has ended") { try await stage.refresh() }
            #expect(stage.tokenRequests == 2)
        }
    }
}
