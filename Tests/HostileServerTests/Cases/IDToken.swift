import Crypto
import Susi

/// Cases of id tokens: claims and format. The table of claims is that of the pure rules; these show that each kind of rule is applied
/// to what a server sends.
extension Case {
    private static func refused(
        _ name: String, _ clause: String, _ reason: String, _ claims: [String: String?]
    ) -> Case {
        let source = clause.hasPrefix("(") ? "OpenID Connect Core 3.1.3.7 \(clause)" : clause
        return Case(name, source, .refused(.invalidAnswer, reason)) { $0.claims.merge(claims) { $1 } }
    }

    private static func accepted(_ name: String, _ source: String, _ claims: [String: String?]) -> Case {
        Case(name, source, .accepted) { $0.claims.merge(claims) { $1 } }
    }

    static let goodClaims: [Case] = [
        accepted("unknown claims", "RFC 7519 4", ["x": "{\"y\":[]}"]),
        accepted("a list of one audience", "OpenID Connect Core 2", ["aud": "[\"\(Provider.client)\"]"]),
        accepted("no object id but a subject", "OpenID Connect Core 2", ["oid": nil]),
        accepted("no at_hash", "OpenID Connect Core 3.1.3.6", ["at_hash": nil]),
        accepted(
            "a c_hash that fits", "OpenID Connect Core 3.3.2.11",
            [
                "c_hash": "\"\(Base64URL.encode(SHA256.hash(data: Array("code-1".utf8)).prefix(16)))\""
            ]),
        Case("a clock four minutes off", "OpenID Connect Core 3.1.3.7 (10)", .accepted) { $0.now = Provider.now - 240 },
    ]

    static let badClaims: [Case] = [
        refused("no issuer", "(2)", "the issuer is", ["iss": nil]),
        refused("another issuer", "(2)", "the issuer is", ["iss": "\"https://evil.example/\""]),
        refused("no audience", "(3)", "the audience is", ["aud": nil]),
        refused("another audience", "(3)", "the audience is", ["aud": "\"other\""]),
        refused(
            "two audiences without azp", "(3)", "contains “x”, which is not trusted",
            ["aud": "[\"x\",\"\(Provider.client)\"]"]),
        refused(
            "two audiences and our azp", "(3)", "contains “x”, which is not trusted",
            ["aud": "[\"\(Provider.client)\",\"x\"]", "azp": "\"\(Provider.client)\""]),
        refused("another azp", "(5)", "azp is", ["azp": "\"x\""]),
        refused("exp long ago", "(9)", "expired", ["exp": "1"]),
        refused("no iat", "(10)", "no iat", ["iat": nil]),
        refused("iat far ahead", "(10)", "clock is", ["iat": "\(Provider.now + 86_400)"]),
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
            "a clock two hours behind", "OpenID Connect Core 3.1.3.7 (10)",
            .refused(.invalidAnswer, "clock is 2 h behind")
        ) {
            $0.now = Provider.now - 7_200
        },
        Case(
            "an old token by the server's own clock", "OpenID Connect Core 3.1.3.7 (9)",
            .refused(.invalidAnswer, "also by the server's clock")
        ) {
            $0.claims = ["exp": "\(Provider.now - 3_600)", "iat": "\(Provider.now - 7_200)", "nbf": nil]
            $0.rewrite = { .text($0, ("Date", "Fri, 15 Jan 2027 08:00:00 GMT")) }
        },
    ]

    private static func form(
        _ name: String, _ source: String, _ reason: String = "not a signed JWT",
        _ change: @escaping @Sendable (String) -> String
    ) -> Case {
        Case(name, source, .refused(.invalidAnswer, reason)) { $0.idToken = change }
    }

    static let forms: [Case] = [
        form("an empty token", "RFC 7519 7.2") { _ in "" },
        form("text that is not a token", "RFC 7519 7.2") { _ in "not a token" },
        form("two parts", "RFC 7515 3.1") { $0.split(separator: ".").prefix(2).joined(separator: ".") },
        form("four parts", "RFC 7515 3.1") { $0 + ".AA" },
        form("an encrypted token", "OpenID Connect Core 3.1.3.7 (1)", "encrypted") { _ in "e30.AA.AA.AA.AA" },
        form("no signature", "OpenID Connect Core 3.1.3.7 (6)", "signature") {
            $0.split(separator: ".").prefix(2).joined(separator: ".") + "."
        },
        form("other claims under the signature", "OpenID Connect Core 3.1.3.7 (6)", "signature") {
            let parts = $0.split(separator: ".")
            return "\(parts[0]).\(Base64URL.encode(#"{"sub":"evil"}"#.utf8)).\(parts[2])"
        },
        Case("duplicate claims", "RFC 7519 4", .refused(.invalidAnswer, "not a signed JWT")) {
            $0.claims["x"] = "1,\"oid\":\"evil\""
        },
        Case("unsupported critical extensions", "RFC 7515 4.1.11", .refused(.invalidAnswer, "extensions")) {
            $0.header = #"{"alg":"RS256","kid":"main","crit":["b64"],"b64":false}"#
        },
        Case("an access token in its place", "RFC 8725 3.11", .refused(.invalidAnswer, "another kind of token")) {
            $0.header = #"{"alg":"RS256","kid":"main","typ":"at+jwt"}"#
        },
        Case(
            "a key id that is a number", "RFC 7515 4.1.4",
            .refused(.invalidAnswer, "kid: expected a string, found a number")
        ) {
            $0.header = #"{"alg":"RS256","kid":1}"#
        },
    ]

    static let clientInfos: [Case] = [
        Case("no client_info", "MSAL, client_info", .accepted) { $0.answer["client_info"] = .some(nil) },
        Case("client_info without an object id", "b2c-protocol 4", .accepted) {
            $0.answer["client_info"] = Provider.clientInfo("-b2c_1_susi")
        },
        Case("client_info with another object id", "b2c-protocol 7 (6)", .accepted) {
            $0.answer["client_info"] = Provider.clientInfo("other-b2c_1_susi")
        },
        Case(
            "client_info of another tenant", "b2c-protocol 4",
            .refused(.invalidAnswer, "is not the tenant of the id token")
        ) {
            $0.answer["client_info"] = Provider.clientInfo("o-b2c_1_susi", Provider.home)
        },
        Case("client_info that is not base64", "MSAL, client_info", .refused(.invalidAnswer, "not base64url JSON")) {
            $0.answer["client_info"] = "\"???\""
        },
        Case(
            "client_info that is an object", "MSAL, client_info",
            .refused(.invalidAnswer, "client_info: expected a string, found an object")
        ) {
            $0.answer["client_info"] = "{}"
        },
    ]
}
