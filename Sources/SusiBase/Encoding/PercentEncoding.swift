/// Percent-encoding (RFC 3986 section 2.1).
package enum PercentEncoding {
    /// Encodes all bytes but those that `isKept` selects; unless told otherwise, the unreserved characters (section 2.3).
    package static func encode(
        _ text: String, keeping isKept: (UInt8) -> Bool = { $0.isAlphanumeric || "-._~".utf8.contains($0) }
    ) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if isKept(byte) { encoded.append(byte) } else { encoded += escape(byte) }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Encodes all characters that a path or a query may not contain. Existing escapes are kept; a percent sign that
    /// begins no escape is encoded.
    package static func completed(_ text: String) -> String {
        var encoded: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let isEscape = byte == UInt8(ascii: "%") && escaped(rest) != nil
            encoded += isEscape || isAllowed(byte) ? [byte] : escape(byte)
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Decodes a text; returns `nil` if an escape is malformed or the bytes are not UTF-8.
    package static func decode(_ text: some StringProtocol) -> String? { decode(text.utf8) }

    static func decode(_ text: some Collection<UInt8>) -> String? {
        var isMalformed = false
        let bytes = bytes(text) { isMalformed = true }
        return isMalformed ? nil : String(validating: bytes, as: UTF8.self)
    }

    /// Decodes what can be decoded, and keeps the rest as it is.
    package static func decodeLeniently(_ text: String) -> String {
        String(decoding: bytes(text.utf8) {}, as: UTF8.self)
    }

    private static func bytes(_ text: some Collection<UInt8>, malformed: () -> Void) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            if let value = escaped(rest) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                malformed()
                bytes.append(byte)
            }
        }
        return bytes
    }

    // The byte of the two digits at the start of a text.
    private static func escaped(_ rest: some Collection<UInt8>) -> UInt8? {
        let digits = rest.prefix(2).compactMap(Hexadecimal.value)
        return digits.count == 2 ? digits[0] << 4 | digits[1] : nil
    }

    private static func escape(_ byte: UInt8) -> [UInt8] {
        [UInt8(ascii: "%")] + Hexadecimal.encode([byte]).uppercased().utf8
    }

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
