import Susi
import SusiTestSupport

/// Cases of native authentication: refusals, redirects to a browser, tokens and metadata.
extension NativeCase {
    private typealias Native = NativeScript
    private static let reference = "Native authentication API"

    /// Escape sequences, bidirectional characters and line ends, as a JSON string has them.
    private static let hostile = #"\u001b]0;x\u0007\u001b[2J\r\nnext: susi sign-out --all\u202e\u2066\u009b31m"#
    private static let long = String(repeating: "very long ", count: 50_000)

    private static func refuses(
        _ name: String, _ endpoint: Native.Endpoint, _ status: Int32, _ text: String, _ reply: Reply,
        in flow: Native.Flow = .password
    ) -> NativeCase {
        NativeCase(name, reference, .refused(status, text), flow, endpoint, reply)
    }

    private static let wrongCode = Native.refusal("invalid_grant", 50_181, "invalid_oob_value")

    static let refusals: [NativeCase] = [
        refuses("an unknown user", .initiate, 4, "AADSTS50034", Native.refusal("user_not_found", 50_034)),
        refuses(
            "an unknown user with status 200", .initiate, 4, "AADSTS1003037",
            Native.refusal("user_not_found", 1_003_037, status: 200)),
        refuses(
            "an application without native authentication", .initiate, 1, "native authentication",
            Native.refusal("invalid_client", 7_000_218, "nativeauthapi_disabled", status: 401)),
        refuses(
            "an unsupported challenge type", .initiate, 1, "AADSTS901007",
            Native.refusal("unsupported_challenge_type", 901_007)),
        refuses("a wrong password", .token, 4, "AADSTS50126", Native.refusal("invalid_grant", 50_126)),
        refuses(
            "a wrong password beside a placeholder", .token, 4, "wrong user name or password",
            .text(
                #"{"error":"invalid_grant","error_description":"AADSTS901007: x","error_codes":[50126]}"#, status: 400)),
        refuses("a locked account", .token, 3, "locked", Native.refusal("invalid_grant", 50_053)),
        refuses("a step that expired", .challenge, 4, "AADSTS552003", Native.refusal("expired_token", 552_003)),
        refuses("a wrong code", .token, 4, "the server refused the code", wrongCode, in: .code),
        NativeCase("a wrong code of a second factor", reference, .refused(4, "the server refused the code"), .factor) {
            $0.native[.token] = [Native.factorRequired, wrongCode]
        },
        refuses(
            "no registered method", .token, 4, "browser",
            Native.refusal(
                "invalid_grant", 50_079, "registration_required", more: #","continuation_token":"continuation-qX7""#)),
        refuses("an unknown error", .token, 1, "something_new", .text(#"{"error":"something_new"}"#, status: 400)),
        refuses("an error that is a number", .token, 7, "error is not text", .text(#"{"error":5}"#, status: 400)),
        refuses(
            "an error beside tokens", .token, 1, "something_new",
            .text(#"{"error":"something_new","access_token":"a","token_type":"Bearer","id_token":"x"}"#)),
    ]

    /// Texts of the server that reach the terminal.
    static let texts: [NativeCase] = [
        refuses(
            "control characters in the description of an error", .initiate, 4, "AADSTS50034",
            Native.refusal("user_not_found", 50_034, text: hostile)),
        refuses(
            "control characters in every member of an error", .token, 1, "the server refused the request",
            .text(
                #"{"error":"\#(hostile)","error_description":"\#(hostile)","suberror":"\#(hostile)","#
                    + #""correlation_id":"\#(hostile)","timestamp":"\#(hostile)","error_codes":["\#(hostile)"]}"#,
                status: 400)),
        refuses(
            "a very long description", .token, 4, "AADSTS50126",
            Native.refusal("invalid_grant", 50_126, text: long)),
        refuses(
            "control characters in the reason for a browser", .challenge, 4, "browser",
            Native.step(#""challenge_type":"redirect","redirect_reason":"\#(hostile)""#)),
        refuses(
            "a very long reason for a browser", .challenge, 4, "browser",
            Native.step(#""challenge_type":"redirect","redirect_reason":"\#(long)""#)),
        refuses(
            "control characters in a challenge type", .challenge, 7, "unsupported challenge_type",
            Native.step(#""challenge_type":"\#(hostile)""#)
        ),
        NativeCase("control characters in the label of a code", reference, .accepted, .code) {
            $0.native[.challenge] = [Native.step(Native.delivered(label: hostile))]
        },
        NativeCase("control characters in a method", reference, .accepted, .factor) {
            $0.native[.introspect] = [Native.step(#""methods":[\#(Native.method(channel: hostile, hint: hostile))]"#)]
            $0.native[.challenge] = [Native.step(Native.password), Native.step(Native.delivered(label: hostile))]
        },
    ]

    /// `redirect`, which sends the client to a browser and wins over everything else in the response.
    static let browsers: [NativeCase] =
        Native.Endpoint.allCases.map { endpoint in
            refuses(
                "\(endpoint): redirect", endpoint, 4, "browser",
                Native.step(#""challenge_type":"redirect","redirect_reason":"x""#),
                in: endpoint == .introspect ? .factor : .password)
        } + [
            NativeCase("redirect beside tokens", reference, .refused(4, "browser")) {
                $0.answer["challenge_type"] = "\"redirect\""
            },
            NativeCase("redirect beside tokens after a code", reference, .refused(4, "browser"), .code) {
                $0.answer["challenge_type"] = "\"redirect\""
            },
        ]

    private static func claims(
        _ name: String, _ source: String, _ text: String, _ claims: [String: String?]
    ) -> NativeCase {
        NativeCase(name, source, .refused(7, text)) { $0.claims.merge(claims) { $1 } }
    }

    private static func answer(
        _ name: String, _ source: String, _ expected: Outcome, _ changes: [String: String?]
    ) -> NativeCase {
        NativeCase(name, source, expected) { $0.answer.merge(changes) { $1 } }
    }

    static let tokens: [NativeCase] = [
        claims(
            "tokens of another issuer", "OpenID Connect Core 3.1.3.7 (2)", "the issuer is",
            ["iss": "\"https://evil.example/v2.0\""]),
        claims(
            "tokens for another audience", "OpenID Connect Core 3.1.3.7 (3)", "the audience is", ["aud": "\"other\""]),
        claims("tokens of another tenant", "Entra ID, tid", "tid is", ["tid": "\"\(Provider.home)\""]),
        claims("tokens without a person", "OpenID Connect Core 2", "no person", ["oid": nil, "sub": nil]),
        claims("an expired id token", "OpenID Connect Core 3.1.3.7 (9)", "expired", ["exp": "1"]),
        NativeCase("an id token signed by another key", "OpenID Connect Core 3.1.3.7 (6)", .refused(7, "signature")) {
            $0.signer = try Signer.other.get()
            $0.header = #"{"alg":"RS256","kid":"main"}"#
        },
        NativeCase("an id token without a signature", "OpenID Connect Core 3.1.3.7 (6)", .refused(7, "signature")) {
            $0.idToken = { $0.split(separator: ".").prefix(2).joined(separator: ".") + "." }
        },
        answer("no id token", "OpenID Connect Core 3.1.3.3", .refused(7, "no id_token"), ["id_token": nil]),
        answer("a token that is not Bearer", "RFC 6749 7.1", .refused(7, "not Bearer"), ["token_type": "\"DPoP\""]),
        answer(
            "client_info without a tenant", "MSAL, client_info", .refused(7, "is not the tenant of the id token"),
            ["client_info": Provider.clientInfo(Provider.object, "")]),
        answer("no scope of the API", "RFC 6749 3.3", .nothingGranted, ["scope": "\"openid\""]),
        answer("no refresh token", "RFC 6749 5.1", .accepted, ["refresh_token": nil]),
        NativeCase("tokens with a duplicate member", "RFC 8259 4", .refused(7, "duplicate key")) {
            $0.rewrite = { .text("{\"access_token\":\"evil\"," + $0.dropFirst()) }
        },
        NativeCase("tokens with status 201", "RFC 6749 5.1", .refused(7, "status 201 without")) {
            $0.rewrite = { .text($0, status: 201) }
        },
    ]

    /// The endpoints are those of the authority, whatever the configuration says.
    static let endpoints: [NativeCase] = [
        NativeCase("endpoints of native authentication elsewhere in the configuration", reference, .accepted) {
            for name in ["initiate", "challenge", "introspect", "native_authentication", "token_native"] {
                $0.discovery["\(name)_endpoint"] = "\"\($0.elsewhere)/\(name)\""
            }
        },
        NativeCase("another token endpoint of the same host", reference, .accepted) {
            $0.discovery["token_endpoint"] = "\"\($0.origin)/elsewhere/oauth2/v2.0/token\""
        },
        NativeCase("a token endpoint elsewhere", "RFC 9700 4.4", .refused(7, "token_endpoint is at")) {
            $0.discovery["token_endpoint"] = "\"\($0.elsewhere)/token\""
        },
        NativeCase("a configuration of another issuer", "OpenID Discovery 4.3", .refused(7, "does not match")) {
            $0.discovery["issuer"] = "\"\($0.elsewhere)/\(Provider.guid)/v2.0\""
        },
    ]

    static let all =
        bodies + httpRedirects + continuations + challenges + methods + refusals + texts + browsers + tokens
}
