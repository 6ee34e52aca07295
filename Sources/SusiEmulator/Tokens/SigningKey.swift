import Crypto
import CryptoExtras
import FoundationEssentials

/// An RSA-2048 key that signs the tenant's tokens.
struct SigningKey: Sendable {
    let id: String
    private let key: _RSA.Signing.PrivateKey
    private let modulus: [UInt8]
    private let exponent: [UInt8]
    private let created: Int64

    /// Makes a new key.
    static func make(now: Int64) throws -> SigningKey {
        try SigningKey(key: _RSA.Signing.PrivateKey(keySize: .bits2048), created: now)
    }

    /// Reads a key that was kept.
    init(der: [UInt8], created: Int64) throws {
        try self.init(key: _RSA.Signing.PrivateKey(derRepresentation: der), created: created)
    }

    private init(key: _RSA.Signing.PrivateKey, created: Int64) throws {
        let numbers = try key.publicKey.getKeyPrimitives()
        self.key = key
        self.created = created
        modulus = Array(numbers.modulus)
        exponent = Array(numbers.publicExponent)
        // RFC 7638: the thumbprint of the key's required members, in this order.
        let members = "{\"e\":\"\(base64URL(exponent))\",\"kty\":\"RSA\",\"n\":\"\(base64URL(modulus))\"}"
        id = base64URL(sha256(members))
    }

    /// The private key for the database.
    var der: [UInt8] { Array(key.derRepresentation) }

    /// The public key as the keys endpoint shows it.
    var publicJSON: JSON {
        [
            "kid": .string(id), "nbf": .integer(created), "use": "sig", "kty": "RSA",
            "e": .string(base64URL(exponent)), "n": .string(base64URL(modulus)),
        ]
    }

    /// A signed token (RFC 7515, RS256).
    func sign(_ claims: JSON) throws -> String {
        let header: JSON = ["typ": "JWT", "alg": "RS256", "kid": .string(id)]
        let signed = try base64URL(header.encoded()) + "." + base64URL(claims.encoded())
        let signature = try key.signature(for: Data(signed.utf8), padding: .insecurePKCS1v1_5)
        return signed + "." + base64URL(signature.rawRepresentation)
    }
}
