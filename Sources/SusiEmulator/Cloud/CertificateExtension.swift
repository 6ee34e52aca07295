import Crypto
import FoundationEssentials
import NIOCore
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

    // First the permitted names, then the excluded ones.
    private static func nameConstraints(_ names: [CertificateName]) -> [UInt8] {
        sequence { coder in
            for (number, names) in [names, CertificateName.below(names)].enumerated() where !names.isEmpty {
                coder.appendConstructedNode(identifier: tag(UInt(number))) { coder in
                    for name in names {
                        coder.appendConstructedNode(identifier: .sequence) { name.write(name.constraint, to: &$0) }
                    }
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
package enum CertificateName: Hashable, Sendable, CustomStringConvertible {
    /// A host name or, in text, an address.
    case dns(String), address(String)

    /// The names of this machine.
    static let loopback: [CertificateName] = [.dns("localhost"), .address("127.0.0.1"), .address("::1")]

    /// The name for a host in an address.
    init(host: String) { self = packed(host) == nil ? .dns(host) : .address(host) }

    package var description: String {
        switch self {
        case .dns(let name), .address(let name): name
        }
    }

    /// All names below these, as far as none of these is below another. A permitted name permits them too, and it can be a
    /// domain of the internet. The dot at the start is not in RFC 5280; OpenSSL, BoringSSL, NSS and Go read it in this way.
    static func below(_ names: [CertificateName]) -> [CertificateName] {
        let hosts = names.filter { !$0.isAddress }.map(\.description)
        return hosts.filter { host in !hosts.contains { $0.hasSuffix(".\(host)") } }.map { .dns(".\($0)") }
    }

    var isAddress: Bool { if case .address = self { true } else { false } }

    fileprivate var bytes: [UInt8] { isAddress ? packed(description) ?? [] : Array(description.utf8) }

    /// The name as a constraint, where an address has a mask (section 4.2.1.10).
    fileprivate var constraint: [UInt8] { isAddress ? bytes + [UInt8](repeating: 0xff, count: bytes.count) : bytes }

    fileprivate func write(_ content: [UInt8], to coder: inout DER.Serializer) {
        coder.appendPrimitiveNode(identifier: tag(isAddress ? 7 : 2)) { $0 += content }
    }

    /// The names of the server with this certificate, or those to which it limits the certificates that it signs, with the
    /// excluded ones, which begin with a dot.
    static func names(in certificate: [UInt8]) -> [CertificateName] {
        guard let all = try? DER.parse(certificate).leaves,
            // subjectAltName, nameConstraints.
            let id = all.firstIndex(where: { [[0x55, 0x1d, 0x11], [0x55, 0x1d, 0x1e]].contains($0.bytes) }),
            let value = all[id...].first(where: { $0.identifier == .octetString }),
            let names = try? DER.parse(value.bytes).leaves
        else { return [] }
        return names.compactMap { name in
            guard name.identifier == tag(7) else { return .dns(String(decoding: name.bytes, as: UTF8.self)) }
            // In a constraint, the second half is the mask.
            let length = [4, 16].contains(name.bytes.count) ? name.bytes.count : name.bytes.count / 2
            let address = try? SocketAddress(packedIPAddress: ByteBuffer(bytes: name.bytes.prefix(length)), port: 0)
            return address?.ipAddress.map(CertificateName.address)
        }
    }
}

private func packed(_ address: String) -> [UInt8]? {
    guard let text = (try? SocketAddress(ipAddress: address, port: 0))?.ipAddress else { return nil }
    guard text.contains(":") else { return text.split(separator: ".").compactMap { UInt8($0) } }
    let parts = text.split(separator: "::", omittingEmptySubsequences: false).map { part in
        part.split(separator: ":").compactMap { UInt16($0, radix: 16) }
    }
    let end = parts.count > 1 ? parts[1] : []
    let groups = parts[0] + Array(repeating: 0, count: max(0, 8 - parts[0].count - end.count)) + end
    return groups.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
}

extension ASN1Node {
    fileprivate var leaves: [ASN1Node] {
        switch content {
        case .primitive: [self]
        case .constructed(let children): children.flatMap(\.leaves)
        }
    }

    fileprivate var bytes: [UInt8] { if case .primitive(let bytes) = content { Array(bytes) } else { [] } }
}
