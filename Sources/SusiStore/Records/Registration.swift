internal import SusiOAuth
package import SusiPolicies

/// A client ID at one name of a tenant. The accounts that signed in there belong to it.
package struct Registration: Hashable, Sendable {
    /// The scheme, host and port of the authority. The issuer's, in `Tenant.origin`, may differ.
    package let origin: String
    /// The tenant as the configuration names it: a domain name or a GUID in lower case, an issuer, or `common` and the
    /// like.
    package let tenantName: String
    package let clientID: String
    /// Whether the name means several tenants. Its accounts are those of all tenants that signed in through it.
    package let spansTenants: Bool

    package init(origin: String, tenantName: String, clientID: String, spansTenants: Bool = false) {
        self.origin = origin
        self.tenantName = Tenant.canonical(tenantName)
        self.clientID = clientID
        self.spansTenants = spansTenants
    }

    package init(_ application: Application, _ policy: Policy) {
        self.init(application.authority(for: policy), clientID: application.clientID)
    }

    package init(_ authority: Authority, clientID: String) {
        self.init(
            origin: authority.origin, tenantName: authority.tenant ?? "", clientID: clientID,
            spansTenants: authority.isMultiTenant)
    }
}
