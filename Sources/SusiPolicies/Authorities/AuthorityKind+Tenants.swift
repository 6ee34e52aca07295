import SusiBase

/// What addresses and names of tenants say about the kind of authority.
extension AuthorityKind {
    /// Returns the kind that an address without the suffix of its role determines: by a host of the service, else by its
    /// form. `policy` is the parameter `p`.
    static func of(
        _ address: WebAddress, segments: [String], policy: String?, seesOldAddresses: Bool
    ) -> AuthorityKind? {
        let isWrapped = segments.count > 1 && ["tfp", "te"].contains(segments[0])
        let path = isWrapped ? Array(segments.dropFirst()) : segments
        let namesPolicy = path.count == 2 && b2c.allows(policy: path[1])
        if let kind = ofServiceHost(address) {
            let isOld =
                seesOldAddresses && kind == .entra && (isWrapped || namesPolicy || policy.map(b2c.allows) ?? false)
            return isOld ? .b2c : kind
        }
        return policy != nil || segments.first == "tfp" || namesPolicy ? .b2c : nil
    }

    /// Returns the kind whose policies have such names; `nil` if there are no names, or if they fit no kind.
    package static func ofPolicies(_ names: [String]) -> AuthorityKind? {
        guard !names.isEmpty else { return nil }
        return allCases.first { kind in kind.traits.hasPolicies && names.allSatisfy(kind.allows(policy:)) }
    }

    /// Whether the service allows a policy of that name. It gives each name one of ``AuthorityTraits/policyPrefixes``.
    package func allows(policy name: String) -> Bool {
        let name = name.lowercased()
        return traits.policyPrefixes.isEmpty
            || traits.policyPrefixes.contains { name.hasPrefix($0.lowercased()) && name.count > $0.count }
    }

    /// The service's own address of a tenant with that name, for example `contoso.onmicrosoft.com`; `nil` if the name
    /// does not determine it.
    package func address(ofTenant name: String) -> WebAddress? { rules.address(ofTenant: name) }

    /// The address that replaces `base`, at which the service no longer answers; `nil` if there is none.
    package func replacement(for base: WebAddress) -> WebAddress? { rules.replacement(for: base) }

    /// Whether a word stands for several tenants, in place of the name of one.
    package static func areManyTenants(_ word: String) -> Bool {
        ["common", "organizations", "consumers"].contains(word.lowercased())
    }

    /// Whether a text can be the tenant in an address: a domain, an id, or a word for several tenants.
    package static func isTenant(_ text: String) -> Bool {
        if areManyTenants(text) || text.lowercased().isGUID { return true }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count > 1
            && labels.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "-") } }
    }

    /// Whether a name is one that the service gives each new tenant, as `contoso.onmicrosoft.com`.
    package static func isTenantName(_ text: String) -> Bool { tenantLabel(text) != nil }

    /// The tenant's own part of a name that the service gave it.
    static func tenantLabel(_ name: String) -> (label: String, suffix: String)? {
        let name = name.lowercased()
        for suffix in ["onmicrosoft.com", "partner.onmschina.cn", "onmicrosoft.us"] where name.hasSuffix(".\(suffix)") {
            let label = String(name.dropLast(suffix.count + 1))
            let isLabel = !label.isEmpty && label.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "-") }
            return isLabel ? (label, suffix) : nil
        }
        return nil
    }
}
