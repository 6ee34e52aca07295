import SusiPolicies

/// What a client can ask of a tenant beside its pages.
enum Endpoint: String, CaseIterable, Sendable {
    case metadata, keys, authorize, token, logout, userInfo, revocation, deviceAuthorization, deviceVerification
}

/// The grants of the token endpoint.
enum GrantType: String, CaseIterable, Sendable {
    case authorizationCode = "authorization_code"
    case refreshToken = "refresh_token"
    case password
    case clientCredentials = "client_credentials"
    case deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
    case oneTimeCode = "oob"
    case factorCode = "mfa_oob"
    case continuation = "continuation_token"

    /// Those that end native authentication.
    static let native: Set<GrantType> = [.password, .oneTimeCode, .factorCode, .continuation]
}

/// What differs from kind to kind. Implementations are pure: they name addresses and write claims, and keep nothing.
protocol TenantDialect: Sendable {
    /// Where an endpoint is below the tenant's address; nil when tenants of this kind have none.
    func path(of endpoint: Endpoint) -> String?
    /// The endpoint that a path names and what follows it in the path; nil when it names none of this tenant.
    func endpoint(_ segments: [String], _ query: Parameters, in tenant: Tenant, origin: String) -> (
        PolicyEndpoint, rest: [String]
    )?
    /// The tenant's usual endpoint, for links.
    func endpoint(of policy: Policy, in tenant: Tenant, origin: String) -> PolicyEndpoint
    /// The issuer as the metadata names it.
    func issuer(_ endpoint: PolicyEndpoint) -> String
    /// The issuer that a token with these claims must name; nil when the tenant issued no such token.
    func issuer(ofToken claims: JSON, in tenant: Tenant, origin: String) -> String?
    /// What the metadata says in this kind only.
    func metadata(_ endpoint: PolicyEndpoint) -> [String: JSON]
    /// The grant that `grant_type` names.
    func grantType(_ name: String) -> GrantType?
    /// Whether the token endpoint takes a grant at this endpoint.
    func takes(_ grant: GrantType, at endpoint: PolicyEndpoint) -> Bool
    /// What the authorization endpoint can be asked for, as the metadata lists it.
    var responseTypes: [String] { get }
    /// How a PKCE challenge may follow from its verifier, the better way first.
    var challengeMethods: [PKCEChallenge.Method] { get }
    /// What `prompt` may be.
    var prompts: [String] { get }
    /// Whether clients may ask their users themselves, without a browser.
    var servesNativeAuthentication: Bool { get }
    /// What a scope may be.
    var scopes: ScopeRules { get }
    /// Why `user` may not sign in at this endpoint; nil when they may.
    func refusal(of user: User, at endpoint: PolicyEndpoint) -> Refusal?
    /// The claims of an id token besides the protocol's own.
    func idClaims(_ issuer: TokenIssuer) -> [String: JSON]
    /// The claims of an access token besides the protocol's own.
    func accessClaims(_ issuer: TokenIssuer) -> [String: JSON]
    /// The claims of an access token for an application itself, besides the protocol's own.
    func applicationClaims(_ token: ApplicationToken) -> [String: JSON]
    /// What the token endpoint answers an application that asks for itself, besides `access_token` and `expires_in`.
    func applicationAnswer(_ token: ApplicationToken) -> [String: JSON]
    /// What the token endpoint answers besides `access_token`, `id_token`, `refresh_token` and `expires_in`.
    func answer(_ issuer: TokenIssuer) throws -> [String: JSON]
    /// `client_info` for a person; nil when the kind has none.
    func clientInfo(of user: User, at endpoint: PolicyEndpoint) throws -> String?
    /// Whether the refresh tokens of web pages end after a day.
    var endsTokensOfPages: Bool { get }
    /// Whether a client whose secret is wrong is told so by status 401, wherever the secret stood.
    var challengesClients: Bool { get }
    /// A refusal as this kind of tenant writes it.
    func message(of refusal: Refusal, now: Int64) -> RefusalMessage
    /// Where a sign-out may lead.
    var landing: LandingRule { get }
    /// Whether `prompt=consent` asks the person.
    var asksConsent: Bool { get }
}

extension TenantDialect {
    var prompts: [String] { ["none", "login", "consent", "select_account"] }

    var servesNativeAuthentication: Bool { false }

    func grantType(_ name: String) -> GrantType? { GrantType(rawValue: name) }

    var endsTokensOfPages: Bool { true }

    var challengesClients: Bool { true }
}

/// What an application may ask for.
struct ScopeRules: Sendable {
    /// The scopes that belong to no API, in the order in which answers name them.
    let openID: [String]
    /// Whether a scope that names no resource is told so (AADB2C90055).
    var demandsResource = false
    /// Whether `.default` of a resource stands for all of its scopes.
    var takesDefault = false
    /// Whether the application's own id is a scope, and gives a token for itself.
    var takesClientID = false
    /// Whether a scope without a resource is one of Microsoft Graph, which is also what an access token is for when no
    /// API is asked.
    var impliesGraph = false
    /// Whether one token may be for several resources.
    var mixesResources = false
    /// Whether an access token for the user-info endpoint comes when no API is asked.
    var impliesUserInfo = false
    /// Whether the answer names the scopes of OpenID Connect too.
    var namesOpenID = false
}

/// Where a sign-out may lead.
enum LandingRule: Sendable {
    /// Anywhere, but with an id token to an address that is registered for its client only.
    case anywhereWithoutHint
    /// To an address that is registered for any application of the tenant.
    case registered
    /// To an address that is registered for the client that the hint or `client_id` names (RP-Initiated Logout section 3).
    case registeredForNamedClient
}
