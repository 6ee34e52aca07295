/// Who is asked: a tenant's address together with a policy.
public struct Authority: Hashable, Sendable {
    /// The kind, which knows the shapes.
    public let kind: AuthorityKind
    /// The tenant's address without a policy.
    public let base: WebAddress
    /// The policy. In the kinds without policies it stays on this machine.
    public let policy: PolicyName
    /// Where the policy stands in addresses.
    public let policyPlace: PolicyPlace

    /// Makes an authority; nothing is contacted.
    public init(kind: AuthorityKind, base: WebAddress, policy: PolicyName, policyPlace: PolicyPlace = .path) {
        self.kind = kind
        self.base = base
        self.policy = policy
        self.policyPlace = policyPlace
    }

    /// Where its OpenID configuration is.
    public var discovery: Endpoint { kind.rules.discovery(of: self) }

    /// The whole authority: the base with the tenant and, where there are policies, the policy.
    public var address: Endpoint { kind.rules.address(of: self) }

    /// The tenant as the base names it: a domain name or a GUID; the whole issuer of a provider without tenants.
    public var tenant: String? { kind.rules.tenant(of: base) }

    /// Scheme, host and port, one for all names of a service's host: the accounts of an authority are kept under it.
    public var origin: String { kind.rules.origin(of: base) }

    /// Whether it gives tokens of several tenants (`common`, `organizations`).
    public var isMultiTenant: Bool { kind.rules.isMultiTenant(base) }

    /// Whose tokens an issuer stands for. Throws when the issuer may not speak for this authority.
    public func tenant(ofIssuer issuer: String) throws(WrongIssuer) -> IssuingTenant {
        try kind.rules.tenant(ofIssuer: issuer, from: self)
    }

    /// The issuer of a token that names its tenant, where the configuration's issuer is a template; nil when tokens of
    /// that tenant may not come from here.
    public func issuer(template: String, tenantID: String) -> String? {
        guard tenantID.isGUID, kind.rules.serves(tenantID: tenantID, at: base) else { return nil }
        return template.replacing("{tenantid}", with: tenantID)
    }

    /// Whether Microsoft has to be asked if the host is one of its own, before anything else is sent to it.
    ///
    /// `knownAuthorities` comes first, and what it does not allow is never asked about. An entry that names the tenant too
    /// decides alone, as do the hosts that are built in and those of this machine. What is left is a workforce authority on
    /// an unknown host of which the list says the host and no more. Other kinds are never asked about (AADSTS50049).
    public func needsInstanceDiscovery(allowedBy entry: KnownAuthorities.Entry) -> Bool {
        entry.isHost && kind.rules.isUnknownHost(base)
    }

    /// Whether an endpoint that the authority's configuration names may be contacted: on the authority's own host, on
    /// another host of the same service, or at an address that an entry of `known` names.
    public func mayUse(
        _ name: EndpointName, at address: WebAddress, tenant: IssuingTenant, known: KnownAuthorities
    ) -> Bool {
        guard address.isSecure else { return false }
        return address.origin == base.origin || kind.rules.mayPlace(name, at: address, of: self, tenant)
            || known.names(address)
    }
}
