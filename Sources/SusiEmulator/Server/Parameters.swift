import SusiBase

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
        FormEncoding.decodeField(text) ?? String(decoding: text, as: UTF8.self)
    }
}

/// Decodes percent-encoding; returns invalid text unchanged.
func percentDecoded(_ text: String) -> String { PercentEncoding.decode(text) ?? text }
