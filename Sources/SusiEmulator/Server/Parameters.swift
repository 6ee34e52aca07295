/// The fields of a query or of a form (`application/x-www-form-urlencoded`).
struct Parameters: Sendable {
    private let fields: [String: String]
    /// The fields that were given more than once, the first of them first.
    let allRepeated: [String]

    init(_ text: some StringProtocol) {
        var fields: [String: String] = [:]
        var repeated: [String] = []
        // Bytes: iterating over characters is slow, and one character can have several bytes.
        for pair in Array(text.utf8).split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = Self.decoded(parts[0])
            let value = parts.count == 2 ? Self.decoded(parts[1]) : ""
            if fields[name] != nil { repeated.append(name) }
            fields[name] = value
        }
        self.fields = fields
        allRepeated = repeated
    }

    var repeated: String? { allRepeated.first }

    /// All fields, including empty ones.
    var all: [String: String] { fields }

    /// A field's value; an empty one counts as absent (RFC 6749 section 3.1).
    subscript(name: String) -> String? { fields[name].flatMap { $0.isEmpty ? nil : $0 } }

    private static func decoded(_ text: ArraySlice<UInt8>) -> String {
        percentDecoded(text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
    }
}

/// Decodes percent-encoding; returns invalid text unchanged (`removingPercentEncoding` needs full Foundation).
func percentDecoded(_ text: String) -> String { percentDecoded(Array(text.utf8)) }

private func percentDecoded(_ text: [UInt8]) -> String {
    guard text.contains(UInt8(ascii: "%")) else { return String(decoding: text, as: UTF8.self) }
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var index = 0
    while index < text.count {
        guard text[index] == UInt8(ascii: "%") else {
            result.append(text[index])
            index += 1
            continue
        }
        guard index + 2 < text.count, let high = digit(text[index + 1]), let low = digit(text[index + 2]) else {
            return String(decoding: text, as: UTF8.self)
        }
        result.append(high << 4 | low)
        index += 3
    }
    return String(validating: result, as: UTF8.self) ?? String(decoding: text, as: UTF8.self)
}

// The value of a hexadecimal digit.
private func digit(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
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
