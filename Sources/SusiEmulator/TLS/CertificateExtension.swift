import Crypto
import FoundationEssentials
import SwiftASN1

/// An extension of a certificate (RFC 5280 section 4.2).
struct CertificateExtension {
    private let id: ASN1ObjectIdentifier
    private let isCritical: Bool
    private let value: [UInt8]

    func write(to coder: inout DER.Serializer) throws {
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.serialize(id)
            if isCritical { try coder.serialize(true) }
            coder.appendPrimitiveNode(identifier: .octetString) { $0 += value }
        }
    }

    /// The extensions of a certificate authority, which limit it to certificates of servers with these names (sections 4.2.1.3,
    /// 4.2.1.9, 4.2.1.10 and 4.2.1.12). A stolen key cannot impersonate other servers.
    static func ofAuthority(
        _ key: P256.Signing.PublicKey, limitedTo names: [CertificateName]
    ) throws -> [CertificateExtension] {
        [
            CertificateExtension(
                id: "2.5.29.19", isCritical: true,
                value: try sequence {
                    try $0.serialize(true)
                    try $0.serialize(0)
                }),
            // keyCertSign and cRLSign.
            try keyUsage(ASN1BitString(bytes: [0b0000_0110], paddingBits: 1)),
            try serverAuthentication(),
            CertificateExtension(id: "2.5.29.30", isCritical: true, value: nameConstraints(names)),
            subjectKey(key),
        ]
    }

    static func ofServer(
        _ key: P256.Signing.PublicKey, names: [CertificateName], issuer: P256.Signing.PublicKey
    ) throws -> [CertificateExtension] {
        [
            CertificateExtension(id: "2.5.29.19", isCritical: true, value: sequence { _ in }),
            // digitalSignature.
            try keyUsage(ASN1BitString(bytes: [0b1000_0000], paddingBits: 7)),
            try serverAuthentication(),
            CertificateExtension(
                id: "2.5.29.17", isCritical: false,
                value: sequence { coder in for name in names { name.write(name.bytes, to: &coder) } }),
            subjectKey(key),
            CertificateExtension(
                id: "2.5.29.35", isCritical: false,
                value: sequence { $0.appendPrimitiveNode(identifier: tag(0)) { $0 += identifier(of: issuer) } }),
        ]
    }

    private static func keyUsage(_ bits: ASN1BitString) throws -> CertificateExtension {
        CertificateExtension(id: "2.5.29.15", isCritical: true, value: try der { try $0.serialize(bits) })
    }

    private static func serverAuthentication() throws -> CertificateExtension {
        let purpose: ASN1ObjectIdentifier = "1.3.6.1.5.5.7.3.1"
        return CertificateExtension(
            id: "2.5.29.37", isCritical: false, value: try sequence { try $0.serialize(purpose) })
    }

    private static func nameConstraints(_ names: [CertificateName]) -> [UInt8] {
        sequence { coder in
            coder.appendConstructedNode(identifier: tag(0)) { coder in
                for name in names {
                    coder.appendConstructedNode(identifier: .sequence) { name.write(name.constraint, to: &$0) }
                }
            }
        }
    }

    private static func subjectKey(_ key: P256.Signing.PublicKey) -> CertificateExtension {
        CertificateExtension(
            id: "2.5.29.14", isCritical: false,
            value: der { $0.appendPrimitiveNode(identifier: .octetString) { $0 += identifier(of: key) } })
    }

    /// A key's identifier: the first 20 bytes of the SHA-256 of its bits (RFC 7093 section 2).
    static func identifier(of key: P256.Signing.PublicKey) -> [UInt8] {
        Array(SHA256.hash(data: key.x963Representation).prefix(20))
    }

    private static func sequence(_ write: (inout DER.Serializer) throws -> Void) rethrows -> [UInt8] {
        try der { try $0.appendConstructedNode(identifier: .sequence, write) }
    }
}

private func tag(_ number: UInt) -> ASN1Identifier {
    ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific)
}

/// A name in a certificate of a server (RFC 5280 section 4.2.1.6).
enum CertificateName: Hashable, Sendable {
    case dns(String)
    case ipv4, ipv6

    /// The names of this machine.
    static let loopback: [CertificateName] = [.dns("localhost"), .ipv4, .ipv6]

    fileprivate var bytes: [UInt8] {
        switch self {
        case .dns(let name): Array(name.utf8)
        case .ipv4: [127, 0, 0, 1]
        case .ipv6: [UInt8](repeating: 0, count: 15) + [1]
        }
    }

    /// The name as a constraint, where an address has a mask (section 4.2.1.10).
    fileprivate var constraint: [UInt8] { isAddress ? bytes + [UInt8](repeating: 0xff, count: bytes.count) : bytes }

    private var isAddress: Bool { self == .ipv4 || self == .ipv6 }

    fileprivate func write(_ content: [UInt8], to coder: inout DER.Serializer) {
        coder.appendPrimitiveNode(identifier: tag(isAddress ? 7 : 2)) { $0 += content }
    }
}
