import SusiBase
import SusiPolicies
import Testing

@testable import SusiOAuth

@Suite("Messages")
struct MessageTests {
    static func request(prompt: Prompt? = nil, hint: String? = nil) throws -> AuthorizationRequest {
        AuthorizationRequest(
            authority: try Contoso.authority(), clientID: Contoso.client, redirectURI: "http://localhost:8400/",
            scopes: ScopeSet(["https://c/api/read"]),
            options: AuthorizationOptions(prompt: prompt, loginHint: hint))
    }

    static func fields(_ text: some StringProtocol) throws -> [String: String] {
        let fields = try #require(FormEncoding.decode(text))
        return try Dictionary(fields.map { ($0.name, $0.value) }) { _, _ in
            throw ProtocolViolation(.redirect, "twice", source: "")
        }
    }

    @Test func writesAuthorizationRequest() throws {
        let request = try Self.request()
        let parts = request.url(at: try Contoso.metadata().authorizationEndpoint).split(separator: "?")
        #expect(parts.count == 2)
        #expect(parts[0] == "\(Contoso.origin)/contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/authorize")
        #expect(
            try Self.fields(parts[1]) == [
                "client_id": Contoso.client, "response_type": "code", "redirect_uri": "http://localhost:8400/",
                "response_mode": "query", "scope": "https://c/api/read offline_access openid profile",
                "state": request.state, "nonce": request.nonce, "code_challenge": request.pkce.challenge,
                "code_challenge_method": "S256", "client_info": "1",
            ])
        #expect(!parts[1].contains(request.pkce.verifier))
        let values = [request.state, request.nonce, request.pkce.verifier, try Self.request().state]
        #expect(Set(values).count == 4)
    }

    @Test(arguments: Prompt.allCases)
    func addsPromptAndHint(prompt: Prompt) throws {
        let url = try Self.request(prompt: prompt, hint: "a+b@c").url(at: Endpoint("https://h"))
        let fields = try Self.fields(url.split(separator: "?")[1])
        #expect(fields["prompt"] == prompt.rawValue)
        #expect(fields["login_hint"] == "a+b@c")
        #expect(Prompt.selectAccount.rawValue == "select_account")
    }

    @Test func writesBodyOfCode() throws {
        let request = try Self.request()
        #expect(
            try Self.fields(TokenRequest.code("c&d", request: request).body) == [
                "grant_type": "authorization_code", "client_id": Contoso.client, "code": "c&d",
                "redirect_uri": "http://localhost:8400/", "code_verifier": request.pkce.verifier,
                "scope": "https://c/api/read offline_access openid profile", "client_info": "1",
            ])
    }

    @Test func writesBodyOfRefresh() throws {
        var fields = [
            "grant_type": "refresh_token", "client_id": Contoso.client, "refresh_token": "r+t", "client_info": "1",
        ]
        let all = TokenRequest.refresh("r+t", clientID: Contoso.client, scope: nil)
        #expect(try Self.fields(all.body) == fields)
        fields["scope"] = "x y"
        let some = TokenRequest.refresh("r+t", clientID: Contoso.client, scope: ScopeSet(["y", "x"]))
        #expect(try Self.fields(some.body) == fields)
    }

    @Test(
        arguments: [
            (.b2c, ["a"], [], ["a", "offline_access", "openid", "profile"], ["a"]),
            (.external, ["a"], [(["a"], ["b"])], ["a", "offline_access", "openid", "profile"], ["a"]),
            (.entra, [], [], ["offline_access", "openid", "profile"], []),
            // With a single token, its scopes are all that was granted.
            (.openid, ["a", "b"], [(["a", "b"], ["a"])], nil, ["a"]),
            (.openid, [], [(["a"], ["a"])], nil, []),
            // One of several APIs, and an API that has no token yet.
            (.openid, ["a", "b"], [(["a", "b"], ["a"]), (["c"], ["c"])], ["a", "openid"], ["a"]),
            (.openid, ["a"], [(["c"], ["c"])], ["a", "openid"], ["a"]),
            (.openid, ["a"], [], ["a", "openid"], ["a"]),
        ] as [(AuthorityKind, [String], [([String], [String])], [String]?, [String])])
    func decidesScopesOfRefresh(
        kind: AuthorityKind, wanted: [String], known: [([String], [String])], asked: [String]?, unsaid: [String]
    ) {
        let scope = RefreshScope(
            ScopeSet(wanted), at: kind, known: known.map { (asked: ScopeSet($0.0), granted: ScopeSet($0.1)) })
        #expect(scope.asked == asked.map { ScopeSet($0) })
        #expect(scope.unsaid == ScopeSet(unsaid))
    }

    @Test func readsCode() throws {
        #expect(try Self.response("client_info=x&state=S&code=a%2Bb") == .code("a+b"))
        #expect(try Self.response("code=c&state=S&session_state=x&error_uri=javascript:1&id_token=a.b.c") == .code("c"))
    }

    /// Parses a redirect; `S` in the text stands for the state of the request.
    static func response(_ text: String, metadata: [String: String?] = [:]) throws -> AuthorizationResponse? {
        let request = try request()
        return try AuthorizationResponse(
            form: text.replacing("=S", with: "=\(request.state)"), to: request, from: try Contoso.metadata(metadata))
    }

    @Test func prefersErrorToCode() throws {
        let query =
            "error=access_denied&error_description=AADB2C90118%3a+forgot%0d%0aCorrelation+ID%3a+x&state=S&code=c"
        guard case .refused(let refusal) = try Self.response(query) else {
            Issue.record("a code was taken from an error")
            return
        }
        #expect(refusal.code == "AADB2C90118")
        #expect(refusal.correlationID == "x")
        #expect(refusal.consequence == .resetPassword)
    }

    @Test(
        arguments: [
            "code=c&state=t", "code=c", "code=c&state=", "code=c&state=%53", "code=c&state=S&state=S",
            "state=t&code=c&state=S",
            "error=e&state=t", "code=%&state=S", "code=%ff&state=S", "",
        ])
    func ignoresOtherResponses(query: String) throws { #expect(try Self.response(query) == nil) }

    @Test func ignoresEndlessText() throws {
        #expect(try Self.response("state=S&code=c&x=" + String(repeating: "x", count: 65_536)) == nil)
    }

    static let longCode = String(repeating: "c", count: 16_385)

    @Test(
        arguments: [
            ("code=c&code=c&state=S", "duplicate parameter “code”"),
            ("error=a&error=b&state=S", "duplicate parameter “error”"),
            ("code=c&state=S&x=1&x=2", "duplicate parameter “x”"), ("state=S", "neither"), ("state=S&code=", "neither"),
            ("state=S&response=a.b.c", "neither"), ("state=S&code=a%00b", "characters"),
            ("state=S&code=%C3%A4", "characters"),
            ("state=S&code=\(longCode)", "longer"), ("state=S&code=c&iss=", "iss is"),
            ("state=S&code=c&iss=https://evil.example/", "iss is"),
            ("state=S&error=access_denied&iss=https://evil.example/", "iss is"),
        ])
    func rejectsInvalidResponses(query: String, reason: String) throws {
        let error = try #require(throws: ProtocolViolation.self) { try Self.response(query) }
        #expect(error.reason.contains(reason), "\(error.reason)")
        #expect(error.subject == .redirect)
    }

    @Test func checksIssuerOfRedirect() throws {
        let issuer = FormEncoding.encode([("iss", Contoso.issuer)])
        let promise = ["authorization_response_iss_parameter_supported": "true"]
        #expect(try Self.response("state=S&code=c&\(issuer)") == .code("c"))
        #expect(try Self.response("state=S&code=c&\(issuer)", metadata: promise) == .code("c"))
        let error = try #require(throws: ProtocolViolation.self) {
            try Self.response("state=S&code=c", metadata: promise)
        }
        #expect(error.source == "RFC 9207 2.4")
        #expect(throws: ProtocolViolation.self) { try Self.response("state=S&code=c&\(issuer)%2F") }
    }

    @Test(
        "any tenant of an authority for several may respond",
        arguments: [
            ("https://login.microsoftonline.com/\(Contoso.guid)/v2.0", true),
            ("https://login.microsoftonline.com/contoso.example/v2.0", false),
            ("https://evil.example/\(Contoso.guid)/v2.0", false),
        ])
    func checksIssuerOfSeveralTenants(issuer: String, isAccepted: Bool) throws {
        let (world, redirect) = ("https://login.microsoftonline.com", "http://localhost:8400/")
        let common = try KindTokenTests.authority(.entra, "\(world)/common")
        let request = AuthorizationRequest(
            authority: common, clientID: Contoso.client, redirectURI: redirect, scopes: ScopeSet([]),
            options: AuthorizationOptions())
        let metadata = try KindTokenTests.metadata(common, "\(world)/{tenantid}/v2.0", at: "\(world)/common")
        let form = FormEncoding.encode([("code", "c"), ("state", request.state), ("iss", issuer)])
        let response = try? AuthorizationResponse(form: form, to: request, from: metadata)
        #expect(response == (isAccepted ? .code("c") : nil))
    }

    @Test func readsMetadata() throws {
        let metadata = try Contoso.metadata()
        #expect(metadata.tenantID == Contoso.guid)
        #expect(
            try metadata.endpoint(.endSession)?.address.path == "/contoso.onmicrosoft.com/B2C_1_susi/oauth2/v2.0/logout"
        )
        #expect(try Contoso.metadata(["end_session_endpoint": nil]).endpoint(.endSession) == nil)
        let policy = "\(Contoso.origin)/tfp/\(Contoso.guid)/b2c_1_susi/v2.0/"
        #expect(try Contoso.metadata(["issuer": "\"\(policy)\""]).issuer == policy)
    }

    static let metadataChanges: [(key: String, value: String?, reason: String)] = [
        ("issuer", nil, "no issuer"), ("issuer", "5", "no issuer"),
        ("issuer", "\"\(Contoso.origin)/\"", "does not match"),
        ("issuer", "\"https://evil.com/\(Contoso.guid)/v2.0/\"", "does not match"),
        ("issuer", "\"\(Contoso.origin)/tfp/\(Contoso.guid)/B2C_1_reset/v2.0/\"", "does not match"),
        ("authorization_endpoint", nil, "no authorization_endpoint"), ("token_endpoint", nil, "no token_endpoint"),
        ("jwks_uri", nil, "no jwks_uri"), ("jwks_uri", "null", "no jwks_uri"), ("jwks_uri", "[]", "is not an address"),
        ("token_endpoint", "\"/token\"", "is not an address"),
        ("authorization_endpoint", "\"https://evil.com/a\"", "is at https://evil.com"),
        ("token_endpoint", "\"https://contoso.b2clogin.com.evil.com/t\"", "is at"),
        ("token_endpoint", "\"http://contoso.b2clogin.com/t\"", "is at"),
        ("jwks_uri", "\"https://contoso.b2clogin.com:8443/k\"", "is at"),
    ]

    @Test(arguments: metadataChanges)
    func rejectsInvalidMetadata(key: String, value: String?, reason: String) throws {
        let error = try #require(throws: ProtocolViolation.self) { try Contoso.metadata([key: value]) }
        #expect(error.reason.contains(reason), "\(error.reason)")
    }

    @Test(arguments: ["", "<html>", "[]", "null"])
    func rejectsMetadataThatIsNotJSON(text: String) throws {
        let authority = try Contoso.authority()
        #expect(throws: ProtocolViolation.self) { try ProviderMetadata(parsing: Array(text.utf8), of: authority) }
    }

    @Test func readsTokenResponse() throws {
        let text = """
            {"id_token":"i","access_token":"a","token_type":"bearer","expires_in":"3600","refresh_in":1800.0,
            "refresh_token":"r","refresh_token_expires_in":"1209600","scope":"b a","client_info":"c","not_before":"1"}
            """
        let response = try TokenResponse(parsing: Array(text.utf8), status: 200)
        #expect(response.idToken == "i" && response.accessToken == "a" && response.refreshToken == "r")
        #expect(response.expiresIn == 3600 && response.refreshIn == 1800 && response.refreshTokenExpiresIn == 1_209_600)
        #expect(response.scopes == ScopeSet(["a", "b"]) && response.clientInfo == "c")
    }

    @Test func acceptsResponseWithoutAccessToken() throws {
        let response = try TokenResponse(
            parsing: Array(#"{"id_token":"i","scope":"","refresh_token":""}"#.utf8), status: 200)
        #expect(response.accessToken == nil && response.expiresIn == nil && response.refreshToken == nil)
        #expect(response.scopes?.isEmpty == true)
    }

    @Test(
        arguments: [
            ("\n <html>Sign in</html>", 200, "a page"), ("", 200, "not JSON"), ("[]", 200, "found a list"),
            ("\u{feff}{}", 200, "not JSON"), (#"{"id_token":"i","id_token":"j"}"#, 200, "duplicate key"),
            ("{", 200, "not JSON"),
            (#"{"id_token":5}"#, 200, "id_token: expected a string, found a number"),
            (#"{"access_token":{}}"#, 200, "access_token: expected a string, found an object"),
            (#"{"refresh_token":["r"]}"#, 200, "refresh_token: expected a string, found a list"),
            (#"{"scope":["a"]}"#, 200, "scope: expected a string, found a list"),
            (#"{"access_token":"a\r\nX: y","token_type":"Bearer"}"#, 200, "characters"),
            (#"{"refresh_token":"ä"}"#, 200, "characters"), (#"{"error":5,"id_token":"i"}"#, 200, "error is not text"),
            (#"{"error":{"code":"x"}}"#, 400, "error is not text"), ("", 403, "status 403"), ("", 204, "status 204"),
            (#"{"id_token":"i","access_token":"a"}"#, 200, "token_type"),
            (#"{"id_token":"i","access_token":"a","token_type":"mac"}"#, 200, "token_type"),
            ("<html>", 500, "status 500"), (#"{"id_token":"i"}"#, 400, "status 400"),
            (#"{"error":"invalid_grant"}"#, 307, "redirect (status 307)"),
        ])
    func rejectsInvalidTokenResponses(text: String, status: Int, reason: String) throws {
        let error = try #require(throws: ProtocolViolation.self) {
            try TokenResponse(parsing: Array(text.utf8), status: status)
        }
        #expect(error.reason.contains(reason), "\(error.reason)")
    }

    @Test(arguments: [200, 400, 500])
    func readsErrorWithAnyStatus(status: Int) throws {
        let text = #"{"error":"invalid_grant","error_description":"AADB2C90080: ended\r\nCorrelation ID: c\r\n"}"#
        let error = try #require(throws: ServerRefusal.self) {
            try TokenResponse(parsing: Array(text.utf8), status: status)
        }
        #expect(error.error == "invalid_grant" && error.code == "AADB2C90080" && error.correlationID == "c")
    }

    @Test func readsClientInfo() throws {
        let encoded = Base64URL.encode(#"{"uid":"o-b2c_1_susi","utid":"t"}"#.utf8)
        #expect(try ClientInfo(decoding: encoded).uid == "o-b2c_1_susi")
        #expect(try ClientInfo(decoding: encoded + "=").utid == "t")
        for text in ["", "???", Base64URL.encode("{}".utf8), Base64URL.encode(#"{"uid":"o"}"#.utf8)] {
            #expect(throws: ProtocolViolation.self) { try ClientInfo(decoding: text) }
        }
    }
}
