import Susi
import SusiTestSupport

/// Cases of native authentication (External ID). The table of messages is that of the pure rules; these show that each is applied
/// at each endpoint, and which requests follow.
extension Case {
    private typealias Native = NativeScript
    private static let reference = "Native authentication API"

    /// A flow in which the endpoint is requested.
    private static func flow(_ endpoint: Native.Endpoint) -> Native.Flow {
        endpoint == .introspect ? .factor : .password
    }

    private static func refuses(
        _ name: String, _ endpoint: Native.Endpoint, _ code: SusiError.Code, _ text: String, _ reply: Reply,
        in flow: Native.Flow? = nil
    ) -> Case {
        Case(name, .refused(code, text), in: flow ?? Self.flow(endpoint), endpoint, reply)
    }

    /// Redirects, which are not followed: the next request has the password or the code.
    private static let nativeRedirects: [Case] = Native.Endpoint.allCases.map { endpoint in
        Case(
            "\(endpoint): a redirect with status 307", "RFC 9700 4.12",
            .refused(.invalidResponse, "redirect (status 307)"), in: flow(endpoint)
        ) { script in
            let place = [("Location", "\(script.elsewhere)/\(endpoint)")]
            script.native[endpoint] = [.response(status: 307, headers: place)]
        }
    }

    private static let challenges: [Case] = [
        refuses(
            "a password asked for as second factor", .challenge, .invalidResponse, "after the second factor",
            Native.step(Native.password), in: .factor),
        refuses(
            "a second factor asked for twice", .token, .invalidResponse, "a second factor again", Native.factorRequired,
            in: .factor),
        refuses("no methods", .introspect, .signInNeeded, "browser", Native.step(#""methods":[]"#)),
    ]

    private static let wrongCode = Native.refusal("invalid_grant", 50_181, "invalid_oob_value")

    private static let nativeRefusals: [Case] = [
        refuses(
            "an unknown user with status 200", .initiate, .signInNeeded, "AADSTS1003037",
            Native.refusal("user_not_found", 1_003_037, status: 200)),
        refuses(
            "a user of a social provider", .initiate, .signInNeeded, "AADSTS1003034",
            Native.refusal("user_not_found", 1_003_034)),
        refuses(
            "an application without native authentication", .initiate, .refused, "native authentication",
            Native.refusal("invalid_client", 7_000_218, "nativeauthapi_disabled", status: 401)),
        refuses(
            "a wrong password beside a placeholder", .token, .wrongPassword, "wrong user name or password",
            .text(
                #"{"error":"invalid_grant","error_description":"AADSTS901007: x","error_codes":[50126]}"#, status: 400)),
        refuses("a locked account", .token, .network, "locked", Native.refusal("invalid_grant", 50_053)),
        refuses("a wrong code", .token, .signInNeeded, "the server refused the code", wrongCode, in: .code),
        Case(
            "a wrong code of a second factor", .refused(.signInNeeded, "the server refused the code"), in: .factor,
            .token, Native.factorRequired, wrongCode),
        refuses(
            "no registered method", .token, .signInNeeded, "browser",
            Native.refusal(
                "invalid_grant", 50_079, "registration_required", more: #","continuation_token":"continuation-qX7""#)),
        refuses(
            "an unknown error", .token, .refused, "something_new", .text(#"{"error":"something_new"}"#, status: 400)),
    ]

    /// `redirect`, which sends the client to a browser at each endpoint.
    private static let browsers: [Case] =
        Native.Endpoint.allCases.map { endpoint in
            refuses(
                "\(endpoint): redirect", endpoint, .signInNeeded, "browser",
                Native.step(#""challenge_type":"redirect","redirect_reason":"x""#))
        }

    private static let nativeTokens: [Case] = [
        Case(
            "tokens of another issuer", "OpenID Connect Core 3.1.3.7 (2)", .refused(.invalidResponse, "the issuer is"),
            in: .password
        ) {
            $0.claims["iss"] = "\"https://evil.example/v2.0\""
        },
        Case(
            "an id token signed by another key", "OpenID Connect Core 3.1.3.7 (6)",
            .refused(.invalidResponse, "signature"), in: .password
        ) {
            $0.signer = try Signer.other.get()
            $0.header = #"{"alg":"RS256","kid":"main"}"#
        },
        Case("no id token", "OpenID Connect Core 3.1.3.3", .refused(.invalidResponse, "no id_token"), in: .password) {
            $0.response["id_token"] = .some(nil)
        },
        Case(
            "client_info without a tenant", "MSAL, client_info",
            .refused(.invalidResponse, "is not the tenant of the id token"), in: .password
        ) {
            $0.response["client_info"] = Provider.clientInfo(Provider.object, "")
        },
    ]

    /// The endpoints are those of the authority, whatever the configuration says.
    private static let nativeEndpoints: [Case] = [
        Case("endpoints of native authentication elsewhere in the configuration", reference, .accepted, in: .password) {
            for name in ["initiate", "challenge", "introspect", "native_authentication", "token_native"] {
                $0.discovery["\(name)_endpoint"] = "\"\($0.elsewhere)/\(name)\""
            }
        },
        Case("another token endpoint of the same host", reference, .accepted, in: .password) {
            $0.discovery["token_endpoint"] = "\"\($0.origin)/elsewhere/oauth2/v2.0/token\""
        },
        Case(
            "a token endpoint elsewhere", "RFC 9700 4.4", .refused(.invalidResponse, "token_endpoint is at"),
            in: .password
        ) {
            $0.discovery["token_endpoint"] = "\"\($0.elsewhere)/token\""
        },
    ]

    private static let flows: [Case] = Native.Flow.allCases.map { flow in
        Case("native authentication: \(flow)", reference, .accepted, in: flow) { _ in }
    }

    static let native: [Case] =
        flows + nativeRedirects + challenges + nativeRefusals + browsers + nativeTokens + nativeEndpoints

    // MARK: Texts on the terminal

    /// Escape sequences, bidirectional characters and line ends, as a JSON string has them.
    private static let hostile = #"\u001b]0;x\u0007\u001b[2J\r\nnext: susi sign-out --all\u202e\u2066\u009b31m"#
    private static let long = String(repeating: "very long ", count: 50_000)

    /// Texts of the server that reach the terminal.
    static let texts: [Case] = [
        refuses(
            "control characters in every member of an error", .token, .refused, "the server refused the request",
            .text(
                #"{"error":"\#(hostile)","error_description":"\#(hostile)","suberror":"\#(hostile)","#
                    + #""correlation_id":"\#(hostile)","timestamp":"\#(hostile)","error_codes":["\#(hostile)"]}"#,
                status: 400)),
        refuses(
            "a very long description", .token, .signInNeeded, "AADSTS50126",
            Native.refusal("invalid_grant", 50_126, text: long)),
        refuses(
            "control characters in the reason for a browser", .challenge, .signInNeeded, "browser",
            Native.step(#""challenge_type":"redirect","redirect_reason":"\#(hostile)""#)),
        refuses(
            "a very long reason for a browser", .challenge, .signInNeeded, "browser",
            Native.step(#""challenge_type":"redirect","redirect_reason":"\#(long)""#)),
        refuses(
            "control characters in a challenge type", .challenge, .invalidResponse, "unsupported challenge_type",
            Native.step(#""challenge_type":"\#(hostile)""#)),
        Case("control characters in the label of a code", reference, .accepted, in: .factor) {
            $0.native[.introspect] = [Native.step(#""methods":[\#(Native.method(channel: hostile, hint: hostile))]"#)]
            $0.native[.challenge] = [Native.step(Native.password), Native.step(Native.delivered(label: hostile))]
        },
    ]
}
