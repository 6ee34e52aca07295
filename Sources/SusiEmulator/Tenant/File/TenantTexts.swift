import FoundationEssentials
import SusiBase
package import SusiPolicies

/// The kinds of text of tenant files and of the admin API.
extension SchemaNode.Text {
    static let line = Self("a string without control characters", pattern: "^[^\\x00-\\x1f\\x7f]*$") { text in
        text.unicodeScalars.allSatisfy { $0.value > 0x1f && $0.value != 0x7f }
    }

    /// The name of an attribute. A token's own claims are not attributes: the tenant computes them.
    static let attribute = Self(
        "the name of a claim of letters, digits, “.”, “_” and “-” that tokens do not have anyway",
        pattern: "^(?!(\(ownClaims.joined(separator: "|")))$)[-._a-zA-Z0-9]+$"
    ) { name.allows($0) && !ownClaims.contains($0) }

    private static let ownClaims = (TokenIssuer.protocolClaims + ["idp"]).sorted()

    static let lifetime = Self(
        "a time of one second or more such as “30s”, “5m”, “2h” or “14d”", pattern: "^0*[1-9][0-9]*[smhd]?$"
    ) { Duration.seconds(in: $0) ?? 0 > 0 }

    static let guid = Self("a GUID", pattern: "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$") {
        UUID(uuidString: $0) != nil
    }

    // Splits by scalars, not by characters: a combining mark and the @ before it are one character.
    static let email = Self(
        "an email address (one @, no spaces)", pattern: "^[^@\\x00-\\x20\\x7f]+@[^@\\x00-\\x20\\x7f]+$"
    ) { text in
        let parts = text.unicodeScalars.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { userName.allows(String(Substring($0))) }
    }

    static let userName = Self("a name without @ or spaces", pattern: "^[^@\\x00-\\x20\\x7f]+$") { text in
        !text.isEmpty && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7f && $0 != "@" }
    }

    static let file = Self("the path of a file", pattern: "^.+$") { !$0.isEmpty && !$0.utf8.contains(0) }

    static let base64 = Self("base64", pattern: "^[A-Za-z0-9+/]*={0,2}$") { Data(base64Encoded: $0) != nil }

    static let base32 = Self(
        "at least 16 letters A to Z and digits 2 to 7 (base32)", pattern: "^[A-Z2-7]{16,}$"
    ) { text in
        text.utf8.count >= 16 && text.allSatisfy { ("A"..."Z").contains($0) || ("2"..."7").contains($0) }
    }

    static let addressOrPath = Self(
        "an address, or a path that begins with “/”", pattern: "^([Hh][Tt][Tt][Pp][Ss]?:/)?/[^ ?#]*$"
    ) { address.allows($0) || path.allows($0) }

    package static let redirectAddress = Self(
        "a whole redirect address without placeholders, such as “http://localhost:8400/”",
        pattern: "^(?!(\(misleading.map(inAnyCase).joined(separator: "|"))):)"
            + "[A-Za-z][A-Za-z0-9+.-]*:[!$-;=?-\\[\\]_a-z~]+$"
    ) { text in
        guard let colon = text.firstIndex(of: ":"), colon != text.startIndex, text.index(after: colon) != text.endIndex
        else { return false }
        // The characters of RFC 3986; the others stand in samples: “{tenant}”, “<your-app>”.
        return text.utf8.allSatisfy { (0x21...0x7e).contains($0) && !"\"#<>\\^`{|}".utf8.contains($0) }
            && !misleading.contains(text[..<colon].lowercased())
    }

    static let secret = Self("a secret of at least one character", pattern: file.pattern, check: file.allows)

    // RFC 6749 sections 4.1.2.1 and 5.2 allow spaces too, which no error has.
    static let oauthError = Self(
        "an OAuth error such as “invalid_grant”", pattern: scope.pattern, check: scope.allows)

    // Schemes that browsers handle themselves.
    private static let misleading = ["about", "blob", "data", "file", "javascript", "vbscript"]

    private static func inAnyCase(_ word: String) -> String {
        word.map { "[\($0.uppercased())\($0)]" }.joined()
    }
}
