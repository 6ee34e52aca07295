import Susi

/// Cases of authorization responses.
extension Case {
    private static let right: [(name: String, value: String)] = [("code", "code-1"), ("state", "STATE")]
    private static let cancelled = Outcome.refused(.cancelled, "cancelled")

    /// Responses of other requests: the sign-in ignores them and keeps waiting.
    static let strayRedirects: [Case] = [
        ("no state", [("code", "evil")]), ("another state", [("code", "evil"), ("state", "x")]),
        ("the state twice", [("code", "evil"), ("state", "STATE"), ("state", "STATE")]),
        ("an error with another state", [("error", "access_denied"), ("state", "x")]),
    ].map { (name: String, fields: [(String, String)]) in
        Case("\(name), then the right answer", "RFC 6749 10.12", .accepted) {
            $0.redirects = [fields.map { (name: $0.0, value: $0.1) }, right]
        }
    }

    static let redirects: [Case] = [
        Case("unknown parameters", "RFC 6749 4.1.2", .accepted) {
            $0.redirect(
                right[0], right[1], ("session_state", "x"), ("client_info", "???"), ("error_uri", "javascript:1"))
        },
        Case("tokens in the redirect are ignored", "RFC 9700 2.1.2", .accepted) {
            $0.redirect(right[0], right[1], ("access_token", "evil"), ("id_token", "evil"))
        },
        Case("the issuer, not announced", "RFC 9207 2.4", .accepted) {
            $0.redirect(right[0], right[1], ("iss", $0.provider.issuer($0.origin)))
        },
        Case("the issuer, announced", "RFC 9207 2.4", .accepted) {
            $0.discovery["authorization_response_iss_parameter_supported"] = "true"
            $0.redirect(right[0], right[1], ("iss", $0.provider.issuer($0.origin)))
        },
        Case("the issuer, announced and missing", "RFC 9207 2.4", .refused(.invalidAnswer, "no iss")) {
            $0.discovery["authorization_response_iss_parameter_supported"] = "true"
        },
        Case("another issuer, not announced", "RFC 9207 2.4", .refused(.invalidAnswer, "iss is")) {
            $0.redirect(right[0], right[1], ("iss", $0.elsewhere))
        },
        Case("another issuer beside an error", "RFC 9207 2.4", .refused(.invalidAnswer, "iss is")) {
            $0.redirect(("error", "access_denied"), right[1], ("iss", $0.elsewhere))
        },
        Case("the code twice", "RFC 6749 3.1", .refused(.invalidAnswer, "duplicate parameter “code”")) {
            $0.redirect(right[0], right[0], right[1])
        },
        Case("neither code nor error", "RFC 6749 4.1.2", .refused(.invalidAnswer, "neither a code nor an error")) {
            $0.redirect(right[1])
        },
        Case(
            "a code with a line end", "RFC 6749 A.11",
            .refused(.invalidAnswer, "code contains characters that are not allowed")
        ) {
            $0.redirect(("code", "a\r\nb"), right[1])
        },
        Case("an error beside a code", "RFC 6749 4.1.2.1", cancelled) {
            $0.redirect(("error", "access_denied"), right[0], right[1])
        },
    ]

    private static func says(
        _ error: String, _ description: String, _ source: String, _ code: SusiError.Code, _ text: String
    ) -> Case {
        Case("\(error): \(description.prefix(24))", source, .refused(code, text)) { $0.refuse(error, description) }
    }

    /// One for each consequence; the table of codes is that of the pure rules (`ErrorTests`).
    static let refusals: [Case] = [
        says("access_denied", "AADB2C90091: x", "AADB2C90091", .cancelled, "cancelled on the page"),
        says("access_denied", "AADB2C90273: x", "AADB2C90273", .refused, "identity provider behind the policy"),
        says("redirect_uri_mismatch", "AADB2C90006: x", "AADB2C90006", .refused, "register the redirect address"),
        says("server_error", "AADB2C99002: x", "AADB2C99002", .signInNeeded, "does not exist"),
        says("server_error", "AADB2C90035: x", "AADB2C90035", .network, "wait and try again"),
        says("access_denied", "AADB2C99999: new", "RFC 6749 4.1.2.1", .refused, "AADB2C99999: new"),
        says(
            "access_denied", "U123456: You are not allowed", "custom policy", .refused, "U123456: You are not allowed"),
        says("access_denied", "", "RFC 6749 4.1.2.1", .cancelled, "denied access"),
        says("access_denied", "AADSTS65001: x", "AADSTS65001", .consentNeeded, "with the prompt consent"),
        says("access_denied", "AADSTS65004: x", "AADSTS65004", .cancelled, "declined to consent"),
        says(
            "access_denied", "AADSTS90094: x", "AADSTS90094", .consentNeeded,
            "the consent of an administrator is missing"),
        says("interaction_required", "AADSTS16000: x", "AADSTS16000", .signInNeeded, "sign in under"),
        says("login_required", "", "OpenID Connect Core 3.1.2.6", .signInNeeded, "no session"),
        says("invalid_scope", "", "RFC 6749 4.1.2.1", .refused, "check the API's scopes"),
        says("something_new", "\u{1b}[31mred\u{7}", "RFC 6749 4.1.2.1", .refused, "red"),
        says("server_error", String(repeating: "long ", count: 1_500), "RFC 6749 4.1.2.1", .refused, "long long"),
    ]
}
