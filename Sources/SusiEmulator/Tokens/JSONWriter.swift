/// Writes JSON (RFC 8259) with sorted object members.
///
/// A token response contains six documents; encoding them with a general encoder takes half as long as making both
/// signatures.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    /// A number that JSON cannot represent, such as infinity (section 6).
    struct NoNumber: Error { let value: Double }

    mutating func write(_ value: JSON) throws(NoNumber) {
        switch value {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let value): bytes += "\(value)".utf8
        case .number(let value):
            guard value.isFinite else { throw NoNumber(value: value) }
            bytes += "\(value)".utf8
        case .string(let value): write(value)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                try write(element)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members): try write(members)
        }
    }

    private mutating func write(_ members: [String: JSON]) throws(NoNumber) {
        bytes.append(UInt8(ascii: "{"))
        for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            write(member.key)
            bytes.append(UInt8(ascii: ":"))
            try write(member.value)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    // Section 7: only quotation marks, backslashes and control characters are escaped.
    private mutating func write(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        defer { bytes.append(UInt8(ascii: "\"")) }
        // Iterating over an array is faster than over a string, and nearly every text, such as a token, is copied unchanged.
        let text = Array(text.utf8)
        guard text.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else {
            return bytes += text
        }
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x0a: bytes += "\\n".utf8
            case 0x0d: bytes += "\\r".utf8
            case 0x09: bytes += "\\t".utf8
            case ..<0x20: bytes += "\\u00\(hexadecimal(byte))".utf8
            default: bytes.append(byte)
            }
        }
    }
}
