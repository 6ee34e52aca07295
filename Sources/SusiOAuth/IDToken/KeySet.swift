import SusiBase
import SusiPolicies

/// A server's signing keys (RFC 7517).
package struct KeySet: Sendable {
    /// The maximum number of keys; the rest is ignored.
    private static let mostKeys = 100

    private let keys: [(id: String?, key: VerificationKey)]

    /// Parses a key set. Keys that cannot or must not verify a signature are ignored; several keys may share an id (RFC
    /// 7517 4.5).
    package init(parsing body: [UInt8]) throws(ProtocolViolation) {
        guard let node = try? JSONNode(parsing: body), let list = node["keys"]?.array else {
            throw ProtocolViolation(.keys, "not JSON with keys", source: "RFC 7517 5")
        }
        keys = list.prefix(Self.mostKeys).compactMap { node in
            VerificationKey(node).map { (node["kid"]?.string, $0) }
        }
    }

    /// The number of keys that can verify a signature.
    package var count: Int { keys.count }

    /// Whether a key has that id; without an id, whether there is any key.
    package func hasKey(_ id: String?) -> Bool { keys.contains { id == nil || $0.id == id } }

    /// Whether one of the keys signed the token. Some servers replace a key and keep its id.
    package func hasSigned(_ token: SignedToken) -> Bool { (try? verify(token)) != nil }

    /// Verifies the signature. Algorithms that ``SignatureAlgorithm`` does not list are rejected, including `none` and
    /// HMAC (RFC 8725 3.1 and 3.2); a key is used only with the algorithm of its type.
    package func verify(_ token: SignedToken) throws(ProtocolViolation) {
        guard let algorithm = SignatureAlgorithm(rawValue: token.algorithm) else {
            let known = SignatureAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
            throw ProtocolViolation(
                .idToken, "unsupported algorithm “\(token.algorithm)”; supported: \(known)",
                source: "OpenID Connect Core 3.1.3.7 (7)")
        }
        let named = keys.filter { token.keyID == nil || $0.id == token.keyID }.map(\.key)
        guard !named.isEmpty else {
            throw ProtocolViolation(
                .idToken, "its key (kid) is not among the server's keys", source: "OpenID Connect Core 10.1")
        }
        let candidates = named.filter { $0.serves(algorithm) }
        guard !candidates.isEmpty else {
            throw ProtocolViolation(
                .idToken, "its key (kid) is not usable with \(algorithm.rawValue)", source: "RFC 8725 3.1")
        }
        guard candidates.contains(where: { $0.verifies(token, algorithm) }) else {
            throw ProtocolViolation(
                .idToken, "invalid signature", source: "OpenID Connect Core 3.1.3.7 (6)")
        }
    }
}
