import Crypto
import CryptoExtras
import SusiBase
import SwiftASN1

/// An unsigned X.509 certificate (RFC 5280 section 4.1).
///
/// It is written with the ASN.1 package that swift-crypto depends on: an X.509 library would be another package, and slow the
/// start of every command.
struct Certificate {
    let issuer: String
    let subject: String
    /// In epoch seconds.
    let validity: ClosedRange<Int64>
    /// The public key as SubjectPublicKeyInfo, in DER.
    let key: [UInt8]
    var extensions: [CertificateExtension] = []
    /// Random bytes for the serial number; 16 at most.
    var serial = RandomBytes.make(16)

    /// The signed certificate, in DER.
    func signed(by issuer: P256.Signing.PrivateKey) throws -> [UInt8] {
        // ecdsa-with-SHA256 (RFC 5758 section 3.2), which has no parameters.
        try signed("1.2.840.10045.4.3.2", parameters: []) { try Array(issuer.signature(for: $0).derRepresentation) }
    }

    /// The certificate with an RSA signature, the same each time.
    func signed(by issuer: _RSA.Signing.PrivateKey) throws -> [UInt8] {
        // sha256WithRSAEncryption (RFC 4055 section 5), whose parameters are NULL.
        try signed("1.2.840.113549.1.1.11", parameters: [0x05, 0x00]) {
            try Array(issuer.signature(for: $0, padding: .insecurePKCS1v1_5).rawRepresentation)
        }
    }

    private func signed(
        _ algorithm: ASN1ObjectIdentifier, parameters: [UInt8], sign: ([UInt8]) throws -> [UInt8]
    ) throws -> [UInt8] {
        let identifier = try der {
            try $0.appendConstructedNode(identifier: .sequence) {
                try $0.serialize(algorithm)
                $0.serializeRawBytes(parameters)
            }
        }
        let content = try der {
            try $0.appendConstructedNode(identifier: .sequence) { try writeContent(&$0, algorithm: identifier) }
        }
        let signature = try sign(content)
        return try der {
            try $0.appendConstructedNode(identifier: .sequence) { coder in
                coder.serializeRawBytes(content)
                coder.serializeRawBytes(identifier)
                try coder.serialize(ASN1BitString(bytes: signature[...]))
            }
        }
    }

    private func writeContent(_ coder: inout DER.Serializer, algorithm: [UInt8]) throws {
        try coder.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) { try $0.serialize(2) }
        // Section 4.1.2.2: positive and at most 20 bytes.
        try coder.serialize(([0x40] + serial)[...])
        coder.serializeRawBytes(algorithm)
        try Self.write(name: issuer, &coder)
        coder.appendConstructedNode(identifier: .sequence) { coder in
            Self.write(time: validity.lowerBound, &coder)
            Self.write(time: validity.upperBound, &coder)
        }
        try Self.write(name: subject, &coder)
        coder.serializeRawBytes(key)
        guard !extensions.isEmpty else { return }
        try coder.serialize(explicitlyTaggedWithTagNumber: 3, tagClass: .contextSpecific) { coder in
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                for item in extensions { try item.write(to: &coder) }
            }
        }
    }

    // A name with only a common name.
    private static func write(name: String, _ coder: inout DER.Serializer) throws {
        let commonName: ASN1ObjectIdentifier = "2.5.4.3"
        try coder.appendConstructedNode(identifier: .sequence) { coder in
            try coder.appendConstructedNode(identifier: .set) { coder in
                try coder.appendConstructedNode(identifier: .sequence) { coder in
                    try coder.serialize(commonName)
                    coder.appendPrimitiveNode(identifier: .utf8String) { $0 += name.utf8 }
                }
            }
        }
    }

    // Section 4.1.2.5: the year has two digits until 2049, four from 2050.
    private static func write(time: Int64, _ coder: inout DER.Serializer) {
        let text = EpochTime.text(time).filter { !"-T:".contains($0) }
        let isShort = text < "2050"
        coder.appendPrimitiveNode(identifier: isShort ? .utcTime : .generalizedTime) { bytes in
            bytes += text.utf8.dropFirst(isShort ? 2 : 0)
        }
    }
}

/// The output of `write`, in DER.
func der(_ write: (inout DER.Serializer) throws -> Void) rethrows -> [UInt8] {
    var coder = DER.Serializer()
    try write(&coder)
    return coder.serializedBytes
}
