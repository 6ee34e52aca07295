internal import SusiOAuth

/// Whose accounts are meant: those of one application in one tenant.
public struct ApplicationScope: Hashable, Sendable {
    /// Scheme, host and port of the authority, one for all names of its host.
    public let origin: String
    /// The tenant as the configuration names it: a domain name or a GUID in lower case, or an issuer.
    public let tenantName: String
    /// The application's (client) id.
    public let clientID: String

    /// Makes a scope.
    public init(origin: String, tenantName: String, clientID: String) {
        self.origin = origin
        self.tenantName = Tenant.canonical(tenantName)
        self.clientID = clientID
    }
}
