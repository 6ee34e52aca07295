import Crypto
import CryptoExtras
import FoundationEssentials
import SusiBase
import SusiPolicies

/// The accepted signature algorithms of id tokens (RFC 7518 section 3.1). All of them use SHA-256.
enum SignatureAlgorithm: String, CaseIterable, Sendable {
    case rs256 = "RS256"
    case ps256 = "PS256"
    case es256 = "ES256"
}

/// A public key that verifies signatures (RFC 7518 section 6).
struct VerificationKey: Sendable {
    private enum Key: Sendable {
        case rsa(_RSA.Signing.PublicKey)
        case p256(P256.Signing.PublicKey)
    }

    private let key: Key
    /// The only algorithm that the key allows, if it names one.
    private let algorithm: String?

    /// The accepted sizes of RSA keys: smaller ones are too weak (RFC 7518 3.3), larger ones too costly.
    private static let rsaBits = 2048...8192

    /// Reads a JWK; returns `nil` if its type or use is another one, if it is too weak or malformed, or if it contains
    /// a private key, which proves nothing once published.
    init?(_ node: JSONNode) {
        guard node["use"]?.string ?? "sig" == "sig", node["d"] == nil,
            node["key_ops"].map({ $0.strings?.contains("verify") ?? false }) ?? true
        else { return nil }
        switch (node["kty"]?.string, node["crv"]?.string) {
        case ("RSA", _):
            guard let n = Self.bytes(node["n"]), let e = Self.bytes(node["e"]),
                n.count * 8 <= Self.rsaBits.upperBound + 8, e.count <= 8,
                let key = try? _RSA.Signing.PublicKey(n: n, e: e), Self.rsaBits.contains(key.keySizeInBits)
            else { return nil }
            self.key = .rsa(key)
        case ("EC", "P-256"):
            // The library rejects points that are not on the curve.
            guard let x = Self.coordinate(node["x"]), let y = Self.coordinate(node["y"]),
                let key = try? P256.Signing.PublicKey(rawRepresentation: x + y)
            else { return nil }
            self.key = .p256(key)
        default: return nil
        }
        algorithm = node["alg"]?.string
    }

    // 32 bytes (RFC 7518 section 6.2.1.2); some servers omit leading zeros.
    private static func coordinate(_ node: JSONNode?) -> Data? {
        guard let bytes = bytes(node), (1...32).contains(bytes.count) else { return nil }
        return Data(count: 32 - bytes.count) + bytes
    }

    private static func bytes(_ node: JSONNode?) -> Data? {
        node?.string.flatMap { Base64URL.decode($0, allowsPadding: true) }.map { Data($0) }
    }

    /// Whether the key has the algorithm's type and names no other algorithm.
    func serves(_ wanted: SignatureAlgorithm) -> Bool {
        guard algorithm ?? wanted.rawValue == wanted.rawValue else { return false }
        switch (key, wanted) {
        case (.rsa, .rs256), (.rsa, .ps256), (.p256, .es256): return true
        case (.rsa, .es256), (.p256, .rs256), (.p256, .ps256): return false
        }
    }

    func verifies(_ token: SignedToken, _ algorithm: SignatureAlgorithm) -> Bool {
        let digest = SHA256.hash(data: token.signedBytes)
        switch key {
        case .rsa(let key):
            let signature = _RSA.Signing.RSASignature(rawRepresentation: token.signature)
            return key.isValidSignature(
                signature, for: digest, padding: algorithm == .ps256 ? .PSS : .insecurePKCS1v1_5)
        case .p256(let key):
            // The two concatenated numbers, 64 bytes (RFC 7518 3.4), not DER.
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: token.signature) else {
                return false
            }
            return key.isValidSignature(signature, for: digest)
        }
    }
}
