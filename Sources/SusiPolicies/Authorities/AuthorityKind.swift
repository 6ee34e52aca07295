/// The kinds of authority, one line each; the rules of a kind stand in its own file.
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

    /// Whether every policy is an authority of its own, named in addresses and in the claim `tfp` or `acr`. The other
    /// kinds have one policy, named `default` unless more are given, which stays on this machine.
    public var hasPolicies: Bool { rules.hasPolicies }

    /// Whether the claim `oid` names the person. Elsewhere only `sub` does (OpenID Connect Core 5.7).
    public var hasObjectIDs: Bool { rules.hasObjectIDs }

    /// Whether the sign-in page is known to offer a choice of accounts (`prompt=select_account`). Another provider has to say
    /// so in its configuration: some show the page again without end for a prompt that they do not know.
    public var offersAccountChoice: Bool { rules.offersAccountChoice }

    /// Whether the authority is the issuer, letter for letter (OpenID Connect Discovery 1.0 section 4.3).
    public var authorityIsIssuer: Bool { rules.authorityIsIssuer }

    /// Whether the provider ignores the port of a registered redirect address on this machine (RFC 8252 section 7.3).
    public var ignoresRedirectPort: Bool { rules.ignoresRedirectPort }

    /// Why an address cannot be an authority of this kind; nil when it can.
    public func complaint(about base: WebAddress) -> String? { rules.complaint(about: base) }

    /// Whether a scope names the API that it is of. Elsewhere two APIs may have a scope of the same name (RFC 6749 3.3).
    public var scopesNameAPIs: Bool { rules.scopesNameAPIs }
}

/// Where a policy's name stands in an authority's address.
public enum PolicyPlace: String, CaseIterable, Sendable {
    /// A segment of the path: `https://HOST/TENANT/POLICY`.
    case path
    /// The parameter `p`: `https://HOST/TENANT?p=POLICY`.
    case query
}

/// What differs from kind to kind. Implementations are pure: they name addresses and judge issuers, and contact nobody.
protocol AuthorityRules: Sendable {
    /// Whether every policy is an authority of its own.
    var hasPolicies: Bool { get }
    /// Whether the claim `oid` names the person.
    var hasObjectIDs: Bool { get }
    /// Whether the sign-in page is known to offer a choice of accounts.
    var offersAccountChoice: Bool { get }
    /// Whether a scope names the API that it is of.
    var scopesNameAPIs: Bool { get }
    /// Whether the authority is the issuer, letter for letter.
    var authorityIsIssuer: Bool { get }
    /// Whether the provider ignores the port of a registered redirect address on this machine.
    var ignoresRedirectPort: Bool { get }
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
    var hasPolicies: Bool { false }
    var hasObjectIDs: Bool { true }
    var offersAccountChoice: Bool { true }
    var scopesNameAPIs: Bool { true }
    var authorityIsIssuer: Bool { false }
    var ignoresRedirectPort: Bool { false }
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
