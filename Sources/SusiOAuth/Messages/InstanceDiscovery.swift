public import SusiPolicies

/// The question to Microsoft whether a host is one of its sign-in service, and the answer. Only the host's name is sent.
public struct InstanceDiscovery: Hashable, Sendable {
    /// Whom the question is about.
    public let authority: Authority
    /// What is asked.
    public let endpoint: Endpoint

    /// Makes the question.
    public init(of authority: Authority, at address: WebAddress = .instanceDiscovery) {
        self.authority = authority
        let subject = "\(authority.base.origin)/common/oauth2/v2.0/authorize"
        endpoint = Endpoint(
            address,
            query: FormEncoding.encode([
                (name: "api-version", value: "1.1"), (name: "authorization_endpoint", value: subject),
            ]))
    }

    /// What follows when the service does not know the host.
    public var refusal: KnownAuthorities.Refusal {
        KnownAuthorities.Refusal(
            authority: authority, reason: "Microsoft does not know this host, and knownAuthorities names only the host",
            missing: authority.base.description)
    }

    /// Reads the answer: the service names the tenant's discovery for a host of its own, and `invalid_instance` with status
    /// 400 for others.
    public func check(_ body: [UInt8]) throws(KnownAuthorities.Refusal) {
        let node = try? JSONNode(parsing: body)
        guard node?["error"] == nil, node?["tenant_discovery_endpoint"]?.string != nil else { throw refusal }
    }
}
