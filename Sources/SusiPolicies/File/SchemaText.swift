extension SchemaNode {
    /// A kind of text: one rule for messages, for JSON Schema editors and for the reader.
    package struct Text: Sendable {
        /// The expected text, for messages and descriptions.
        package let expected: String
        /// The rule as a regular expression of JSON Schema; nil for any text.
        package let pattern: String?
        /// Returns whether a text follows the rule.
        package let allows: @Sendable (String) -> Bool

        package init(_ expected: String, pattern: String?, allows: @escaping @Sendable (String) -> Bool) {
            self.expected = expected
            self.pattern = pattern
            self.allows = allows
        }
    }
}

extension SchemaNode.Text {
    package static let any = Self("text", pattern: nil) { _ in true }

    package static let name = Self(
        "a name of letters, digits, “.”, “_” and “-”", pattern: "^[A-Za-z0-9._-]+$"
    ) { isName($0) }

    // A policy becomes a segment of a path, where dots alone would change its meaning.
    package static let policyName = Self(
        "a policy name of letters, digits, “.”, “_” and “-”", pattern: "^(?!\\.{1,2}$)[A-Za-z0-9._-]+$"
    ) { isName($0) && $0 != "." && $0 != ".." }

    package static let clientID = Self("the application's (client) id", pattern: "^[A-Za-z0-9._:-]+$") {
        isName($0, or: UInt8(ascii: ":"))
    }

    package static let address = Self(
        "an https address (http only for loopback hosts)", pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^ ?#]+$"
    ) { isPlain($0) && ($0.lowercased().hasPrefix("https://") || $0.lowercased().hasPrefix("http://")) }

    package static let authorityEntry = Self(
        "a host, a host with a tenant, or a whole authority", pattern: "^[^ ?#]+$"
    ) { isPlain($0) }

    // RFC 6749 section 3.3: visible ASCII without the quote and the backslash.
    package static let scope = Self("a scope without spaces", pattern: "^[!#-\\[\\]-~]+$") { text in
        !text.isEmpty && text.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != 0x22 && $0 != 0x5c }
    }

    package static let path = Self("a path that begins with “/”", pattern: "^/[^ ?#]*$") {
        isPlain($0) && $0.utf8.first == UInt8(ascii: "/")
    }

    package static let tenantName = Self(
        "a tenant's name, or the path of an OpenID provider without leading and trailing slashes",
        pattern: "^([^ ?#/]+(/[^ ?#/]+)*)?$"
    ) { text in
        text.isEmpty || text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { isPlain(String($0)) }
    }

    private static func isName(_ text: String, or other: UInt8? = nil) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: byte == other
                }
            }
    }

    // Visible ASCII without a query or a fragment.
    private static func isPlain(_ text: String) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy {
                (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#")
            }
    }
}
