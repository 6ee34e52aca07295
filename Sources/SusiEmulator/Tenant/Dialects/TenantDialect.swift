import SusiBase
import SusiPolicies

/// The endpoints of a tenant, besides its pages.
enum Endpoint: String, CaseIterable, Sendable {
    case metadata, keys, authorize, token, logout, userInfo, revocation, deviceAuthorization, deviceVerification
}

extension Endpoint {
    /// The path of Microsoft's services; nil for an endpoint whose path depends on the kind.
    var microsoftPath: String? {
        switch self {
        case .metadata: "v2.0/.well-known/openid-configuration"
        case .keys: "discovery/v2.0/keys"
        case .authorize: "oauth2/v2.0/authorize"
        case .token: "oauth2/v2.0/token"
        case .logout: "oauth2/v2.0/logout"
        case .userInfo, .revocation, .deviceAuthorization, .deviceVerification: nil
        }
    }
}

/// The rules of a kind of tenant: what it offers as values, and how it works. Implementations are pure: they have no state.
protocol TenantDialect: Sendable {
    var traits: TenantTraits { get }
    /// The path of an endpoint below the tenant's address; nil if the kind does not have it.
    func path(of endpoint: Endpoint) -> String?
    /// The policy that a path names, and the rest of the path; nil if it does not name one of this tenant.
    func endpoint(_ segments: [String], _ query: Parameters, in tenant: Tenant, origin: String) -> (
        PolicyEndpoint, rest: [String]
    )?
    /// A policy at its usual address, for links.
    func endpoint(of policy: Policy, in tenant: Tenant, origin: String) -> PolicyEndpoint
    /// The issuer in the metadata.
    func issuer(_ endpoint: PolicyEndpoint) -> String
    /// The issuer that a token with these claims must have; nil if the tenant does not issue such tokens.
    func issuer(ofToken claims: JSON, in tenant: Tenant, origin: String) -> String?
    /// The metadata of this kind only.
    func metadata(_ endpoint: PolicyEndpoint) -> [String: JSON]
    /// The members of a published key.
    func members(of key: SigningKey, at endpoint: PolicyEndpoint) -> [String: JSON]
    /// The name of the policies that share their signing keys with this one; empty for the only keys of a tenant.
    func keyGroup(of policy: Policy) -> String
    /// Returns whether a policy has an endpoint of the kind.
    func serves(_ endpoint: Endpoint, at policy: PolicyEndpoint) -> Bool
    func grantType(_ name: String) -> GrantType?
    /// The grants that the token endpoint accepts, besides those of native authentication; any other is refused.
    func grants(at endpoint: PolicyEndpoint) -> [GrantType]
    /// The refusal of a `grant_type` that is not among ``grants(at:)``.
    func refusal(ofGrant name: String, at endpoint: PolicyEndpoint) -> Refusal
    /// The reason why `user` may not sign in at this endpoint; nil if they may.
    func refusal(of user: User, at endpoint: PolicyEndpoint) -> Refusal?
    /// Returns whether the browser stays at the service after the user's sign-out, wherever it was to return.
    func keepsBrowser(of user: User) -> Bool
    /// The reason why this endpoint refuses the refresh tokens of a user who may sign in here; nil if it accepts them.
    func refreshRefusal(of user: User, at endpoint: PolicyEndpoint) -> Refusal?
    /// The claims of an id token, except those of the protocol.
    func idClaims(_ issuer: TokenIssuer) -> [String: JSON]
    /// The claims of an access token, except those of the protocol.
    func accessClaims(_ issuer: TokenIssuer) -> [String: JSON]
    /// The claims of an access token for an application itself, except those of the protocol.
    func applicationClaims(_ token: ApplicationToken) -> [String: JSON]
    /// Members of a token response for an application itself, besides `access_token` and `expires_in`.
    func applicationMembers(_ token: ApplicationToken) -> [String: JSON]
    /// Members of a token response besides `access_token`, `id_token`, `refresh_token` and `expires_in`; `refreshExpires` is
    /// nil without a refresh token.
    func tokenMembers(_ issuer: TokenIssuer, refreshExpires: Int64?) throws -> [String: JSON]
    /// The `scope` of a token response; nil if it has none.
    func scope(_ issuer: TokenIssuer) -> String?
    /// The claims of a user that a refresh repeats from the sign-in; nil if it reads the user again.
    func claimsToRepeat(of user: User, at endpoint: PolicyEndpoint) -> [String: JSON]?
    /// Returns whether a refresh needs a user who exists and is not blocked.
    func refreshNeedsUser(at endpoint: PolicyEndpoint) -> Bool
    /// Whether the tokens of a refresh have the nonce of the sign-in; OpenID Connect Core section 12.2 advises against it.
    var keepsNonce: Bool { get }
    /// Returns whether token responses to this grant write numbers as strings.
    func writesNumbersAsStrings(for grant: GrantType?) -> Bool
    /// Returns whether id tokens have `at_hash` (OpenID Connect Core section 3.1.3.6); nil is the authorization endpoint, where
    /// they must (section 3.3.2.11).
    func hashesAccessToken(for grant: GrantType?) -> Bool
    /// The claims of the user-info endpoint; `token` holds the claims of the request's access token.
    func userInfo(_ user: User, token: JSON) throws(APIRefusal) -> [String: JSON]
    /// Members of a device authorization response that only some kinds have.
    func deviceMembers(userCode: String, address: String) -> [String: JSON]
    /// The `client_info` of a user; nil if the kind does not have it.
    func clientInfo(of user: User, at endpoint: PolicyEndpoint) throws -> String?
    /// A refusal in the wording of this kind.
    func message(of refusal: Refusal, now: Int64) -> RefusalMessage
    /// The tenant that the path of an authority names; nil if it names none.
    func tenantName(in segments: [String]) -> String?
    /// Returns whether the path of an authority stands for many tenants.
    func isShared(_ segments: [String]) -> Bool
    func isTenantName(_ name: String) -> Bool
    /// The IDs of elements on the pages of a policy.
    func elements(at endpoint: PolicyEndpoint) -> ElementNames
    /// What calls the developer's code in a policy; nil if nothing does.
    func callouts(of policy: Policy) -> Callout.Group?
}

extension TenantDialect {
    func keyGroup(of policy: Policy) -> String { "" }

    func serves(_ endpoint: Endpoint, at policy: PolicyEndpoint) -> Bool { true }

    func grantType(_ name: String) -> GrantType? { GrantType(rawValue: name) }

    func grants(at endpoint: PolicyEndpoint) -> [GrantType] { traits.grants }

    func refusal(ofGrant name: String, at endpoint: PolicyEndpoint) -> Refusal {
        Refusal(.grantTypeUnsupported, "The supplied grant_type [\(name)] is not supported.")
    }

    func refusal(of user: User, at endpoint: PolicyEndpoint) -> Refusal? { nil }

    func keepsBrowser(of user: User) -> Bool { false }

    func refreshRefusal(of user: User, at endpoint: PolicyEndpoint) -> Refusal? { nil }

    func members(of key: SigningKey, at endpoint: PolicyEndpoint) -> [String: JSON] { key.publicMembers }

    func writesNumbersAsStrings(for grant: GrantType?) -> Bool { false }

    func scope(_ issuer: TokenIssuer) -> String? { issuer.scopes.text }

    func claimsToRepeat(of user: User, at endpoint: PolicyEndpoint) -> [String: JSON]? { nil }

    func refreshNeedsUser(at endpoint: PolicyEndpoint) -> Bool { true }

    var keepsNonce: Bool { false }

    func hashesAccessToken(for grant: GrantType?) -> Bool { true }

    func deviceMembers(userCode: String, address: String) -> [String: JSON] { [:] }

    func isShared(_ segments: [String]) -> Bool { false }

    func elements(at endpoint: PolicyEndpoint) -> ElementNames { ElementNames() }

    func callouts(of policy: Policy) -> Callout.Group? { nil }

    func isTenantName(_ name: String) -> Bool { !name.isEmpty && !name.contains("/") }
}

/// What a kind of tenant offers, as far as it does not depend on the request.
struct TenantTraits: Sendable {
    /// The kind in words, for the developer page.
    let title: String
    /// The supported response types, as the metadata lists them.
    let responseTypes: [String]
    let scopes: ScopeRules
    /// Where a sign-out may redirect.
    let landing: LandingRule
    /// The grants of every endpoint of the kind.
    var grants: [GrantType] = [.authorizationCode, .refreshToken, .clientCredentials]
    /// Whether the metadata lists the implicit flow even if no application may use it.
    var announcesImplicitFlow = true
    /// The supported PKCE challenge methods, the better one first.
    var challengeMethods: [PKCEChallenge.Method] = [.s256, .plain]
    /// Whether the metadata lists them (RFC 8414). Microsoft's services support PKCE without saying so.
    var announcesChallengeMethods = false
    /// Whether a refusal of an address that is not registered goes to a registered one.
    var redirectsToRegistered = false
    /// What the type of a redirect address decides.
    var redirectTypes = RedirectTypeRule.secretAndOrigin
    /// Another path of the metadata, which some libraries read.
    var olderMetadataPath: String?
    /// Whether a failure of the service is an invalid grant at the token endpoint, with status 400.
    var failsAsInvalidGrant = false
    /// How many seconds the times of issue in tokens lie before the real one.
    var backdating: Int64 = 0
    var namesSession = false
    var prompts = ["none", "login", "consent", "select_account"]
    /// Whether `select_account` lists the accounts of the browser; else it shows the sign-in page.
    var listsAccounts = true
    /// Whether a login hint chooses among the sessions of the browser; else the last one signs in, whatever the hint says.
    var hintChoosesSession = false
    /// The kind of the tenants whose users a tenant of this kind can share; `nil` if it cannot.
    var sharesUsersOf: AuthorityKind?
    var servesNativeAuthentication = false
    /// Whether instance and user realm discovery of Microsoft's libraries is served.
    var servesInstanceDiscovery = false
    /// The names under which tokens contain the attributes of users; nil if they do not.
    var attributeNames: AttributeNames?
    /// The claims about a user that a policy can choose, besides attributes.
    var claims: [String] = ["email", "idp", "name", "preferred_username"]
    /// Whether the password grant says that an account is locked; else the password seems to be wrong.
    var tellsLock = true
    var accessTokenType = SigningKey.usualType
    /// Whether a wrong secret always gets status 401, also in the form.
    var challengesClients = true
    /// The kind of the tenants whose users can be guests; `nil` if there are no guests.
    var guestsOf: AuthorityKind?
    /// Whether refresh tokens belong to a user and a client, not to a tenant.
    var acceptsForeignRefreshTokens = false
    var asksConsent = true
    /// The refusal's text if only an administrator could consent.
    var administratorConsentText = "The grant requires administrator permission."
    var offersSignUp = false
    /// Whether each sign-in page links to the password reset, which an application may handle.
    var linksToPasswordReset = false
    var defaults = TenantDefaults()
    var issuerForms: Set<TenantConfiguration.IssuerForm> = [.tenant]
    /// Whether a tenant can have a folder of custom policies.
    var servesCustomPolicies = false
    /// Whether a tenant file can replace the OAuth errors.
    var replacesErrors = false
    /// Whether lifetimes outside the service's limits are reported.
    var limitsLifetimes = false
}

struct TenantDefaults: Sendable {
    var name = "contoso.onmicrosoft.com"
    var users = User.standard
    var refreshRotation = TenantConfiguration.RefreshRotation.kept
    var redirectPorts = TenantConfiguration.RedirectPorts.exact
    var issuerParameter = TenantConfiguration.IssuerParameter.off
    var algorithm = SigningAlgorithm.rs256
}

struct ScopeRules: Sendable {
    /// The scopes that belong to no API, in the order in which responses name them.
    let openID: [String]
    /// Whether a scope without a resource has an error of its own (AADB2C90055).
    var demandsResource = false
    /// Whether `.default` of a resource stands for all of its scopes.
    var takesDefault = false
    /// Whether the application's own id is a scope, for a token for itself.
    var takesClientID = false
    /// Whether a scope without a resource belongs to Microsoft Graph, which is also the default audience of access tokens.
    var impliesGraph = false
    /// Whether one token may be for several resources.
    var mixesResources = false
    /// Whether a request without an API gets an access token for the user-info endpoint.
    var impliesUserInfo = false
    /// Whether the response names the scopes of OpenID Connect too.
    var namesOpenID = false
    /// Whether a refresh may ask for scopes that the sign-in did not have.
    var widensOnRefresh = true
}

/// What the type of a redirect address decides about those who redeem its codes.
enum RedirectTypeRule: Sendable {
    /// Addresses have no type.
    case unsupported
    /// Whether they send a secret.
    case secret
    /// That, and whether they are pages: a page redeems codes for a single-page application only, a server never.
    case secretAndOrigin
}

/// Where a sign-out may redirect.
enum LandingRule: Sendable {
    /// Anywhere; with an id token hint only to a registered address of its client.
    case anywhereWithoutHint
    /// To a registered address of any application of the tenant.
    case registered
    /// To a registered address of the client in the hint or `client_id` (RP-Initiated Logout section 3).
    case registeredForNamedClient
}

extension AuthorityKind {
    private static let b2cDialect: any TenantDialect = B2CDialect()
    private static let externalDialect: any TenantDialect = ExternalDialect()
    private static let entraDialect: any TenantDialect = EntraDialect()
    private static let openIDDialect: any TenantDialect = OpenIDDialect()

    /// The dialect of the kind. Dialects are independent of the client's rules of the same kind.
    var dialect: any TenantDialect {
        switch self {
        case .b2c: Self.b2cDialect
        case .external: Self.externalDialect
        case .entra: Self.entraDialect
        case .openid: Self.openIDDialect
        }
    }
}
