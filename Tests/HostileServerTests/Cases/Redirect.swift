import Susi

/// Cases of authorization responses.
extension Case {
    private static let right: [(name: String, value: String)] = [("code", "code-1"), ("state", "STATE")]

    /// The table of responses is that of the pure rules (`MessageTests`); these show that the sign-in applies it.
    static let redirects: [Case] = [
        Case("another state, then the right answer", "RFC 6749 10.12", .accepted) {
            $0.redirects = [[("code", "evil"), ("state", "x")], right]
        },
        Case("the issuer, announced", "RFC 9207 2.4", .accepted) {
            $0.discovery["authorization_response_iss_parameter_supported"] = "true"
            $0.redirect(right[0], right[1], ("iss", $0.provider.issuer($0.origin)))
        },
        Case("the issuer, announced and missing", "RFC 9207 2.4", .refused(.invalidResponse, "no iss")) {
            $0.discovery["authorization_response_iss_parameter_supported"] = "true"
        },
        Case("another issuer beside an error", "RFC 9207 2.4", .refused(.invalidResponse, "iss is")) {
            $0.redirect(("error", "access_denied"), right[1], ("iss", $0.elsewhere))
        },
        Case("the code twice", "RFC 6749 3.1", .refused(.invalidResponse, "duplicate parameter “code”")) {
            $0.redirect(right[0], right[0], right[1])
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
        says("redirect_uri_mismatch", "AADB2C90006: x", "AADB2C90006", .refused, "register http://"),
        says("server_error", "AADB2C99002: x", "AADB2C99002", .signInNeeded, "does not exist"),
        says("server_error", "AADB2C90035: x", "AADB2C90035", .network, "wait and try again"),
        says("access_denied", "AADB2C99999: new", "RFC 6749 4.1.2.1", .refused, "AADB2C99999: new"),
        says("access_denied", "", "RFC 6749 4.1.2.1", .cancelled, "denied access"),
        says("access_denied", "AADSTS65001: x", "AADSTS65001", .consentNeeded, "with the prompt consent"),
        says("interaction_required", "AADSTS16000: x", "AADSTS16000", .signInNeeded, "sign in under"),
        says("something_new", "\u{1b}[31mred\u{7}", "RFC 6749 4.1.2.1", .refused, "red"),
        says("server_error", String(repeating: "long ", count: 1_500), "RFC 6749 4.1.2.1", .refused, "long long"),
    ]
}
