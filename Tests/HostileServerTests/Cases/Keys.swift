import Crypto
import Susi
import SusiTestSupport

/// Cases of signing keys. The table of keys and algorithms is that of the pure rules (`SignatureTests`).
extension Case {
    static let keys: [Case] = [
        Case("PS256", "RFC 7518 3.5", .accepted) { $0.algorithm = "PS256" },
        Case("no keys", "OpenID Connect Core 10.1", .refused(.invalidAnswer, "is not among the server's keys")) {
            $0.publish()
        },
        Case("a key for another algorithm", "RFC 8725 3.1", .refused(.invalidAnswer, "not usable with RS256")) {
            $0.publish(try $0.signer.jwk(["alg": "RS512"]))
        },
        Case(
            "a key set address in the token's own header", "RFC 8725 3.10",
            .refused(.invalidAnswer, "is not among the server's keys")
        ) {
            $0.signer = try Signer.other.get()
            $0.header = "{\"alg\":\"RS256\",\"kid\":\"other\",\"jku\":\"\($0.elsewhere)/keys\"}"
        },
    ]

    /// Cases of unusable members of a key set, before the right key and with its id.
    static let unusableKeys: [Case] = [
        ("a key of the type AKP beside the right one", #"{"kty":"AKP","alg":"ML-DSA-44","kid":"main","pub":"AAAA"}"#),
        ("a key of an unknown type beside the right one", #"{"kty":"LATTICE","kid":"main","use":"sig"}"#),
        ("a key without a type beside the right one", #"{"kid":"main","use":"sig"}"#),
        (
            "a key on an unknown curve beside the right one",
            #"{"kty":"EC","crv":"P-999","kid":"main","x":"AAAA","y":"AAAA"}"#
        ),
        ("an Ed25519 key beside the right one", #"{"kty":"OKP","crv":"Ed25519","kid":"main","x":"AAAA"}"#),
        ("a key with members of wrong types beside the right one", #"{"kty":["RSA"],"kid":5,"use":{},"n":1}"#),
        ("text in place of a key beside the right one", #""main""#),
    ].map { (name: String, jwk: String) in
        Case(name, "RFC 7517 5", .accepted, at: .openid) { $0.publish(jwk, try $0.signer.jwk()) }
    }

    static let keysOfPlainProviders: [Case] = [
        Case("a key for an unknown algorithm beside the right one", "RFC 7517 5", .accepted, at: .openid) {
            let other = try Signer.other.get()
            $0.publish(try other.jwk(["kid": "main", "alg": "RS1"]), try $0.signer.jwk())
        },
        Case("no id in the token and one key", "OpenID Connect Core 10.1", .accepted, at: .openid) {
            $0.header = #"{"alg":"RS256"}"#
        },
        Case("no id in the token and several keys", "OpenID Connect Core 10.1", .accepted, at: .openid) {
            $0.header = #"{"alg":"RS256"}"#
            $0.publish(
                try Signer.other.get().jwk(["kid": nil]), try Signer.curve.jwk(["kid": nil]),
                try $0.signer.jwk(["kid": nil]))
        },
        Case(
            "RS256 with another key under the id", "OpenID Connect Core 3.1.3.7 (6)",
            .refused(.invalidAnswer, "signature"), at: .openid
        ) {
            $0.publish(try Signer.other.get().jwk(["kid": "main"]))
        },
        Case(
            "ES256 with another key under the id", "OpenID Connect Core 3.1.3.7 (6)",
            .refused(.invalidAnswer, "signature"), at: .openid
        ) {
            $0.signer = Signer.curve
            $0.publish(try Signer(id: "curve", key: .p256(P256.Signing.PrivateKey())).jwk())
        },
        Case(
            "ES256 when only RS256 is announced", "OpenID Connect Core 3.1.3.7 (7)",
            .refused(.invalidAnswer, "is not in the server's metadata"), at: .openid
        ) {
            $0.signer = Signer.curve
            $0.publish(try Signer.curve.jwk())
            $0.discovery["id_token_signing_alg_values_supported"] = "[\"RS256\"]"
        },
    ]
}
