/// Percent-encoding of a whole path with its query (RFC 3986 section 2.1).
package enum PercentEncoding {
    /// Encodes all characters that a path or a query may not contain. Existing escapes are kept; a percent sign that
    /// begins no escape is encoded.
    package static func completed(_ text: String) -> String {
        guard !text.utf8.allSatisfy(isAllowed) else { return text }
        var encoded = ""
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            let isEscape = byte == UInt8(ascii: "%") && digits.count == 2 && digits.allSatisfy(isHexDigit)
            if isEscape || isAllowed(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += "%" + String(0x100 + Int(byte), radix: 16).dropFirst().uppercased()
            }
        }
        return encoded
    }

    package static func isHexDigit(_ byte: UInt8) -> Bool { Character(Unicode.Scalar(byte)).isHexDigit && byte < 0x80 }

    // RFC 3986 section 3.3 and 3.4: pchar, the slash and the question mark. The percent sign is not among them.
    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || "-._~!$&'()*+,;=:@/?".utf8.contains(byte)
    }
}

extension UInt8 {
    /// Whether the byte is an ASCII letter or digit.
    package var isAlphanumeric: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// Whether the byte may be in a token (RFC 9110 section 5.6.2).
    package var isTokenCharacter: Bool { isAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(self) }
}
