import SusiBase

/// How tokens name the attributes of users.
enum AttributeNames: Sendable {
    /// As they are: a custom attribute is `extension_NAME`.
    case plain
    /// `extn.NAME` for a custom attribute, the form of directory extensions among optional claims (Microsoft, “Configure and
    /// manage optional claims”).
    case directoryExtensions
    /// None but groups and roles.
    case groups

    /// The claim of an attribute; `nil` if tokens do not have it.
    func claim(_ attribute: String) -> String? {
        let prefix = "extension_"
        switch self {
        case .plain: return attribute
        case .directoryExtensions:
            return attribute.hasPrefix(prefix) ? "extn.\(attribute.dropFirst(prefix.count))" : attribute
        case .groups: return AttributeType.lists.contains(attribute) ? attribute : nil
        }
    }
}

extension User {
    /// The claims of the attributes; none if tokens do not name them. An empty list is no claim.
    func attributeClaims(_ names: AttributeNames?) -> [String: JSON] {
        guard let names, !attributes.isEmpty else { return [:] }
        let pairs = attributes.compactMap { attribute, value in
            value == [] ? nil : names.claim(attribute).map { ($0, value) }
        }
        return Dictionary(pairs) { first, _ in first }
    }
}

/// The claims of a user's groups in Microsoft's tokens, which have room for some only (Microsoft, “Access token claims
/// reference”, groups overage claim).
enum GroupClaims {
    /// The claims in place of `groups`.
    static let overage = ["_claim_names", "_claim_sources", "hasgroups"]
    // A response in an address has room for five.
    private static let mostInAddress = 5

    /// The user's groups, or how to find them if there are more than `limit`. `source` is the address that lists them.
    static func claims(_ groups: JSON, limit: Int, isInAddress: Bool, source: String) -> [String: JSON] {
        guard case .array(let all) = groups else { return ["groups": groups] }
        if isInAddress, all.count > min(limit, mostInAddress) { return ["hasgroups": .bool(true)] }
        guard all.count > limit else { return ["groups": groups] }
        return [
            "_claim_names": ["groups": "src1"], "_claim_sources": ["src1": ["endpoint": .string(source)]],
        ]
    }
}
