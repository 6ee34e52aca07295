import Crypto
import CryptoExtras
import FoundationEssentials
import SusiBase

/// How a tenant signs its tokens (RFC 7518 section 3.1).
package enum SigningAlgorithm: String, CaseIterable, Sendable {
    /// RSASSA-PKCS1-v1_5 with SHA-256, as Microsoft's services do.
    case rs256 = "RS256"
    /// RSASSA-PSS with SHA-256.
    case ps256 = "PS256"
    /// ECDSA with P-256 and SHA-256.
    case es256 = "ES256"
}

struct SigningKey: Sendable {
    private enum Material: Sendable {
        case rsa(_RSA.Signing.PrivateKey)
        case ec(P256.Signing.PrivateKey)
    }

    let algorithm: SigningAlgorithm
    let id: String
    let created: Int64
    private let material: Material
    // The public members of the JSON Web Key that are needed (RFC 7638 section 3.2).
    private let members: [String: String]
    /// A self-signed certificate for five years and its thumbprint (RFC 7517 sections 4.7 and 4.8), the same after each start. An
    /// EC key has none, because its signatures differ each time.
    let certificateMembers: [String: JSON]
    // The encoded header of nearly every token of this key.
    private var usualHeader = ""
    /// The usual `typ` of a token (RFC 7519 section 5.1).
    static let usualType = "JWT"

    static func make(_ algorithm: SigningAlgorithm, now: Int64) throws -> SigningKey {
        let material: Material =
            algorithm == .es256
            ? .ec(P256.Signing.PrivateKey()) : .rsa(try _RSA.Signing.PrivateKey(keySize: .bits2048))
        return try SigningKey(algorithm, material, created: now)
    }

    init(_ algorithm: SigningAlgorithm, der: [UInt8], created: Int64) throws {
        let material: Material =
            algorithm == .es256
            ? .ec(try P256.Signing.PrivateKey(derRepresentation: der))
            : .rsa(try _RSA.Signing.PrivateKey(derRepresentation: der))
        try self.init(algorithm, material, created: created)
    }

    private init(_ algorithm: SigningAlgorithm, _ material: Material, created: Int64) throws {
        self.algorithm = algorithm
        self.material = material
        self.created = created
        members = try Self.members(material)
        // RFC 7638: the thumbprint of the required members, in the order of their names.
        let text = members.sorted { $0.key < $1.key }.map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",")
        id = Base64URL.encode(sha256("{\(text)}"))
        certificateMembers = try Self.certificateMembers(material, id: id, created: created)
        usualHeader = try encodedHeader(type: Self.usualType)
    }

    private static func members(_ material: Material) throws -> [String: String] {
        switch material {
        case .rsa(let key):
            let numbers = try key.publicKey.getKeyPrimitives()
            return [
                "kty": "RSA", "e": Base64URL.encode(numbers.publicExponent), "n": Base64URL.encode(numbers.modulus),
            ]
        case .ec(let key):
            let point = key.publicKey.rawRepresentation
            return [
                "kty": "EC", "crv": "P-256", "x": Base64URL.encode(point.prefix(32)),
                "y": Base64URL.encode(point.suffix(32)),
            ]
        }
    }

    private static func certificateMembers(
        _ material: Material, id: String, created: Int64
    ) throws -> [String: JSON] {
        guard case .rsa(let key) = material else { return [:] }
        let name = "susi emulator"
        let certificate = try Certificate(
            issuer: name, subject: name, validity: created...created + 5 * 365 * 86_400,
            key: Array(key.publicKey.derRepresentation), serial: Array(sha256(id).prefix(16))
        ).signed(by: key)
        let thumbprint = Base64URL.encode(Insecure.SHA1.hash(data: certificate))
        return ["x5t": .string(thumbprint), "x5c": [.string(Data(certificate).base64EncodedString())]]
    }

    /// The private key for the database.
    var der: [UInt8] {
        switch material {
        case .rsa(let key): Array(key.derRepresentation)
        case .ec(let key): Array(key.derRepresentation)
        }
    }

    /// The public key as a JSON Web Key (RFC 7517). Microsoft's services do not name the algorithm in it.
    var publicMembers: [String: JSON] {
        var json = members.mapValues(JSON.string)
        json["kid"] = .string(id)
        json["use"] = "sig"
        if algorithm == .rs256 { json["nbf"] = .integer(created) } else { json["alg"] = .string(algorithm.rawValue) }
        return json
    }

    /// A signed token (RFC 7515).
    func sign(_ claims: JSON, type: String = usualType) throws -> String {
        let first = try type == Self.usualType ? usualHeader : encodedHeader(type: type)
        let signed = first + "." + Base64URL.encode(claims.encoded)
        return signed + "." + Base64URL.encode(try signature(Data(signed.utf8)))
    }

    private func encodedHeader(type: String) throws -> String {
        Base64URL.encode(JSON.object(header(type: type)).encoded)
    }

    /// The header of a token (RFC 7515 section 4.1).
    func header(type: String) -> [String: JSON] {
        ["typ": .string(type), "alg": .string(algorithm.rawValue), "kid": .string(id)]
    }

    /// The public key in PEM (RFC 7468 section 13).
    var publicPEM: String {
        switch material {
        case .rsa(let key): key.publicKey.pemRepresentation
        case .ec(let key): key.publicKey.pemRepresentation
        }
    }

    func signature(_ data: Data) throws -> Data {
        switch material {
        case .rsa(let key):
            try key.signature(for: data, padding: algorithm == .ps256 ? .PSS : .insecurePKCS1v1_5).rawRepresentation
        // RFC 7518 section 3.4: both numbers, concatenated.
        case .ec(let key): try key.signature(for: data).rawRepresentation
        }
    }
}
