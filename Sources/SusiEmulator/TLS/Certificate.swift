import Crypto
import FoundationEssentials
import SwiftASN1

/// An unsigned X.509 certificate of a P-256 key (RFC 5280 section 4.1).
///
/// It is written with the ASN.1 package that swift-crypto depends on: an X.509 library would be another package, and slow the
/// start of every command.
struct Certificate {
    let issuer: String
    let subject: String
    /// The validity period, in epoch seconds.
    let validity: ClosedRange<Int64>
    let key: P256.Signing.PublicKey
    let extensions: [CertificateExtension]

    /// The signed certificate, in DER.
    func signed(by issuer: P256.Signing.PrivateKey) throws -> [UInt8] {
        let content = try der { try $0.appendConstructedNode(identifier: .sequence, writeContent) }
        let signature = try issuer.signature(for: content).derRepresentation
        return try der {
            try $0.appendConstructedNode(identifier: .sequence) { coder in
                coder.serializeRawBytes(content)
                try Self.writeAlgorithm(&coder)
                try coder.serialize(ASN1BitString(bytes: Array(signature)[...]))
            }
        }
    }

    private func writeContent(_ coder: inout DER.Serializer) throws {
        try coder.serialize(explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific) { try $0.serialize(2) }
        try coder.serialize(Self.serialNumber())
        try Self.writeAlgorithm(&coder)
        try Self.write(name: issuer, &coder)
        coder.appendConstructedNode(identifier: .sequence) { coder in
            Self.write(time: validity.lowerBound, &coder)
            Self.write(time: validity.upperBound, &coder)
        }
        try Self.write(name: subject, &coder)
        coder.serializeRawBytes(key.derRepresentation)
        try coder.serialize(explicitlyTaggedWithTagNumber: 3, tagClass: .contextSpecific) { coder in
            try coder.appendConstructedNode(identifier: .sequence) { coder in
                for item in extensions { try item.write(to: &coder) }
            }
        }
    }

    // Section 4.1.2.2: positive, unique, at most 20 bytes.
    private static func serialNumber() -> ArraySlice<UInt8> {
        var generator = SystemRandomNumberGenerator()
        return [UInt8.random(in: 0x40...0x7f, using: &generator)]
            + (0..<15).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    // ecdsa-with-SHA256 (RFC 5758 section 3.2), which has no parameters.
    private static func writeAlgorithm(_ coder: inout DER.Serializer) throws {
        let algorithm: ASN1ObjectIdentifier = "1.2.840.10045.4.3.2"
        try coder.appendConstructedNode(identifier: .sequence) { try $0.serialize(algorithm) }
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
        let style = Date.ISO8601FormatStyle(dateSeparator: .omitted, dateTimeSeparator: .space, timeSeparator: .omitted)
        let text = Date(timeIntervalSince1970: TimeInterval(time)).formatted(style).filter { $0 != " " }
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
