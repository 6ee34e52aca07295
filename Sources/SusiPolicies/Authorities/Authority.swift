package import SusiBase

/// The address of a tenant together with a policy.
package struct Authority: Hashable, Sendable {
    /// The kind, which determines the form of addresses and issuers.
    package let kind: AuthorityKind
    /// The tenant's address without a policy.
    package let base: WebAddress
    /// The policy. In kinds without policies only this machine knows it.
    package let policy: PolicyName
    /// The position of the policy in addresses.
    package let policyPlace: PolicyPlace

    package init(kind: AuthorityKind, base: WebAddress, policy: PolicyName, policyPlace: PolicyPlace = .path) {
        self.kind = kind
        self.base = base
        self.policy = policy
        self.policyPlace = policyPlace
    }

    /// The address of the OpenID configuration.
    package var discovery: Endpoint { kind.rules.discovery(of: self) }

    /// The address with the tenant and, if the kind has policies, the policy.
    package var address: Endpoint { kind.rules.address(of: self) }

    /// The tenant in the base address: a domain name or a GUID; for a provider without tenants the whole issuer.
    package var tenant: String? { kind.rules.tenant(of: base) }

    /// Scheme, host and port under which accounts are stored; the same for all host names of a service.
    package var origin: String { kind.rules.origin(of: base) }

    /// Whether it issues tokens of several tenants (`common`, `organizations`).
    package var isMultiTenant: Bool { kind.rules.isMultiTenant(base) }

    /// The tenant of an issuer. Throws if the issuer is wrong for this authority. An entry of `known` names the issuer of a
    /// custom domain of External ID.
    package func tenant(
        ofIssuer issuer: String, known: KnownAuthorities = KnownAuthorities([])
    ) throws(InvalidInput) -> IssuingTenant {
        try kind.rules.tenant(ofIssuer: issuer, from: self, known: known)
    }

    /// Fills the tenant of a token into the issuer of the configuration, which is a template; returns `nil` if the
    /// authority does not issue tokens of that tenant.
    package func issuer(template: String, tenantID: String) -> String? {
        guard tenantID.isGUID, kind.rules.serves(tenantID: tenantID, at: base) else { return nil }
        return template.replacing("{tenantid}", with: tenantID)
    }

    /// Returns the token endpoint for a refresh token of a person of that tenant, given that of the configuration.
    package func tokenEndpoint(_ endpoint: Endpoint, ofTenant id: String) -> Endpoint {
        kind.rules.tokenEndpoint(endpoint, ofTenant: id, at: base)
    }

    /// The page on which local accounts enter device codes, if it is not the one that the server names (AADSTS500208).
    package var devicePageOfLocalAccounts: WebAddress? { kind.rules.devicePageOfLocalAccounts(at: base) }

    /// Whether instance discovery has to confirm the host before anything else is sent to it (AADSTS50049).
    ///
    /// `knownAuthorities` is checked first. Its entries with a tenant, the built-in hosts and loopback hosts need no
    /// confirmation; only an unknown host of the kind `entra` does.
    package func needsInstanceDiscovery(allowedBy entry: KnownAuthorities.Entry) -> Bool {
        entry.isHost && kind.rules.isUnknownHost(base)
    }

    /// Returns an endpoint of native authentication; `nil` if the kind has none.
    ///
    /// The address follows from the authority alone. The configuration does not name it, and its token endpoint may be on
    /// another host.
    package func nativeEndpoint(_ name: String) -> Endpoint? {
        kind.traits.nativeAuthenticationPath.map { Endpoint(address.address.appending($0 + [name])) }
    }

    /// Whether an endpoint of the authority's configuration may be contacted: on the authority's own host, on another
    /// host of the same service, or at an address in an entry of `known`.
    package func mayUse(
        _ name: EndpointName, at address: WebAddress, tenant: IssuingTenant, known: KnownAuthorities
    ) -> Bool {
        guard address.isSecure else { return false }
        return address.origin == base.origin || kind.rules.mayPlace(name, at: address, of: self, tenant)
            || known.names(address)
    }

    /// Whether a configuration at an address whose kind is not known may name an endpoint: whether it may for any kind.
    package static func mayUse(
        _ name: EndpointName, at address: WebAddress, namedAt base: WebAddress, issuer: String, known: KnownAuthorities
    ) -> Bool {
        AuthorityKind.allCases.contains { kind in
            let authority = Authority(kind: kind, base: base, policy: PolicyName(""))
            let tenant =
                (try? authority.tenant(ofIssuer: issuer, known: known)) ?? IssuingTenant(origin: base.origin, id: nil)
            return authority.mayUse(name, at: address, tenant: tenant, known: known)
        }
    }
}
