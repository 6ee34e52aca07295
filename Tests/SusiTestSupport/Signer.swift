package import Crypto
package import CryptoExtras
import Foundation
import Susi

/// A key that signs tokens like a server, with its JWK.
package struct Signer: Sendable {
    package enum Key: Sendable {
        case rsa(_RSA.Signing.PrivateKey)
        case p256(P256.Signing.PrivateKey)
    }

    package let key: Key
    package let id: String

    /// An RSA key named `main`, created once.
    package static let main = Result { try Signer(id: "main") }
    /// Another RSA key, named `other`.
    package static let other = Result { try Signer(id: "other") }
    /// A P-256 key named `curve`.
    package static let curve = Signer(id: "curve", key: .p256(P256.Signing.PrivateKey()))

    package init(id: String, key: Key) {
        self.id = id
        self.key = key
    }

    package init(id: String, bits: Int = 2048) throws {
        self.init(id: id, key: .rsa(try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: bits))))
    }

    /// Returns the key as a member of `keys`; `with` changes members: text, or JSON if it begins with a bracket.
    package func jwk(_ with: [String: String?] = [:]) throws -> String {
        var members: [String: String] = ["use": "sig", "kid": id]
        switch key {
        case .rsa(let key):
            let numbers = try key.publicKey.getKeyPrimitives()
            members["kty"] = "RSA"
            members["n"] = Base64URL.encode(numbers.modulus)
            members["e"] = Base64URL.encode(numbers.publicExponent)
        case .p256(let key):
            let point = key.publicKey.rawRepresentation
            members["kty"] = "EC"
            members["crv"] = "P-256"
            members["x"] = Base64URL.encode(point.prefix(32))
            members["y"] = Base64URL.encode(point.suffix(32))
        }
        for (name, value) in with { members[name] = value }
        let texts = members.map { "\"\($0.key)\":" + ($0.value.hasPrefix("[") ? $0.value : "\"\($0.value)\"") }
        return "{" + texts.sorted().joined(separator: ",") + "}"
    }

    package static func keySet(_ keys: String...) -> String { "{\"keys\":[\(keys.joined(separator: ","))]}" }

    /// Returns a signed token of the claims. `header` replaces the usual header, `algorithm` the usual algorithm of the key.
    package func token(_ claims: String, header: String? = nil, algorithm: String? = nil) throws -> String {
        let algorithm = algorithm ?? usualAlgorithm
        let head = header ?? "{\"alg\":\"\(algorithm)\",\"kid\":\"\(id)\",\"typ\":\"JWT\"}"
        let signed = "\(Base64URL.encode(head.utf8)).\(Base64URL.encode(claims.utf8))"
        return "\(signed).\(Base64URL.encode(try signature(of: Array(signed.utf8), algorithm)))"
    }

    private var usualAlgorithm: String {
        switch key {
        case .rsa: "RS256"
        case .p256: "ES256"
        }
    }

    private func signature(of bytes: [UInt8], _ algorithm: String) throws -> Data {
        let digest = SHA256.hash(data: bytes)
        return switch key {
        case .rsa(let key):
            try key.signature(for: digest, padding: algorithm == "PS256" ? .PSS : .insecurePKCS1v1_5).rawRepresentation
        case .p256(let key): try key.signature(for: digest).rawRepresentation
        }
    }
}
