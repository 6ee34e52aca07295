import Susi
import SusiTestSupport

/// Cases of id tokens. The table of claims and formats is that of the pure rules (`IDTokenTests`, `SignatureTests`); these show that
/// each kind of rule is applied to what a server sends.
extension Case {
    private static func refused(
        _ name: String, _ clause: String, _ reason: String, _ claims: [String: String?]
    ) -> Case {
        let source = clause.hasPrefix("(") ? "OpenID Connect Core 3.1.3.7 \(clause)" : clause
        return Case(name, source, .refused(.invalidResponse, reason)) { $0.claims.merge(claims) { $1 } }
    }

    /// Each of these needs something that the rules get from the exchange: a clock, a request, another token.
    static let claims: [Case] = [
        refused("another nonce", "(11)", "the nonce", ["nonce": "\"n\""]),
        refused("another policy", "b2c-protocol 1", "the policy is", ["tfp": "\"B2C_1_reset\""]),
        refused("the hash of another access token", "OpenID Connect Core 3.1.3.8", "at_hash", ["at_hash": "\"AAAA\""]),
        refused("the hash of another code", "OpenID Connect Core 3.3.2.10", "c_hash", ["c_hash": "\"AAAA\""]),
        Case(
            "a clock two hours ahead", "OpenID Connect Core 3.1.3.7 (9)",
            .refused(.invalidResponse, "set the clock")
        ) {
            $0.now = Provider.now + 7_200
        },
        Case(
            "an old token by the server's own clock", "OpenID Connect Core 3.1.3.7 (9)",
            .refused(.invalidResponse, "also by the server's clock")
        ) {
            $0.claims = ["exp": "\(Provider.now - 3_600)", "iat": "\(Provider.now - 7_200)", "nbf": nil]
            $0.rewrite = { .text($0, ("Date", "Fri, 15 Jan 2027 08:00:00 GMT")) }
        },
    ]

    static let signatures: [Case] = [
        Case("PS256", "RFC 7518 3.5", .accepted) { $0.algorithm = "PS256" },
        Case(
            "other claims under the signature", "OpenID Connect Core 3.1.3.7 (6)",
            .refused(.invalidResponse, "signature")
        ) {
            $0.idToken = {
                let parts = $0.split(separator: ".")
                return "\(parts[0]).\(Base64URL.encode(#"{"sub":"evil"}"#.utf8)).\(parts[2])"
            }
        },
        Case(
            "a key set address in the token's own header", "RFC 8725 3.10",
            .refused(.invalidResponse, "is not among the server's keys")
        ) {
            $0.signer = try Signer.other.get()
            $0.header = "{\"alg\":\"RS256\",\"kid\":\"other\",\"jku\":\"\($0.elsewhere)/keys\"}"
        },
    ]

    static let clientInfos: [Case] = [
        Case("no client_info", "MSAL, client_info", .accepted) { $0.response["client_info"] = .some(nil) },
        Case(
            "client_info of another tenant", "b2c-protocol 4",
            .refused(.invalidResponse, "is not the tenant of the id token")
        ) {
            $0.response["client_info"] = Provider.clientInfo("o-b2c_1_susi", Provider.home)
        },
    ]
}
