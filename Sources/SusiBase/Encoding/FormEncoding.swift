/// `application/x-www-form-urlencoded` (RFC 6749 appendix B); everything but unreserved characters is escaped.
package enum FormEncoding {
    /// Encodes names and values in order.
    package static func encode(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&")
    }

    /// Decodes a query or a form; returns `nil` if an escape is malformed or the bytes are not UTF-8.
    package static func decode(_ text: some StringProtocol) -> [(name: String, value: String)]? {
        var fields: [(name: String, value: String)] = []
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = unescape(parts[0]), let value = parts.count > 1 ? unescape(parts[1]) : "" else {
                return nil
            }
            fields.append((name, value))
        }
        return fields
    }

    /// Decodes percent-encoding only, as in an address (RFC 3986 section 2.1); returns `nil` as ``decode(_:)`` does.
    package static func decodeComponent(_ text: some StringProtocol) -> String? {
        unescape(text, isForm: false)
    }

    package static func encode(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if byte.isAlphanumeric || "-._~".utf8.contains(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func unescape(_ text: some StringProtocol, isForm: Bool = true) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "+") where isForm: bytes.append(0x20)
            case UInt8(ascii: "%"):
                guard rest.count >= 2, rest.prefix(2).allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                    let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
                else { return nil }
                bytes.append(value)
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
