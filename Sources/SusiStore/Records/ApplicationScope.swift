internal import SusiOAuth
public import SusiPolicies

/// The accounts of one application under one name of a tenant.
public struct ApplicationScope: Hashable, Sendable {
    /// The scheme, host and port of the authority. The issuer's, in `Tenant.origin`, may differ.
    public let origin: String
    /// The tenant as the configuration names it: a domain name or a GUID in lower case, an issuer, or `common` and the
    /// like.
    public let tenantName: String
    /// The application's (client) ID.
    public let clientID: String
    /// Whether the name means several tenants. Its accounts are those of all tenants that signed in through it.
    public let spansTenants: Bool

    /// Makes a scope.
    public init(origin: String, tenantName: String, clientID: String, spansTenants: Bool = false) {
        self.origin = origin
        self.tenantName = Tenant.canonical(tenantName)
        self.clientID = clientID
        self.spansTenants = spansTenants
    }

    /// Makes the scope of one policy of an application.
    public init(_ application: Application, _ policy: Policy) {
        self.init(application.authority(for: policy), clientID: application.clientID)
    }

    /// Makes the scope of an application at an authority.
    public init(_ authority: Authority, clientID: String) {
        self.init(
            origin: authority.origin, tenantName: authority.tenant ?? "", clientID: clientID,
            spansTenants: authority.isMultiTenant)
    }
}
