/// The kinds of authority, one line each; the rules of a kind are in its own file.
@dynamicMemberLookup
public enum AuthorityKind: String, CaseIterable, Sendable {
    /// An Azure AD B2C tenant: every policy is an authority of its own.
    case b2c
    /// A Microsoft Entra External ID tenant (CIAM).
    case external
    /// A Microsoft Entra ID tenant of a workforce, or several of them.
    case entra
    /// Any other OpenID provider.
    case openid

    /// The rules of the kind.
    var rules: any AuthorityRules {
        switch self {
        case .b2c: B2CRules()
        case .external: ExternalRules()
        case .entra: EntraRules()
        case .openid: OpenIDProviderRules()
        }
    }

    /// A property of the kind's traits.
    public subscript<Value>(dynamicMember trait: KeyPath<AuthorityTraits, Value>) -> Value {
        rules.traits[keyPath: trait]
    }

    /// Explains why an address cannot be an authority of this kind; returns `nil` if it can.
    public func complaint(about base: WebAddress) -> String? { rules.complaint(about: base) }

    /// Returns the kind of authority at a host that belongs to one of the services.
    static func ofServiceHost(_ address: WebAddress) -> AuthorityKind? {
        allCases.first { $0.rules.isServiceHost(address) }
    }
}

/// Where a policy's name stands in an authority's address.
public enum PolicyPlace: String, CaseIterable, Sendable {
    /// A segment of the path: `https://HOST/TENANT/POLICY`.
    case path
    /// The parameter `p`: `https://HOST/TENANT?p=POLICY`.
    case query
}

/// The rules of one kind of authority. Implementations are pure: they build addresses and judge issuers, and contact no server.
protocol AuthorityRules: Sendable {
    /// What the protocol messages of this kind contain, require and allow.
    var traits: AuthorityTraits { get }
    /// Whether the host is one of the service's own names, in any cloud.
    func isServiceHost(_ address: WebAddress) -> Bool
    /// Why `base` cannot be the base of an authority of this kind; nil when it can.
    func complaint(about base: WebAddress) -> String?
    /// The tenant as the base address names it; nil when the base names none.
    func tenant(of base: WebAddress) -> String?
    /// The whole authority: the base with the tenant and, where there are policies, the policy.
    func address(of authority: Authority) -> Endpoint
    /// Where the OpenID configuration is (OpenID Connect Discovery 1.0 section 4).
    func discovery(of authority: Authority) -> Endpoint
    /// The origin that stands for all names of the authority's host.
    func origin(of base: WebAddress) -> String
    /// Whose tokens an issuer stands for, when it is right for the authority.
    func tenant(ofIssuer issuer: String, from authority: Authority) throws(WrongIssuer) -> IssuingTenant
    /// Whether the authority gives tokens of several tenants.
    func isMultiTenant(_ base: WebAddress) -> Bool
    /// Whether tokens of the tenant may come from an authority whose issuer is a template.
    func serves(tenantID: String, at base: WebAddress) -> Bool
    /// Whether an endpoint of the authority's metadata may be on another host of the same service.
    func mayPlace(_ name: EndpointName, at address: WebAddress, of authority: Authority, _ tenant: IssuingTenant)
        -> Bool
    /// Whether the path of an entry of `knownAuthorities` on the authority's host covers the authority.
    func isCovered(_ authority: Authority, by path: [String]) -> Bool
    /// The entry of `knownAuthorities` that names the authority without its policy.
    func entry(for authority: Authority) -> String
    /// Whether somebody has to be asked if the host belongs to the service, when the list names no more than the host.
    func isUnknownHost(_ base: WebAddress) -> Bool
}

/// What most kinds have in common: no policies in addresses, one origin, one tenant, endpoints at home.
extension AuthorityRules {
    func origin(of base: WebAddress) -> String { base.origin }
    func isMultiTenant(_ base: WebAddress) -> Bool { false }
    func serves(tenantID: String, at base: WebAddress) -> Bool { false }
    func isUnknownHost(_ base: WebAddress) -> Bool { false }
    func entry(for authority: Authority) -> String { authority.base.description }
    func mayPlace(
        _ name: EndpointName, at address: WebAddress, of authority: Authority, _ tenant: IssuingTenant
    ) -> Bool { false }

    // The tenant compares without case, as the service does.
    func isCovered(_ authority: Authority, by path: [String]) -> Bool {
        path.isEmpty || path.map { $0.lowercased() } == [authority.tenant?.lowercased()]
    }
}

/// Whose tokens an issuer stands for.
public struct IssuingTenant: Hashable, Sendable {
    /// Scheme, host and port of the issuer, one for all names of a service's host.
    public let origin: String
    /// The tenant's GUID in lower case, or the exact issuer of a provider without tenants. Nil when the issuer is a
    /// template for several tenants: each token then names its own.
    public let id: String?

    /// Puts origin and id together.
    public init(origin: String, id: String?) {
        self.origin = origin
        self.id = id
    }
}

/// An issuer that may not speak for an authority.
public struct WrongIssuer: Error, Hashable, Sendable {
    /// What is wrong with it, for a person.
    public let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// The endpoints of an OpenID configuration, by their names there (OpenID Connect Discovery 1.0 section 3, RFC 8414
/// section 2, RFC 8628 section 4).
public enum EndpointName: String, CaseIterable, Sendable {
    case authorization = "authorization_endpoint"
    case token = "token_endpoint"
    case keys = "jwks_uri"
    case endSession = "end_session_endpoint"
    case userinfo = "userinfo_endpoint"
    case deviceAuthorization = "device_authorization_endpoint"
    case revocation = "revocation_endpoint"

    /// Whether a configuration without it serves no sign-in.
    public var isRequired: Bool {
        switch self {
        case .authorization, .token, .keys: true
        case .endSession, .userinfo, .deviceAuthorization, .revocation: false
        }
    }
}
