import SusiOAuth
import SusiPolicies
import Testing

/// The messages of native authentication (External ID).
@Suite("Native authentication")
struct NativeMessageTests {
    private static let requests: [(NativeRequest, NativeStep, String)] = [
        (
            .initiate(username: "ana+x@contoso.example"), .initiate,
            "client_id=c1&username=ana%2Bx%40contoso.example&challenge_type=password%20oob%20redirect"
                + "&capabilities=mfa_required"
        ),
        (
            .challenge(method: nil, continuation: "t1"), .challenge,
            "client_id=c1&challenge_type=password%20oob%20redirect&continuation_token=t1"
        ),
        (
            .challenge(method: "m&1", continuation: "t1"), .challenge,
            "client_id=c1&challenge_type=password%20oob%20redirect&id=m%261&continuation_token=t1"
        ),
        (.introspect(continuation: "t1"), .introspect, "client_id=c1&continuation_token=t1"),
        (
            .token(.password("p&w"), scopes: ScopeSet(["api/read"]), continuation: "t1"), .token,
            "client_id=c1&grant_type=password&password=p%26w&scope=api%2Fread%20offline_access%20openid%20profile"
                + "&continuation_token=t1&client_info=1"
        ),
        (
            .token(.code("123"), scopes: ScopeSet([]), continuation: "t1"), .token,
            "client_id=c1&grant_type=oob&oob=123&scope=offline_access%20openid%20profile&continuation_token=t1"
                + "&client_info=1"
        ),
        (
            .token(.factorCode("123"), scopes: ScopeSet([]), continuation: "t1"), .token,
            "client_id=c1&grant_type=mfa_oob&oob=123&scope=offline_access%20openid%20profile&continuation_token=t1"
                + "&client_info=1"
        ),
    ]

    @Test(arguments: requests)
    func writesRequest(request: NativeRequest, step: NativeStep, body: String) {
        #expect(request.step == step && request.body(clientID: "c1") == body)
    }

    @Test("no request shows a secret in a log", arguments: requests.map(\.0))
    func logsNoSecret(request: NativeRequest) {
        let shown = Redaction.form(request.body(clientID: "c1"))
        for secret in ["t1", "p&w", "123", "ana"] { #expect(!shown.contains(secret), "\(shown)") }
        #expect(shown.hasPrefix("client_id=c1&"))
    }

    @Test func endpointsAreBelowAuthority() throws {
        func endpoint(_ kind: AuthorityKind, _ base: String) throws -> String? {
            Authority(kind: kind, base: try WebAddress(base), policy: PolicyName("default"))
                .nativeEndpoint(NativeStep.challenge.rawValue)?.description
        }
        let path = "contoso.onmicrosoft.com/oauth2/v2.0/challenge"
        #expect(try endpoint(.external, "https://contoso.ciamlogin.com") == "https://contoso.ciamlogin.com/\(path)")
        #expect(
            try endpoint(.external, "https://login.contoso.example/contoso.onmicrosoft.com")
                == "https://login.contoso.example/\(path)")
        for kind in AuthorityKind.allCases where kind != .external {
            #expect(try endpoint(kind, "https://login.contoso.example/contoso.onmicrosoft.com") == nil)
            #expect(!kind.traits.hasNativeAuthentication)
        }
    }

    // MARK: Responses

    private static func read(_ json: String, _ step: NativeStep, status: Int = 200) throws -> NativeResponse {
        try NativeResponse(parsing: Array(json.utf8), status: status, to: step)
    }

    @Test func readsFirstSteps() throws {
        #expect(try Self.read(#"{"continuation_token":"t1"}"#, .initiate) == .started(continuation: "t1"))
        #expect(
            try Self.read(#"{"continuation_token":"t2","challenge_type":"password"}"#, .challenge)
                == .password(continuation: "t2"))
    }

    @Test func readsSentCode() throws {
        let response = try Self.read(
            """
            {"continuation_token":"t2","challenge_type":"oob","binding_method":"prompt","challenge_channel":"email",\
            "challenge_target_label":"a***@contoso.example ","code_length":8}
            """, .challenge)
        guard case .code(let sent, continuation: "t2") = response else {
            Issue.record("\(response)")
            return
        }
        #expect(sent.channel == "email" && sent.recipient == "a***@contoso.example" && sent.length == 8)
    }

    @Test("texts about a code are optional and limited")
    func readsBareCode() throws {
        let long = String(repeating: "a", count: 5_000)
        let members = [
            "", #","challenge_target_label":7,"challenge_channel":[],"code_length":-1"#,
            #","challenge_target_label":"","code_length":9999999"#, ",\"challenge_target_label\":\"\(long)\"",
        ]
        for more in members {
            let json = "{\"continuation_token\":\"t\",\"challenge_type\":\"oob\"\(more)}"
            guard case .code(let sent, continuation: "t") = try Self.read(json, .challenge) else {
                Issue.record("\(more)")
                continue
            }
            #expect(sent.channel == nil && sent.length == nil && (sent.recipient?.utf8.count ?? 0) < 400)
        }
    }

    @Test("methods without codes are left out; email is preferred")
    func readsMethods() throws {
        let response = try Self.read(
            """
            {"continuation_token":"t3","methods":[{"id":"m0","challenge_type":"totp"},\
            {"id":"m1","challenge_type":"oob","challenge_channel":"sms"},{"challenge_type":"oob"},7,\
            {"id":"m2","challenge_type":"oob","challenge_channel":"email"},{"id":"\\u001b[2J","challenge_type":"oob"}]}
            """, .introspect)
        guard case .methods(let methods, continuation: "t3") = response else {
            Issue.record("\(response)")
            return
        }
        #expect(methods.map(\.id) == ["m1", "m2"] && methods.preferred?.id == "m2")
        #expect(methods.prefix(1).map(\.self).preferred?.id == "m1" && [NativeMethod]().preferred == nil)
    }

    @Test("a browser takes precedence over tokens, in every step", arguments: NativeStep.allCases)
    func readsRedirect(step: NativeStep) throws {
        let json = """
            {"challenge_type":"redirect","redirect_reason":"Why","continuation_token":"t","access_token":"a",\
            "token_type":"Bearer","id_token":"i"}
            """
        #expect(try Self.read(json, step) == .redirect(reason: "Why"))
        #expect(try Self.read(#"{"challenge_type":"redirect"}"#, step) == .redirect(reason: ""))
        #expect(throws: ProtocolViolation.self) { try Self.read(json, step, status: 400) }
    }

    @Test func readsTokens() throws {
        let json = #"{"token_type":"Bearer","access_token":"a","id_token":"i","refresh_token":"r","expires_in":60}"#
        guard case .tokens(let tokens) = try Self.read(json, .token) else {
            Issue.record("no tokens")
            return
        }
        #expect(tokens.accessToken == "a" && tokens.idToken == "i" && tokens.expiresIn == 60)
    }

    private static let factor = """
        {"error":"invalid_grant","suberror":"mfa_required","error_codes":[50076],"error_description":"AADSTS50076: x",\
        "continuation_token":"t4"}
        """

    @Test("only the token endpoint asks for a second factor, with a token to continue")
    func readsDemandForFactor() throws {
        #expect(try Self.read(Self.factor, .token, status: 400) == .factor(continuation: "t4"))
        #expect(throws: ServerRefusal.self) { try Self.read(Self.factor, .challenge, status: 400) }
        let others = Self.factor.replacing("invalid_grant", with: "invalid_request")
        #expect(throws: ServerRefusal.self) { try Self.read(others, .token, status: 400) }
        let ended = Self.factor.replacing("continuation_token", with: "other")
        #expect(throws: ProtocolViolation.self) { try Self.read(ended, .token, status: 400) }
    }

    @Test(
        arguments: [
            ("{}", .initiate), (#"{"continuation_token":""}"#, .initiate), (#"{"continuation_token":7}"#, .initiate),
            (#"{"continuation_token":"a","continuation_token":"b"}"#, .initiate),
            (#"{"continuation_token":"a\nb"}"#, .initiate), ("[]", .initiate), ("<html>", .initiate),
            ("", .initiate), (#"{"continuation_token":"a"#, .initiate),
            ("{\"continuation_token\":\"\(String(repeating: "a", count: 20_000))\"}", .initiate),
            (#"{"continuation_token":"t"}"#, .challenge), (#"{"challenge_type":"password"}"#, .challenge),
            (#"{"challenge_type":"oob"}"#, .challenge), (#"{"challenge_type":7,"continuation_token":"t"}"#, .challenge),
            (#"{"challenge_type":"otp","continuation_token":"t"}"#, .challenge),
            (#"{"continuation_token":"t"}"#, .introspect), (#"{"methods":[]}"#, .introspect),
            (#"{"methods":{},"continuation_token":"t"}"#, .introspect), (#"{"error":7}"#, .token),
            (#"{"error":{},"access_token":"a"}"#, .initiate),
        ] as [(String, NativeStep)])
    func rejectsMalformedResponse(json: String, step: NativeStep) {
        #expect(throws: ProtocolViolation.self) { try Self.read(json, step) }
    }

    @Test(arguments: NativeStep.allCases)
    func rejectsOtherStatus(step: NativeStep) {
        let json = #"{"continuation_token":"t","challenge_type":"oob","methods":[],"token_type":"Bearer"}"#
        for status in [201, 204, 301, 307, 308, 400, 401, 404, 500] {
            #expect(throws: ProtocolViolation.self) { try Self.read(json, step, status: status) }
        }
        let error = #expect(throws: ProtocolViolation.self) {
            try Self.read(#"{"error":"invalid_grant"}"#, step, status: 307)
        }
        #expect(error?.reason == "redirect (status 307) not followed")
    }

    @Test("an error takes precedence, whatever the status is", arguments: NativeStep.allCases)
    func readsError(step: NativeStep) {
        for status in [200, 400, 404] {
            #expect(throws: ServerRefusal.self) {
                try Self.read(#"{"error":"invalid_grant","continuation_token":"t"}"#, step, status: status)
            }
        }
    }

    // MARK: Refusals

    private static func refusal(
        _ error: String, _ suberror: String?, _ described: Int, _ numbers: [Int]
    ) throws -> ServerRefusal {
        let sub = suberror.map { ",\"suberror\":\"\($0)\"" } ?? ""
        let json = """
            {"error":"\(error)"\(sub),"error_description":"AADSTS\(described): Text.","error_codes":\(numbers)}
            """
        return try #require(TokenResponse.refusal(in: Array(json.utf8)))
    }

    @Test("901007 in a description is a placeholder: the list decides")
    func readsNumberFromList() throws {
        let password = try Self.refusal("invalid_grant", nil, 901_007, [50_126])
        #expect(password.code == "AADSTS50126" && password.row?.name == "AADSTS50126")
        let expired = try Self.refusal("expired_token", nil, 901_007, [552_003])
        #expect(expired.row?.name == "AADSTS552003" && expired.isExpiredSession)
        // Of several known numbers, the description names the one that counts.
        #expect(try Self.refusal("invalid_grant", nil, 50_076, [50_126, 50_076]).code == "AADSTS50076")
        // A list of unknown numbers says less than the description.
        #expect(try Self.refusal("invalid_grant", nil, 50_126, [1]).code == "AADSTS50126")
        #expect(try Self.refusal("invalid_grant", nil, 50_126, []).code == "AADSTS50126")
    }

    @Test func explainsRefusals() throws {
        let disabled = try Self.refusal("invalid_client", "nativeauthapi_disabled", 7_000_218, [7_000_218])
        #expect(disabled.isNativeDisabled && disabled.consequence == .misconfigured)
        #expect(disabled.row?.name == "nativeauthapi_disabled")
        let code = try Self.refusal("invalid_grant", "invalid_oob_value", 50_181, [50_181])
        #expect(code.isWrongCode && code.consequence == .interact && !code.isUnknownUser)
        for (number, isWrong) in [(50_126, true), (50_076, false), (50_181, false)] {
            #expect(try Self.refusal("invalid_grant", nil, number, [number]).isWrongPassword == isWrong, "\(number)")
        }
        for (error, text, isWrong) in [
            ("access_denied", "AADB2C90225: x", true), ("invalid_grant", "AADB2C90114: x", false),
            ("invalid_grant", "x", true), ("access_denied", "x", false), ("invalid_client", "x", false),
        ] {
            #expect(ServerRefusal(error: error, description: text).isWrongPassword == isWrong, "\(error) \(text)")
        }
        for number in [1_003_037, 1_003_034, 50_034] {
            let unknown = try Self.refusal("user_not_found", nil, number, [number])
            #expect(unknown.isUnknownUser && unknown.consequence == .interact, "\(number)")
        }
        #expect(try Self.refusal("invalid_grant", "registration_required", 50_079, [50_079]).needsPage)
        let challenge = try Self.refusal("unsupported_challenge_type", nil, 901_007, [901_007])
        #expect(challenge.row?.name == "AADSTS901007" && challenge.consequence == .failed)
    }
}
