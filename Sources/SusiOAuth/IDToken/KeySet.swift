import Crypto
import CryptoExtras
import FoundationEssentials
import SusiPolicies

/// A server's signing keys (RFC 7517).
public struct KeySet: Sendable {
    private let keys: [(id: String?, key: _RSA.Signing.PublicKey)]

    /// Reads a key set. Keys of other types or for encryption are passed over; RSA keys under 2048 bits are too (RFC 7518 3.3).
    public init(parsing body: [UInt8]) throws(ProtocolViolation) {
        guard let node = try? JSONNode(parsing: body), let list = node["keys"]?.array else {
            throw ProtocolViolation(.keys, "they are no JSON with keys", source: "RFC 7517 5")
        }
        keys = list.compactMap { node in
            guard node["kty"]?.string == "RSA", node["use"]?.string ?? "sig" == "sig",
                node["alg"]?.string ?? "RS256" == "RS256",
                let n = node["n"]?.string.flatMap(Base64URL.decode),
                let e = node["e"]?.string.flatMap(Base64URL.decode),
                let key = try? _RSA.Signing.PublicKey(n: Data(n), e: Data(e)), key.keySizeInBits >= 2048
            else { return nil }
            return (node["kid"]?.string, key)
        }
    }

    /// How many keys can check a signature.
    public var count: Int { keys.count }

    /// Whether there is a key of that id.
    public func has(keyID: String) -> Bool { keys.contains { $0.id == keyID } }

    /// Checks the signature. RS256 is what B2C signs with; `none` and the HMAC algorithms are refused like any other
    /// (RFC 8725 3.1 and 3.2).
    public func verify(_ token: SignedToken) throws(ProtocolViolation) {
        guard token.algorithm == "RS256" else {
            throw ProtocolViolation(
                .idToken, "its algorithm is “\(token.algorithm)”, not RS256", source: "OpenID Connect Core 3.1.3.7 (7)")
        }
        let candidates = candidates(token)
        guard !candidates.isEmpty else {
            throw ProtocolViolation(
                .idToken, "it names a key that the server does not publish", source: "OpenID Connect Core 10.1")
        }
        let digest = SHA256.hash(data: token.signedBytes)
        let signature = _RSA.Signing.RSASignature(rawRepresentation: token.signature)
        guard candidates.contains(where: { $0.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5) })
        else {
            throw ProtocolViolation(
                .idToken, "its signature is not the server's", source: "OpenID Connect Core 3.1.3.7 (6)")
        }
    }

    private func candidates(_ token: SignedToken) -> [_RSA.Signing.PublicKey] {
        keys.filter { token.keyID == nil || $0.id == token.keyID }.map(\.key)
    }
}
