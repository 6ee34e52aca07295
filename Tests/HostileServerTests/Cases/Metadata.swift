import Susi

/// Cases of OpenID configurations and key sets.
extension Case {
    static let metadata: [Case] = [
        Case("everything is right", "OpenID Connect Core 3.1.3.7", .accepted) { _ in },
        Case("a configuration with the content type of a page", "RFC 9110 8.3", .accepted) {
            $0.discoveryReply = .text(json($0.discovery), type: "text/html")
        },
        Case("an issuer on another host", "OpenID Discovery 4.3", .refused(.invalidResponse, "does not match")) {
            $0.discovery["issuer"] = "\"\($0.elsewhere)/\(Provider.guid)/v2.0/\""
        },
        Case(
            "algorithms without the one of the signature", "OpenID Connect Core 3.1.3.7 (7)",
            .refused(.invalidResponse, "is not in the server's metadata")
        ) {
            $0.discovery["id_token_signing_alg_values_supported"] = "[\"ES256\"]"
        },
    ]

    static let endpoints: [Case] = [
        Case("the token_endpoint elsewhere", "RFC 9700 4.4", .refused(.invalidResponse, "token_endpoint is at")) {
            $0.discovery["token_endpoint"] = "\"\($0.elsewhere)/x\""
        }
    ]

    static let optional = [
        "end_session_endpoint", "userinfo_endpoint", "device_authorization_endpoint", "revocation_endpoint",
    ]

    /// Responses in place of the OpenID configuration. Sizes, ends and times are those of each exchange (`WebClientTests`).
    static let documents: [Case] = {
        let rows: [(String, Outcome, @Sendable (Script) -> Reply)] = [
            ("a page", .refused(.invalidResponse, "OpenID configuration"), { _ in .text("<html></html>") }),
            ("status 404", .refused(.network, "no such tenant or policy"), { _ in .text("{}", status: 404) }),
            (
                "a redirect", .refused(.network, "redirects are not followed"),
                { .response(status: 302, headers: [("Location", "\($0.elsewhere)/x")]) }
            ),
            (
                "too many requests", .refused(.network, "try again in 7 s"),
                { _ in .text("", status: 429, ("Retry-After", "7")) }
            ),
        ]
        return rows.map { row in
            Case("OpenID configuration: \(row.0)", "OpenID Discovery 4.2", row.1) { $0.discoveryReply = row.2($0) }
        }
    }()
}
