import Susi

/// Cases of OpenID configurations and key sets.
extension Case {
    static let metadata: [Case] = [
        Case("everything is right", "OpenID Connect Core 3.1.3.7", .accepted) { _ in },
        Case("an issuer with tenant and policy", "OpenID Discovery 4.3", .accepted) {
            let issuer = "\"\($0.origin)/tfp/\(Provider.guid)/b2c_1_susi/v2.0/\""
            $0.discovery["issuer"] = issuer
            $0.claims["iss"] = issuer
        },
        Case("a configuration with the content type of a page", "RFC 9110 8.3", .accepted) {
            $0.discoveryReply = .text(json($0.discovery), type: "text/html")
        },
        Case("an issuer on another host", "OpenID Discovery 4.3", .refused(.invalidAnswer, "does not match")) {
            $0.discovery["issuer"] = "\"\($0.elsewhere)/\(Provider.guid)/v2.0/\""
        },
        Case("an address that is a script", "RFC 3986 3.1", .refused(.invalidAnswer, "is not an address")) {
            $0.discovery["authorization_endpoint"] = "\"javascript:alert(1)\""
        },
        Case(
            "algorithms without the one of the signature", "OpenID Connect Core 3.1.3.7 (7)",
            .refused(.invalidAnswer, "is not in the server's metadata")
        ) {
            $0.discovery["id_token_signing_alg_values_supported"] = "[\"ES256\"]"
        },
    ]

    static let endpoints: [Case] = ["authorization_endpoint", "token_endpoint", "jwks_uri"].map { name in
        Case("the \(name) elsewhere", "RFC 9700 4.4", .refused(.invalidAnswer, "\(name) is at")) {
            $0.discovery[name] = "\"\($0.elsewhere)/x\""
        }
    }

    static let optional = [
        "end_session_endpoint", "userinfo_endpoint", "device_authorization_endpoint", "revocation_endpoint",
    ]

    static let documents: [Case] =
        document("OpenID configuration", bodies: true) { $0.discoveryReply = $1 }
        + document("signing keys", bodies: false) { $0.keysReply = $1 }

    /// Returns the cases of invalid responses in place of a document; with `bodies`, those of each kind of body too, which are read in
    /// the same way for each document.
    private static func document(
        _ name: String, bodies: Bool, _ put: @escaping @Sendable (inout Script, Reply) -> Void
    ) -> [Case] {
        let refused = { (reason: String) in Outcome.refused(.invalidAnswer, reason) }
        let slow = Reply.endless(start: Reply.chunkedHead, piece: Reply.chunk([0x20]), pause: 50)
        let large = Reply.endless(
            start: Reply.chunkedHead, piece: Reply.chunk(Array(repeating: 0x20, count: 65_536)), pause: 0)
        let each: [(String, Outcome, @Sendable (Script) -> Reply)] = [
            ("a page", refused(name), { _ in .text("<html></html>") }),
            ("status 404", .refused(.network, "no such tenant or policy"), { _ in .text("{}", status: 404) }),
            (
                "a redirect", .refused(.network, "redirects are not followed"),
                { .answer(status: 302, headers: [("Location", "\($0.elsewhere)/x")]) }
            ),
        ]
        let some: [(String, Outcome, @Sendable (Script) -> Reply)] = [
            ("an empty body", refused(name), { _ in .text("") }),
            ("invalid UTF-8", refused(name), { _ in .answer(body: [0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) }),
            ("status 500", .refused(.network, "status 500"), { _ in .text("{}", status: 500) }),
            (
                "too many requests", .refused(.network, "try again in 7 s"),
                { _ in .text("", status: 429, ("Retry-After", "7")) }
            ),
            (
                "two mebibytes", refused("larger than 1048576 bytes"),
                { _ in .answer(body: Array(repeating: 0x20, count: 2 << 20)) }
            ),
            ("a body without an end", refused("larger than 1048576 bytes"), { _ in large }),
            ("a slow body without an end", .refused(.timeout, "did not respond in time"), { _ in slow }),
            ("no response", .refused(.timeout, "did not respond in time"), { _ in .silence }),
        ]
        return (each + (bodies ? some : [])).map { row in
            Case("\(name): \(row.0)", "OpenID Discovery 4.2", row.1) { put(&$0, row.2($0)) }
        }
    }
}
