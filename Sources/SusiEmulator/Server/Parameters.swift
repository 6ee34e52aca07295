/// The fields of a query or of a form (`application/x-www-form-urlencoded`).
struct Parameters: Sendable {
    private let fields: [String: String]
    /// The first field that was given more than once with two values.
    let repeated: String?

    init(_ text: some StringProtocol) {
        var fields: [String: String] = [:]
        var repeated: String?
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = Self.decoded(parts[0])
            let value = parts.count == 2 ? Self.decoded(parts[1]) : ""
            if let before = fields[name], before != value { repeated = repeated ?? name }
            fields[name] = value
        }
        self.fields = fields
        self.repeated = repeated
    }

    /// A field's value; an empty one counts as absent (RFC 6749 section 3.1).
    subscript(name: String) -> String? { fields[name].flatMap { $0.isEmpty ? nil : $0 } }

    private static func decoded<Text: StringProtocol>(_ text: Text) -> String {
        let spaced = String(text.map { $0 == "+" ? " " : $0 })
        return percentDecoded(spaced)
    }
}

/// Undoes percent-encoding; a text in which it is broken stays as it is (`removingPercentEncoding` needs full Foundation).
func percentDecoded(_ text: String) -> String {
    var result: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
        guard byte == 0x25 else {
            result.append(byte)
            continue
        }
        let digits = String(decoding: rest.prefix(2), as: UTF8.self)
        guard rest.count >= 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16) else {
            return text
        }
        result.append(value)
        rest.removeFirst(2)
    }
    return String(validating: result, as: UTF8.self) ?? text
}

/// Percent-encodes everything but the unreserved characters (RFC 3986 section 2.3).
func percentEncoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f, 0x7e:
            result.unicodeScalars.append(Unicode.Scalar(byte))
        default: result += "%" + hexadecimal(byte).uppercased()
        }
    }
    return result
}
