package import SusiBase

/// The name of one tenant: its GUID or one of its domains, in lower case.
package struct TenantName: Hashable, Sendable, CustomStringConvertible {
    /// The GUID or the domain, in lower case.
    package let description: String

    /// Parses a GUID or a domain name. Words such as `common` stand for several tenants and are refused.
    package init(_ text: String) throws(InvalidInput) {
        description = text.lowercased()
        guard description.isGUID || Self.isDomain(description) else {
            throw InvalidInput("expected one tenant: a GUID, or a domain such as contoso.onmicrosoft.com")
        }
    }

    // Two or more labels of letters, digits and hyphens (RFC 1123 section 2.1).
    private static func isDomain(_ text: String) -> Bool {
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let hyphen = UInt8(ascii: "-")
        return text.utf8.count <= 253 && labels.count > 1
            && labels.allSatisfy { label in
                (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
                    && label.allSatisfy { $0 == hyphen || $0.isAlphanumeric }
            }
    }
}

/// The sign-ins of an application do not serve other tenants.
package struct NoOtherTenants: Error, Hashable, Sendable {
    package let application: String
    package let kind: AuthorityKind
}

extension Application {
    /// Returns the application at another tenant: with the same policies, APIs and client id.
    ///
    /// Its authorities are known only if an entry of `knownAuthorities` names the tenant: an entry that is only a host would
    /// let a typing error send a refresh token to any tenant there.
    package func at(_ tenant: TenantName) throws(NoOtherTenants) -> Application {
        guard kind.traits.refreshServesEveryTenant else { throw NoOtherTenants(application: name, kind: kind) }
        var there = self
        there.tenant = tenant
        there.knownAuthorities = knownAuthorities.namingTenants
        return there
    }

    /// The policies whose sign-ins also serve a policy in its tenant, the best one first: the policy itself if ``tenant``
    /// replaces its own, else those at the application's authority. Only those of the same cloud.
    package func homePolicies(of policy: Policy) -> [Policy] {
        let authority = authority(for: policy)
        guard kind.traits.refreshServesEveryTenant, !authority.isMultiTenant else { return [] }
        if tenant != nil { return [policy] }
        guard policy.authority != nil else { return [] }
        let others = policies.filter { $0.authority == nil && self.authority(for: $0).origin == authority.origin }
        return others.filter { $0.name == defaultPolicy?.name } + others.filter { $0.name != defaultPolicy?.name }
    }

    /// The tenants that `knownAuthorities` names, if a sign-in serves several.
    package var namedTenants: [TenantName] {
        kind.traits.refreshServesEveryTenant ? knownAuthorities.tenants(at: authority.origin) : []
    }

    package func namedAuthorities(for policy: Policy) -> [Authority] {
        guard kind.traits.refreshServesEveryTenant else { return [] }
        let home = homeAuthority(for: policy)
        return knownAuthorities.tenants(at: home.base.origin).map(home.at)
    }
}

extension Authority {
    func at(_ tenant: TenantName) -> Authority {
        Authority(
            kind: kind, base: base.replacing(segments: [tenant.description]), policy: policy, policyPlace: policyPlace)
    }
}
