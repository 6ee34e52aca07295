import SusiBase
package import SusiPolicies

/// A request that asks Microsoft whether a host belongs to its sign-in service. Only the host's name is sent.
package struct InstanceDiscovery: Hashable, Sendable {
    package let authority: Authority
    package let endpoint: Endpoint

    package init(of authority: Authority, at address: WebAddress = .instanceDiscovery) {
        self.authority = authority
        let subject = "\(authority.base.origin)/common/oauth2/v2.0/authorize"
        endpoint = Endpoint(
            address,
            query: FormEncoding.encode([
                (name: "api-version", value: "1.1"), (name: "authorization_endpoint", value: subject),
            ]))
    }

    /// The refusal if the service does not know the host.
    package var refusal: KnownAuthorities.Refusal {
        KnownAuthorities.Refusal(
            authority: authority, reason: "Microsoft does not know this host, and knownAuthorities names only the host",
            missing: authority.base.description)
    }

    /// Parses the response: an address of the tenant's discovery if the host belongs to the service, else
    /// `invalid_instance` with status 400.
    package func check(_ body: [UInt8]) throws(KnownAuthorities.Refusal) {
        let node = try? JSONNode(parsing: body)
        guard node?["error"] == nil, node?["tenant_discovery_endpoint"]?.string != nil else { throw refusal }
    }
}
