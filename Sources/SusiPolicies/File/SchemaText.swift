import SusiBase

extension SchemaNode {
    /// A kind of text: its name in messages, its check, and the pattern for JSON Schema editors.
    package struct Text: Sendable {
        /// The expected text, for messages and descriptions.
        package let expected: String
        /// The pattern that editors check; where the check is a parser, the pattern may accept more.
        package var pattern: String? { makePattern() }
        private let makePattern: @Sendable () -> String?
        private let check: @Sendable (String) -> Bool

        // A pattern is made when a schema is written: reading a file needs none.
        package init(
            _ expected: String, pattern: @escaping @Sendable @autoclosure () -> String?,
            check: @escaping @Sendable (String) -> Bool
        ) {
            self.expected = expected
            makePattern = pattern
            self.check = check
        }

        /// Makes a kind of text that consists of one or more of these characters.
        package init(_ expected: String, of characters: CharacterRanges) {
            self.init(expected, pattern: "^\(characters)+$") { !$0.isEmpty && characters.contains(allOf: $0) }
        }

        package func allows(_ text: String) -> Bool { check(text) }
    }

    /// ASCII characters that a text may contain.
    package struct CharacterRanges: Sendable, CustomStringConvertible {
        private let ranges: [ClosedRange<UInt8>]

        /// Makes a set of single characters, written as text, and of ranges.
        package init(_ single: String, _ ranges: ClosedRange<Unicode.Scalar>...) {
            let all =
                single.utf8.map { $0...$0 } + ranges.map { UInt8($0.lowerBound.value)...UInt8($0.upperBound.value) }
            self.ranges = all.sorted { $0.lowerBound < $1.lowerBound }
        }

        package func contains(allOf text: String) -> Bool {
            text.utf8.allSatisfy { byte in ranges.contains { $0.contains(byte) } }
        }

        /// The character class of a regular expression.
        package var description: String {
            let parts = ranges.map { range in
                range.count == 1
                    ? Self.escaped(range.lowerBound)
                    : "\(Self.escaped(range.lowerBound))-\(Self.escaped(range.upperBound))"
            }
            return "[\(parts.joined())]"
        }

        private static func escaped(_ byte: UInt8) -> String {
            let character = Unicode.Scalar(byte)
            return "[]\\^-".utf8.contains(byte) ? "\\\(character)" : "\(character)"
        }
    }
}

extension SchemaNode.CharacterRanges {
    fileprivate static let name = Self("._-", "a"..."z", "A"..."Z", "0"..."9")
    /// Visible ASCII without the quote and the backslash (RFC 6749 sections 3.3 and 5.2).
    package static let token = Self("!", "#"..."[", "]"..."~")
    /// Visible ASCII without `?` and `#`, which begin a query and a fragment.
    package static let address = Self("", "!"..."\"", "$"...">", "@"..."~")
}

extension SchemaNode.Text {
    package static let any = Self("a string", pattern: nil) { _ in true }
    package static let name = Self("a name of letters, digits, “.”, “_” and “-”", of: .name)
    // A policy becomes a segment of a path, where dots alone would change its meaning.
    package static let policyName = Self(
        "a policy name of letters, digits, “.”, “_” and “-”",
        pattern: "^(?!\\.{1,2}$)\(SchemaNode.CharacterRanges.name)+$"
    ) { name.allows($0) && $0 != "." && $0 != ".." }
    // RFC 6749 appendix A.1. A space at an end is left by a copy: no provider issues such an ID.
    package static let clientID = Self(
        "the application's (client) ID: ASCII characters, without spaces at the ends", pattern: "^[!-~]([ -~]*[!-~])?$"
    ) { text in
        text.utf8.allSatisfy { (0x20...0x7e).contains($0) } && !text.isEmpty && !text.hasPrefix(" ")
            && !text.hasSuffix(" ")
    }
    package static let address = Self(
        "an https address (http only for loopback hosts)",
        pattern: "^[Hh][Tt][Tt][Pp][Ss]?://\(SchemaNode.CharacterRanges.address)*$"
    ) {
        let start = $0.prefix(8).lowercased()
        return (start.hasPrefix("https://") || start.hasPrefix("http://"))
            && SchemaNode.CharacterRanges.address.contains(allOf: $0)
    }
    package static let authorityEntry = Self("a host, a host with a tenant, or a whole authority", of: .address)
    package static let scope = Self("a scope without spaces", of: .token)
    package static let audience = Self("an audience: the client ID of another application, or an address", of: .token)
    package static let path = Self("a path that begins with “/”", pattern: "^/\(SchemaNode.CharacterRanges.address)*$")
    {
        $0.hasPrefix("/") && SchemaNode.CharacterRanges.address.contains(allOf: $0)
    }
    package static let time = Self("a time such as “30s”, “5m”, “2h” or “14d”", pattern: "^[0-9]+[smhd]?$") {
        Duration.seconds(in: $0) != nil
    }
    package static let tenantName = Self(
        "a tenant's name, or the path of an OpenID provider without leading and trailing slashes",
        pattern: "^([^ ?#/]+(/[^ ?#/]+)*)?$"
    ) {
        $0.isEmpty
            || $0.split(separator: "/", omittingEmptySubsequences: false)
                .allSatisfy { authorityEntry.allows(String($0)) }
    }
}
