import Crypto
import Susi

/// Cases of id tokens. The table of claims and formats is that of the pure rules (`IDTokenTests`, `SignatureTests`); these show that
/// each kind of rule is applied to what a server sends.
extension Case {
    private static func refused(
        _ name: String, _ clause: String, _ reason: String, _ claims: [String: String?]
    ) -> Case {
        let source = clause.hasPrefix("(") ? "OpenID Connect Core 3.1.3.7 \(clause)" : clause
        return Case(name, source, .refused(.invalidAnswer, reason)) { $0.claims.merge(claims) { $1 } }
    }

    /// Each of these needs something that the rules get from the exchange: a clock, a request, another token.
    static let claims: [Case] = [
        Case("no object id but a subject", "OpenID Connect Core 2", .accepted) { $0.claims["oid"] = .some(nil) },
        Case("a c_hash that fits", "OpenID Connect Core 3.3.2.11", .accepted) {
            let hash = SHA256.hash(data: Array("code-1".utf8)).prefix(16)
            $0.claims["c_hash"] = "\"\(Base64URL.encode(hash))\""
        },
        Case("a clock four minutes off", "OpenID Connect Core 3.1.3.7 (10)", .accepted) { $0.now = Provider.now - 240 },
        refused("another issuer", "(2)", "the issuer is", ["iss": "\"https://evil.example/\""]),
        refused("another audience", "(3)", "the audience is", ["aud": "\"other\""]),
        refused("no nonce", "(11)", "the nonce", ["nonce": nil]),
        refused("another nonce", "(11)", "the nonce", ["nonce": "\"n\""]),
        refused("another policy", "b2c-protocol 1", "the policy is", ["tfp": "\"B2C_1_reset\""]),
        refused("the hash of another access token", "OpenID Connect Core 3.1.3.8", "at_hash", ["at_hash": "\"AAAA\""]),
        refused("the hash of another code", "OpenID Connect Core 3.3.2.10", "c_hash", ["c_hash": "\"AAAA\""]),
        refused("neither oid nor sub", "OpenID Connect Core 2", "no person", ["oid": nil, "sub": nil]),
        Case(
            "a clock two hours ahead", "OpenID Connect Core 3.1.3.7 (9)",
            .refused(.invalidAnswer, "set the clock")
        ) {
            $0.now = Provider.now + 7_200
        },
        Case(
            "an old token by the server's own clock", "OpenID Connect Core 3.1.3.7 (9)",
            .refused(.invalidAnswer, "also by the server's clock")
        ) {
            $0.claims = ["exp": "\(Provider.now - 3_600)", "iat": "\(Provider.now - 7_200)", "nbf": nil]
            $0.rewrite = { .text($0, ("Date", "Fri, 15 Jan 2027 08:00:00 GMT")) }
        },
    ]

    static let idTokens: [Case] = [
        Case("text that is not a token", "RFC 7519 7.2", .refused(.invalidAnswer, "not a signed JWT")) {
            $0.idToken = { _ in "not a token" }
        },
        Case(
            "other claims under the signature", "OpenID Connect Core 3.1.3.7 (6)", .refused(.invalidAnswer, "signature")
        ) {
            $0.idToken = {
                let parts = $0.split(separator: ".")
                return "\(parts[0]).\(Base64URL.encode(#"{"sub":"evil"}"#.utf8)).\(parts[2])"
            }
        },
        Case("an unsigned token", "RFC 8725 3.1", .refused(.invalidAnswer, "unsupported algorithm “none”")) {
            $0.header = #"{"alg":"none"}"#
            $0.idToken = { String($0.prefix { $0 != "." }) + ".e30." }
        },
        Case("duplicate claims", "RFC 7519 4", .refused(.invalidAnswer, "not a signed JWT")) {
            $0.claims["x"] = "1,\"oid\":\"evil\""
        },
    ]

    static let clientInfos: [Case] = [
        Case("no client_info", "MSAL, client_info", .accepted) { $0.answer["client_info"] = .some(nil) },
        Case("client_info with another object id", "b2c-protocol 7 (6)", .accepted) {
            $0.answer["client_info"] = Provider.clientInfo("other-b2c_1_susi")
        },
        Case(
            "client_info of another tenant", "b2c-protocol 4",
            .refused(.invalidAnswer, "is not the tenant of the id token")
        ) {
            $0.answer["client_info"] = Provider.clientInfo("o-b2c_1_susi", Provider.home)
        },
        Case(
            "client_info that is an object", "MSAL, client_info",
            .refused(.invalidAnswer, "client_info: expected a string, found an object")
        ) {
            $0.answer["client_info"] = "{}"
        },
    ]
}
