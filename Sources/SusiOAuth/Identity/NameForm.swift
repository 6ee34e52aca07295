import SusiPolicies

// The one place that decides which texts are complete names. A complete name is matched exactly and never completed:
// “ana@contoso.com” is not short for “ana@contoso.com.br”.
extension String {
    /// Whether the text has the form of a whole address or of a whole identifier.
    package var isCompleteName: Bool {
        isWholeAddress || looksLikeIdentifier && !mayBeginGUID
    }

    /// Whether the text looks like an identifier: a GUID or more than its first group, a home account id, `auth0|123`, a long
    /// number.
    ///
    /// People choose their display name, and often their user name, themselves; such a name does not count if it looks like
    /// the identifier of somebody else.
    package var looksLikeIdentifier: Bool {
        if contains("@") || contains(where: \.isWhitespace) { return false }
        let isLongNumber = utf8.count > 15 && contains(where: \.isNumber) && allSatisfy(\.isHexDigit)
        return contains("|") || isLongNumber || utf8.count > 8 && mayStartWithGUID
    }

    /// Whether the text is the beginning of a GUID, or a GUID with more behind it, like a home account id.
    private var mayStartWithGUID: Bool {
        let start = lowercased().prefix(36)
        return String(start + Self.anyGUID.dropFirst(start.count)).isGUID
    }

    /// Whether the text is the beginning of a GUID. Only a GUID has a length by which a beginning is recognized.
    package var mayBeginGUID: Bool { utf8.count < 36 && mayStartWithGUID }

    private static let anyGUID = "00000000-0000-0000-0000-000000000000"

    private var isWholeAddress: Bool { split(separator: "@").dropFirst().contains { $0.contains(".") } }
}
