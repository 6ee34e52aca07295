/// Who is asked: a tenant's address together with a policy.
public struct Authority: Hashable, Sendable {
    /// The kind, which knows the shapes.
    public let kind: AuthorityKind
    /// The tenant's address without a policy.
    public let base: WebAddress
    /// The policy.
    public let policy: PolicyName

    /// Makes an authority; nothing is contacted.
    public init(kind: AuthorityKind, base: WebAddress, policy: PolicyName) {
        self.kind = kind
        self.base = base
        self.policy = policy
    }

    /// Where its OpenID configuration is.
    public var discovery: WebAddress { kind.rules.discovery(of: self) }

    /// The whole authority: the base with the policy.
    public var address: WebAddress { base.appending(policy.spelling) }

    /// The tenant as the base names it: a domain name or a GUID.
    public var tenant: String? { kind.rules.tenant(of: base) }

    /// Whether `issuer` may speak for this authority. `tenantID` is the tenant's GUID once it is known.
    public func accepts(issuer: String, tenantID: String? = nil) -> Bool {
        kind.rules.accepts(issuer: issuer, from: self, tenantID: tenantID)
    }

    /// The tenant's GUID as an issuer states it; nil when the issuer is not right for this authority.
    public func tenantID(inIssuer issuer: String) -> String? { kind.rules.tenantID(inIssuer: issuer, of: self) }
}
