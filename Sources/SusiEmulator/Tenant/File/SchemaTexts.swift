import FoundationEssentials
import SusiPolicies

// Kinds of text that only the tenant file contains.
extension SchemaNode.Text {
    /// A time that is not 0.
    static let lifetime = Self(
        "a time of one second or more such as “30s”, “5m”, “2h” or “14d”", pattern: "^0*[1-9][0-9]*[smhd]?$"
    ) { Duration.seconds(in: $0) ?? 0 > 0 }
    static let guid = Self("a GUID", pattern: "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$") {
        UUID(uuidString: $0) != nil
    }
    static let email = Self("an email address", pattern: "^[^\\s@]+@[^\\s@]+$") {
        let parts = $0.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && !$0.contains(where: \.isWhitespace) }
    }
    static let userName = Self("a user name, without “@”", pattern: "^[^@]+$") { !$0.isEmpty && !$0.contains("@") }
    static let file = Self("the path of a file", pattern: "^.+$", check: isCString)
    /// A client secret or a password.
    static let secret = Self("a secret of at least one character", pattern: "^.+$", check: isCString)
    static let base64 = Self("base64", pattern: "^[A-Za-z0-9+/]*={0,2}$") { Data(base64Encoded: $0) != nil }
    /// An address, or a path below the address of its server.
    static let addressOrPath = Self(
        "an address, or a path that begins with “/”", pattern: "^([Hh][Tt][Tt][Pp][Ss]?:/)?/[^ ?#]*$"
    ) { address.allows($0) || path.allows($0) }
    static let redirectAddress = Self(
        "a whole redirect address such as “http://localhost:8400/”",
        pattern: "^(?!(\(misleading.map(inAnyCase).joined(separator: "|"))):)[A-Za-z][A-Za-z0-9+.-]*:[!-\"$-~]+$"
    ) { text in
        let parts = text.split(separator: ":", maxSplits: 1)
        return parts.count == 2 && !text.hasPrefix(":")
            && text.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "#") }
            && !misleading.contains(parts[0].lowercased())
    }
    /// An error code of OAuth (RFC 6749 sections 4.1.2.1 and 5.2).
    static let oauthError = Self("an OAuth error such as “invalid_grant”", of: .token)

    // Schemes that the browser handles itself instead of starting an application.
    private static let misleading = ["about", "blob", "data", "file", "javascript", "vbscript"]

    private static func inAnyCase(_ word: String) -> String {
        word.map { "[\($0.uppercased())\($0)]" }.joined()
    }

    @Sendable private static func isCString(_ text: String) -> Bool { !text.isEmpty && !text.utf8.contains(0) }
}
