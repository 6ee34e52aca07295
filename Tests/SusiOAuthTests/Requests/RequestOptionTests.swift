import SusiBase
import SusiPolicies
import Testing

@testable import SusiOAuth

/// The optional parameters of an authorization request.
@Suite("Request options")
struct RequestOptionTests {
    private static func fields(_ options: AuthorizationOptions) throws -> [String: String] {
        let request = AuthorizationRequest(
            authority: try Contoso.authority(), clientID: Contoso.client, redirectURI: "http://localhost:8400/",
            scopes: ScopeSet([]), options: options)
        return try MessageTests.fields(request.url(at: Endpoint("https://h/a")).split(separator: "?")[1])
    }

    @Test func writesEachOption() throws {
        let plain = try Self.fields(AuthorizationOptions())
        var options = AuthorizationOptions(
            prompt: .consent, loginHint: "ana@contoso.example", domainHint: "facebook.com", uiLocales: "ja en",
            maximumAge: 0, idTokenHint: "e.y.j")
        options.claims = try ClaimsRequest(parsing: #"{ "id_token": null }"#.utf8)
        options.extra = [try ExtraParameter("campaign", "spring & summer"), try ExtraParameter("empty", "")]
        options.responseMode = .formPost
        let full = try Self.fields(options)
        let added = full.filter { plain[$0.key] == nil }
        #expect(
            added == [
                "prompt": "consent", "login_hint": "ana@contoso.example", "domain_hint": "facebook.com",
                "ui_locales": "ja en", "max_age": "0", "claims": #"{"id_token":null}"#, "id_token_hint": "e.y.j",
                "campaign": "spring & summer", "empty": "",
            ])
        #expect(plain["response_mode"] == "query" && full["response_mode"] == "form_post")
    }

    @Test(
        arguments: [
            "client_id", "redirect_uri", "state", "nonce", "scope", "response_type", "response_mode", "response_x",
            "code_challenge", "code_challenge_method", "code_verifier", "client_info", "request", "request_uri", "p",
            "P", "State", "REDIRECT_URI", "client_secret", "grant_type", "code", "client_assertion",
        ])
    func rejectsReservedParameters(name: String) {
        #expect(throws: ExtraParameter.Refused.self) { try ExtraParameter(name, "x") }
    }

    @Test(
        "rejects parameters that have an option of their own",
        arguments: [
            "prompt", "login_hint", "Domain_Hint", "ui_locales", "claims", "max_age", "id_token_hint", "response_mode",
        ])
    func rejectsParameterOfOption(name: String) {
        #expect(throws: ExtraParameter.Refused.isOption(name)) { try ExtraParameter(name, "x") }
    }

    @Test func parsesNameAndValue() throws {
        let parameter = try ExtraParameter(parsing: "a=b=c")
        #expect(parameter.name == "a" && parameter.value == "b=c")
        #expect(try ExtraParameter(parsing: "acr_values=").value.isEmpty)
        for wrong in ["", "a", "=b", "a b=c", "ä=c", "a\n=c"] {
            #expect(throws: ExtraParameter.Refused.self, "\(wrong)") { try ExtraParameter(parsing: wrong) }
        }
    }

    @Test(
        arguments: [
            (
                #" {"a": [1, 2.50, true, null], "b": {"c": "x\"\\\u0007é"}} "#,
                #"{"a":[1,2.50,true,null],"b":{"c":"x\"\\\u0007é"}}"#
            ),
            ("{}", "{}"),
        ])
    func compactsClaims(text: String, compact: String) throws {
        let claims = try ClaimsRequest(parsing: text.utf8)
        #expect(claims.text == compact)
        #expect(try ClaimsRequest(parsing: claims.text.utf8) == claims)
    }

    @Test(
        "anything else is refused",
        arguments: [
            ("", "JSON"), ("[]", "found a list"), ("5", "a number"), ("null", "null"), ("{", "JSON"),
            (#"{"a":1,"a":2}"#, "JSON"), (#""{}""#, "a string"),
            ("{\"a\":\"\(String(repeating: "x", count: 20_000))\"}", "larger"),
        ])
    func noClaims(text: String, reason: String) throws {
        let error = try #require(throws: InvalidInput.self) { try ClaimsRequest(parsing: text.utf8) }
        #expect(error.reason.contains(reason), "\(error.reason)")
    }

    @Test func makesRequestOfChallenge() throws {
        let challenge = try ClaimsChallenge(json: #"{"access_token": {"nbf": {"value": "1604106651"}}}"#)
        #expect(ClaimsRequest(challenge).text == #"{"access_token":{"nbf":{"value":"1604106651"}}}"#)
    }

    @Test func mergesRequests() throws {
        let own = try ClaimsRequest(parsing: #"{"id_token":{"auth_time":null,"acr":{"value":"c1"}},"x":1}"#.utf8)
        let demand = try ClaimsRequest(
            parsing: #"{"id_token":{"acr":{"essential":true,"value":"c2"}},"access_token":{"nbf":null}}"#.utf8)
        #expect(
            own.merged(with: demand).text
                == #"{"id_token":{"auth_time":null,"acr":{"value":"c2","essential":true}},"x":1,"access_token":{"nbf":null}}"#
        )
        #expect(own.merged(with: try ClaimsRequest(parsing: "{}".utf8)) == own)
    }

    @Test(
        "only an essential acr is demanded of the id token",
        arguments: [
            (#"{"id_token":{"acr":{"essential":true,"values":["a"],"value":"b"}}}"#, ["a", "b"], true),
            (#"{"id_token":{"acr":{"essential":true}}}"#, [], false),
            (#"{"id_token":{"acr":{"essential":false,"value":"b"}}}"#, nil, true),
            (#"{"id_token":{"acr":null}}"#, nil, false), (#"{"access_token":{"acr":{"essential":true}}}"#, nil, false),
        ] as [(String, [String]?, Bool)])
    func readsDemandedContexts(text: String, demanded: [String]?, namesAny: Bool) throws {
        let claims = try ClaimsRequest(parsing: text.utf8)
        #expect(claims.essentialACR == demanded && claims.namesACR == namesAny)
    }

    @Test func writesBodyOfPassword() throws {
        let credentials = PasswordCredentials(username: "ana@contoso.example", password: "a+b&c=ü")
        let body = TokenRequest.password(
            credentials, authority: try Contoso.authority(), clientID: Contoso.client,
            scopes: ScopeSet([Contoso.client])
        ).body
        #expect(
            try MessageTests.fields(body) == [
                "grant_type": "password", "client_id": Contoso.client, "username": "ana@contoso.example",
                "password": "a+b&c=ü", "scope": "\(Contoso.client) offline_access openid profile",
                "response_type": "token id_token", "client_info": "1",
            ])
    }
}
