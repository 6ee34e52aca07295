package import SusiBase

/// A value that is none of the claim's type. It has no value, which may be a password.
package struct ClaimConversionError: Error, Hashable, Sendable {
    /// What was found, for example `a list`.
    package let found: String
    package let type: ClaimDataType
}

extension ClaimValue {
    /// Makes a value of a type from JSON of a REST service, a token or a directory; null gives `nil`.
    package static func make(
        _ node: JSONNode, as type: ClaimDataType
    ) throws(ClaimConversionError) -> ClaimValue? {
        if node.value == .null { return nil }
        // A field of a form that is left empty is no number and no date, and no mistake.
        if let text = node.string, text.isEmpty, type != .string { return nil }
        guard let value = converted(node, to: type) else { throw ClaimConversionError(found: node.kind, type: type) }
        return value
    }

    /// Makes a value of a type from a text of a form or a policy; an empty text is only a string.
    package static func make(_ text: String, as type: ClaimDataType) throws(ClaimConversionError) -> ClaimValue? {
        try make(.string(text), as: type)
    }

    /// Returns the value in another type, as a service that gets its JSON would read it.
    package func converted(to type: ClaimDataType) throws(ClaimConversionError) -> ClaimValue? {
        self.type == type ? self : try Self.make(json, as: type)
    }

    private static func converted(_ node: JSONNode, to type: ClaimDataType) -> ClaimValue? {
        switch type {
        case .string: .string(text(node))
        case .boolean: boolean(node).map(ClaimValue.boolean)
        case .int: integer(node).flatMap { Int32(exactly: $0) }.map(ClaimValue.int)
        case .long: integer(node).map(ClaimValue.long)
        case .date: node.string.flatMap(ClaimTime.date).map(ClaimValue.date)
        case .dateTime: dateTime(node).map(ClaimValue.dateTime)
        case .stringCollection: items(node).map(ClaimValue.stringCollection)
        case .userIdentity: UserIdentity(parsed(node)).map(ClaimValue.userIdentity)
        case .userIdentityCollection: identities(parsed(node)).map(ClaimValue.userIdentityCollection)
        case .phoneNumber: node.string.flatMap { PhoneNumber($0) }.map { .phoneNumber($0.text) }
        }
    }

    private static func text(_ node: JSONNode) -> String {
        switch node.value {
        case .string(let text), .number(let text): text
        case .bool(let flag): ClaimValue.boolean(flag).text
        default: JSONText.compact(node)
        }
    }

    private static func boolean(_ node: JSONNode) -> Bool? {
        node.bool ?? node.string.flatMap { ["true": true, "false": false][$0.trimmed.lowercased()] }
    }

    // A fraction is lost in no silence.
    private static func integer(_ node: JSONNode) -> Int64? {
        switch node.value {
        case .number(let text), .string(let text):
            Int64(text.trimmed) ?? Double(text.trimmed).flatMap { Int64(exactly: $0) }
        default: nil
        }
    }

    private static func dateTime(_ node: JSONNode) -> Int64? {
        if let text = node.string, let time = ClaimTime.milliseconds(text) { return time }
        guard let seconds = integer(node), EpochTime.clamped(seconds) == seconds else { return nil }
        return seconds * 1_000
    }

    private static func items(_ node: JSONNode) -> [String]? {
        guard let elements = node.array ?? node.string.map({ [.string($0)] }) else { return nil }
        let isSimple = elements.allSatisfy { $0.array == nil && !$0.isObject && $0.value != .null }
        return isSimple ? elements.map(text) : nil
    }

    private static func identities(_ node: JSONNode) -> [UserIdentity]? {
        guard let elements = node.array else { return nil }
        let identities = elements.compactMap { UserIdentity($0) }
        return identities.count == elements.count ? identities : nil
    }

    // Identities are also in texts, as in the claim alternativeSecurityId.
    private static func parsed(_ node: JSONNode) -> JSONNode {
        node.string.flatMap { try? JSONNode(parsing: $0.utf8, limit: 1_000) } ?? node
    }
}
