/// `application/x-www-form-urlencoded` (RFC 6749 appendix B); everything but unreserved characters is escaped.
package enum FormEncoding {
    package static func encode(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
    }

    /// Decodes a query or a form; returns `nil` if an escape is malformed or the bytes are not UTF-8.
    package static func decode(_ text: some StringProtocol) -> [(name: String, value: String)]? {
        var fields: [(name: String, value: String)] = []
        for pair in text.utf8.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = decodeField(parts[0]), let value = parts.count > 1 ? decodeField(parts[1]) : "" else {
                return nil
            }
            fields.append((name, value))
        }
        return fields
    }

    /// Decodes a name or a value; returns `nil` as ``decode(_:)`` does.
    package static func decodeField(_ text: some Sequence<UInt8>) -> String? {
        PercentEncoding.decode(text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 })
    }
}
