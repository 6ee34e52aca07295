import AsyncHTTPClient
import Crypto
import NIOCore
import Susi
import SusiTestSupport
import Testing

/// Requirements of the OpenID Foundation's test plans for clients, RFC 8628 and RFC 9700.
@Suite("Relying party", .inTurn, .timeLimit(.minutes(5)))
struct RelyingPartyTests {
    /// Signs in with a browser that follows redirects and posts forms.
    private static func signIn(_ susi: SusiBinary, _ arguments: String...) async throws -> ProgramOutcome {
        let browser = try await BrowserCommand.capture(in: susi.home.folder)
        return try await susi.command(["sign-in", "--browser", browser.command] + arguments).start { run in
            try await FormBrowser(answers: [:]).open(try await browser.nextURL())
            return try await run.waitUntilExit()
        }
    }

    @Test(
        "the audience may spell the client id in another case where it is a GUID, and nowhere else",
        arguments: [(Provider.entra, true), (.openid, false)])
    func comparesAudience(provider: Provider, isAccepted: Bool) async throws {
        try await Stage.with(provider) { stage, _ in
            let id = "aaaaaaaa-0000-4000-8000-0000000000aa"
            let client = try stage.client { $0.replacing(Provider.client, with: id.uppercased()) }
            stage.change { $0.claims["aud"] = "\"\(id)\"" }
            let result = await Result { () async throws(SusiError) in
                try await stage.signIn(SignInRequest(api: "hello"), with: client)
            }
            switch result {
            case .success: #expect(isAccepted)
            case .failure(let error): #expect(!isAccepted && error.code == .invalidResponse)
            }
        }
    }

    @Test("another audience is accepted if the policy trusts it", arguments: [true, false])
    func trustsAudiencesOfPolicy(isListed: Bool) async throws {
        try await Stage.with(.b2c) { stage, _ in
            let client = try stage.client {
                $0.replacing("\"default\"", with: "\"trustedAudiences\": [\"\(isListed ? "x" : "y")\"], \"default\"")
            }
            stage.change {
                $0.claims["aud"] = "[\"\(Provider.client)\",\"x\"]"
                $0.claims["azp"] = "\"\(Provider.client)\""
            }
            let result = await Result { () async throws(SusiError) in
                try await stage.signIn(SignInRequest(api: "hello"), with: client)
            }
            #expect(((try? result.get()) != nil) == isListed, "\(result)")
        }
    }

    private static func fields(_ text: String) -> [String: String] {
        Dictionary((FormEncoding.decode(text) ?? []).map { ($0.name, $0.value) }) { first, _ in "\(first) TWICE" }
    }

    @Test("userinfo of another subject, or of none, is rejected")
    func rejectsUserinfoOfAnotherSubject() async throws {
        try await Stage.with(.openid) { stage, _ in
            stage.change {
                $0.discovery["userinfo_endpoint"] = "\"\($0.origin)/userinfo\""
                $0.userinfo = .text(#"{"sub":"s1","email":"ada@example.com"}"#)
            }
            _ = try await stage.signIn(SignInRequest(api: "hello", scopes: ["email"]), with: stage.client)
            #expect(stage.asked("scope", at: "authorize")?.split(separator: " ").contains("email") == true)
            let own = try await stage.client.profile()
            #expect(own.claims == #"{"sub":"s1","email":"ada@example.com"}"#)
            for subject in [#""sub":"s2","#, #""sub":"S1","#, #""sub":["s1"],"#, ""] {
                stage.change { $0.userinfo = .text("{\(subject)\"email\":\"mallory@example.com\"}") }
                let refused = await #expect(throws: SusiError.self) {
                    try await stage.client.profile(of: AccountSelection())
                }
                #expect(refused?.code == .differentPerson && refused?.description.contains("mallory") == false)
            }
        }
    }

    @Test("distributed claims of an id token or of userinfo are not fetched")
    func neverFetchesDistributedClaims() async throws {
        try await Stage.with(.openid) { stage, elsewhere in
            let sources = { (origin: String) in
                #""_claim_names":{"credit":"a"},"_claim_sources":{"a":{"endpoint":"\#(origin)/c","access_token":"x"}}"#
            }
            stage.change {
                $0.discovery["userinfo_endpoint"] = "\"\($0.origin)/userinfo\""
                $0.userinfo = .text("{\"sub\":\"s1\",\(sources($0.elsewhere))}")
                $0.claims["_claim_sources"] = "{\"a\":{\"endpoint\":\"\($0.elsewhere)/c\"}}"
            }
            _ = try await stage.signIn()
            _ = try await stage.client.profile(of: AccountSelection())
            #expect(elsewhere.connections == 0)
        }
    }

    @Test("tokens, codes and verifiers are sent in a header or a body, never in an address")
    func sendsSecretsInHeaderOrBodyOnly() async throws {
        try await Stage.withProgram { stage, _, susi async throws in
            stage.change {
                $0.discovery["userinfo_endpoint"] = "\"\($0.origin)/userinfo\""
                $0.userinfo = .text(#"{"sub":"s1"}"#)
                $0.apiReplies = [.text("fine")]
            }
            #expect(try await Self.signIn(susi).status == 0)
            #expect(try await susi.run("status", "--profile").status == 0)
            #expect(try await susi.run("token", "hello", "--refresh").status == 0)
            #expect(try await susi.run("call", "hello", "--json").status == 0)
            let asked = stage.server.asked
            let bearers = asked.filter { ["/userinfo", "/api"].contains($0.path) }.map(\.authorization)
            #expect(bearers.count == 2 && bearers.allSatisfy { $0?.hasPrefix("Bearer at-") == true }, "\(bearers)")
            #expect(asked.contains { $0.body.contains("code=code-1") } && asked.contains { $0.body.contains("rt-1") })
            for request in asked {
                let names = Set(Self.fields(request.query).keys)
                let secret: Set = ["access_token", "refresh_token", "code", "code_verifier", "id_token"]
                #expect(names.isDisjoint(with: secret), "\(request.target)")
                #expect(!Self.fields(request.query).values.contains { ["at-1", "rt-1", "code-1"].contains($0) })
                #expect(request.method == "POST" || request.body.isEmpty)
            }
            #expect(Set(asked.filter { $0.method == "POST" }.map(\.path)) == ["/oauth2/v2.0/token"])
        }
    }

    private static func request(_ mutate: (inout AuthorizationOptions) -> Void) -> SignInRequest {
        var request = SignInRequest(api: "hello")
        mutate(&request.options)
        return request
    }

    /// Signs in with a browser that posts forms too.
    private static func signIn(_ stage: Stage, _ request: SignInRequest) async throws(SusiError) -> SignInResult {
        let browser = FormBrowser(answers: [:])
        return try await stage.client.signIn(request, through: SignInSurface(browser: browser, timeout: 100))
    }

    @Test("with response mode form_post, an error is read from a form and from the query", arguments: [true, false])
    func readsErrorPostedOrInQuery(isPosted: Bool) async throws {
        try await Stage.with(.openid) { stage, _ async throws in
            stage.change {
                $0.postsAnswers = isPosted
                $0.refuse("login_required", "no session")
            }
            let request = Self.request {
                $0.responseMode = .formPost
                $0.prompt = Prompt.none
                $0.maximumAge = 0
            }
            let error = await #expect(throws: SusiError.self) { try await Self.signIn(stage, request) }
            #expect(error?.code == .signInNeeded && error?.description.contains("no session") == true)
            for (name, value) in ["response_mode": "form_post", "prompt": "none", "max_age": "0"] {
                #expect(stage.asked(name, at: "authorize") == value)
            }
            #expect(stage.tokenRequests == 0)
            #expect(try await stage.client.accounts().isEmpty)
        }
    }

    @Test("with response mode form_post, a code is accepted from a form and from the query", arguments: [true, false])
    func acceptsCodePostedOrInQuery(isPosted: Bool) async throws {
        try await Stage.with(.openid) { stage, _ in
            stage.change { $0.postsAnswers = isPosted }
            _ = try await Self.signIn(stage, Self.request { $0.responseMode = .formPost })
            #expect(stage.tokenRequests == 1)
        }
    }

    @Test("each request has a new state, nonce and verifier, also after a refused one")
    func usesNewValuesForEachRequest() async throws {
        try await Stage.with(.openid) { stage, _ in
            _ = try await stage.signIn()
            let refused = [(name: "error", value: "access_denied"), (name: "state", value: "STATE")]
            stage.change { $0.redirects = [refused] }
            await #expect(throws: SusiError.self) { try await Self.signIn(stage, SignInRequest(api: "hello")) }
            stage.change { $0.redirect(("code", "code-1"), ("state", "STATE")) }
            _ = try await stage.signIn()

            let requests = stage.server.asked.filter { $0.path.hasSuffix("/authorize") }.map { Self.fields($0.query) }
            let values = ["state", "nonce", "code_challenge"].flatMap { name in requests.compactMap { $0[name] } }
            #expect(requests.count == 3 && values.count == 9 && Set(values).count == 9)
            // 43 characters of base64url are 256 bits.
            #expect(values.allSatisfy { $0.utf8.count >= 43 }, "\(values)")
            #expect(requests.allSatisfy { $0["code_challenge_method"] == "S256" })
            let verifiers = stage.server.asked.filter { $0.path.hasSuffix("/token") }
                .compactMap { Self.fields($0.body)["code_verifier"] }
            let challenges = verifiers.map { Base64URL.encode(SHA256.hash(data: Array($0.utf8))) }
            #expect(challenges == [requests[0]["code_challenge"], requests[2]["code_challenge"]])
        }
    }

    @Test("a response with the same state is accepted once")
    func acceptsEachStateOnce() async throws {
        try await Stage.withProgram { stage, _, susi async throws in
            let browser = try await BrowserCommand.capture(in: susi.home.folder)
            try await susi.command(["sign-in", "--browser", browser.command]).start { run in
                let url = try await browser.nextURL()
                // The provider returns a form instead of a redirect, so that the test can send the response twice.
                stage.change { $0.postsAnswers = true }
                _ = try await HTTPClient.shared.execute(HTTPClientRequest(url: url), timeout: .seconds(60))
                let redirect = try #require(stage.asked("redirect_uri", at: "authorize"))
                let state = try #require(stage.asked("state", at: "authorize"))
                let response = try Endpoint("\(redirect)?code=code-1&state=\(state)")
                async let first = try? WebClient.with { try await $0.get(response) }.status
                async let second = try? WebClient.with { try await $0.get(response) }.status
                let statuses = [await first, await second]
                #expect(statuses.filter { $0 == 303 }.count == 1, "\(statuses)")
                #expect(try await run.waitUntilExit().status == 0)
            }
            #expect(stage.tokenRequests == 1)
        }
    }

    /// Returns a device authorization response; the complete verification address ends in `?code`.
    static func deviceCode(_ userCode: String, _ address: String) -> Reply {
        let codes = #""device_code":"dc-1","user_code":"\#(userCode)""#
        let addresses = #""verification_uri":"\#(address)","verification_uri_complete":"\#(address)?code""#
        return .text("{\(codes),\(addresses),\"expires_in\":60,\"interval\":1}")
    }

    @Test(
        "an error of the token endpoint ends the device flow without a further request",
        arguments: [
            ("expired_token", "", 3), ("something_new", #"\u001b[31mred\u202e"#, 1),
        ] as [(String, String, Int32)])
    func stopsPollingAfterError(error: String, description: String, status: Int32) async throws {
        try await Stage.withProgram { stage, _, susi async throws in
            stage.change {
                $0.discovery["device_authorization_endpoint"] = "\"\($0.origin)/device\""
                $0.device = Self.deviceCode(#"AB\u001b]0;x\u0007CD\u202e"#, "\($0.origin)/visit")
                $0.refuseToken(error, description)
            }
            let outcome = try await susi.run("sign-in", "--device").exits(
                status, saying: "\(stage.server.origin)/visit\n", "\(stage.server.origin)/visit?code\n", "AB", "CD")
            let text = outcome.standardOutput + outcome.standardError
            let controls = text.unicodeScalars.filter { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202e }
            #expect(controls.isEmpty, "\(outcome)")
            #expect(!text.contains("dc-1") && stage.tokenRequests == 1)
            let asked = try #require(stage.server.asked.first { $0.path == "/device" })
            #expect(asked.method == "POST" && Self.fields(asked.body)["client_id"] == Provider.client)
            #expect(try await stage.client.accounts().isEmpty)
        }
    }
}
