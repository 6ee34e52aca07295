import SusiBase

/// The kinds of authority, one line each; the rules of a kind are in its own file.
package enum AuthorityKind: String, CaseIterable, Sendable {
    /// An Azure AD B2C tenant: every policy is a separate authority.
    case b2c
    /// A Microsoft Entra External ID tenant (CIAM).
    case external
    /// A Microsoft Entra ID tenant of a workforce, or several of them.
    case entra
    /// Any other OpenID provider.
    case openid

    var rules: any AuthorityRules {
        switch self {
        case .b2c: B2CRules()
        case .external: ExternalRules()
        case .entra: EntraRules()
        case .openid: OpenIDProviderRules()
        }
    }

    /// The kinds in a sentence: “b2c, external, entra or openid”.
    package static var list: String {
        let names = allCases.map(\.rawValue)
        return names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    }

    /// Explains why an address cannot be an authority of this kind; returns `nil` if it can.
    package func complaint(about base: WebAddress) -> String? { rules.complaint(about: base) }

    /// Returns the kind of authority at a host that belongs to one of the services.
    package static func ofServiceHost(_ address: WebAddress) -> AuthorityKind? {
        allCases.first { $0.rules.isServiceHost(address) }
    }
}

/// The position of a policy's name in an authority's address.
package enum PolicyPlace: String, CaseIterable, Sendable {
    /// A segment of the path: `https://HOST/TENANT/POLICY`.
    case path
    /// The parameter `p`: `https://HOST/TENANT?p=POLICY`.
    case query
}

/// The rules of one kind of authority. Implementations are pure: they build addresses and judge issuers, and contact no server.
protocol AuthorityRules: Sendable {
    /// The traits of the kind: what its protocol messages contain, require and allow.
    var traits: AuthorityTraits { get }
    /// Whether the host is one of the service's own names, in any cloud.
    func isServiceHost(_ address: WebAddress) -> Bool
    /// Explains why `base` cannot be the base of an authority of this kind; returns `nil` if it can.
    func complaint(about base: WebAddress) -> String?
    /// The tenant in the base address; `nil` if there is none.
    func tenant(of base: WebAddress) -> String?
    /// The address with the tenant and, if the kind has policies, the policy.
    func address(of authority: Authority) -> Endpoint
    /// The address of the OpenID configuration (OpenID Connect Discovery 1.0 section 4).
    func discovery(of authority: Authority) -> Endpoint
    /// The origin under which accounts are stored, whichever of the service's host names is used.
    func origin(of base: WebAddress) -> String
    /// The tenant of an issuer. Throws if the issuer is wrong for the authority; entries of `known` may name it.
    func tenant(ofIssuer issuer: String, from authority: Authority, known: KnownAuthorities) throws(InvalidInput)
        -> IssuingTenant
    /// Whether the authority issues tokens of several tenants.
    func isMultiTenant(_ base: WebAddress) -> Bool
    /// Whether an authority whose issuer is a template issues tokens of the tenant.
    func serves(tenantID: String, at base: WebAddress) -> Bool
    /// Whether an endpoint of the authority's metadata may be on another host of the same service.
    func mayPlace(_ name: EndpointName, at address: WebAddress, of authority: Authority, _ tenant: IssuingTenant)
        -> Bool
    /// Whether the path of an entry of `knownAuthorities` on the authority's host covers the authority.
    func isCovered(_ authority: Authority, by path: [String]) -> Bool
    /// The entry of `knownAuthorities` that names the authority without its policy.
    func entry(for authority: Authority) -> String
    /// Whether instance discovery has to confirm that the host belongs to the service.
    func isUnknownHost(_ base: WebAddress) -> Bool
    /// The service's own address of a tenant with that name; `nil` if the name does not determine it.
    func address(ofTenant name: String) -> WebAddress?
    /// The address that replaces `base`, at which the service no longer answers; `nil` if there is none.
    func replacement(for base: WebAddress) -> WebAddress?
    func tokenEndpoint(_ endpoint: Endpoint, ofTenant id: String, at base: WebAddress) -> Endpoint
    /// The page on which local accounts enter device codes, if it is not the one that the server names.
    func devicePageOfLocalAccounts(at base: WebAddress) -> WebAddress?
}

/// Defaults for kinds without policies in addresses, with one host name, one tenant and endpoints on that host.
extension AuthorityRules {
    func address(of authority: Authority) -> Endpoint { Endpoint(authority.base) }
    func origin(of base: WebAddress) -> String { base.origin }
    func isMultiTenant(_ base: WebAddress) -> Bool { false }
    func serves(tenantID: String, at base: WebAddress) -> Bool { false }
    func isUnknownHost(_ base: WebAddress) -> Bool { false }
    func entry(for authority: Authority) -> String { authority.base.description }
    func address(ofTenant name: String) -> WebAddress? { nil }
    func replacement(for base: WebAddress) -> WebAddress? { nil }
    func tokenEndpoint(_ endpoint: Endpoint, ofTenant id: String, at base: WebAddress) -> Endpoint { endpoint }
    func devicePageOfLocalAccounts(at base: WebAddress) -> WebAddress? { nil }
    func mayPlace(
        _ name: EndpointName, at address: WebAddress, of authority: Authority, _ tenant: IssuingTenant
    ) -> Bool { false }

    // The service ignores the case of a tenant's name.
    func isCovered(_ authority: Authority, by path: [String]) -> Bool {
        path.isEmpty || path.map { $0.lowercased() } == [authority.tenant?.lowercased()]
    }
}

package struct IssuingTenant: Hashable, Sendable {
    /// Scheme, host and port of the issuer, the same for all host names of a service; at any other host those of the authority.
    package let origin: String
    /// The tenant's GUID in lower case, or the exact issuer of a provider without tenants. `nil` if the issuer is a
    /// template for several tenants; each token then names its own.
    package let id: String?

    package init(origin: String, id: String?) {
        self.origin = origin
        self.id = id
    }
}

/// The endpoints of an OpenID configuration, by their names there (OpenID Connect Discovery 1.0 section 3, RFC 8414
/// section 2, RFC 8628 section 4).
package enum EndpointName: String, CaseIterable, Sendable {
    case authorization = "authorization_endpoint"
    case token = "token_endpoint"
    case keys = "jwks_uri"
    case endSession = "end_session_endpoint"
    case userinfo = "userinfo_endpoint"
    case deviceAuthorization = "device_authorization_endpoint"
    case revocation = "revocation_endpoint"

    /// Whether a sign-in needs the endpoint.
    package var isRequired: Bool {
        switch self {
        case .authorization, .token, .keys: true
        case .endSession, .userinfo, .deviceAuthorization, .revocation: false
        }
    }
}
