/// How the protocol differs between kinds of authority. The initializer has no defaults, so that a new kind decides on each.
public struct AuthorityTraits: Sendable {
    // MARK: Addresses

    /// Whether every policy is an authority of its own, named in addresses and in the claim `tfp` or `acr`. The other
    /// kinds have one policy, named `default` unless more are given, which only this machine knows.
    public let hasPolicies: Bool
    /// Whether the authority is the issuer, letter for letter (OpenID Connect Discovery 1.0 section 4.3).
    public let authorityIsIssuer: Bool
    /// Whether a tenant may use its own domain as the host.
    public let allowsCustomDomains: Bool
    /// Whether the endpoints name the tenant by its GUID, however the authority spells it.
    public let endpointsNameTenantID: Bool
    /// The `type` of such an authority in the configuration files of MSAL, in upper case.
    public let msalType: String?

    // MARK: Claims

    /// Whether the claim `oid` identifies the person. Otherwise only `sub` does (OpenID Connect Core 5.7).
    public let hasObjectIDs: Bool
    /// Whether the claim `tid` is the tenant of the issuer. Otherwise it may contain anything.
    public let hasTenantIDs: Bool
    /// Whether the service assigns user names (`preferred_username`, `upn`). In B2C these claims contain what a policy puts
    /// there.
    public let hasUserNames: Bool
    /// Whether servers support `client_info`; elsewhere a parameter of that name may mean anything.
    public let sendsClientInfo: Bool
    /// Whether persons of other tenants can sign in as guests. Their `client_info` then names their home tenant.
    public let admitsGuests: Bool

    // MARK: Sign-in

    /// Whether the sign-in page is known to offer a choice of accounts (`prompt=select_account`). Any other provider has to
    /// list it in its configuration: some show the page in a loop for an unknown prompt.
    public let offersAccountChoice: Bool
    /// Whether the provider ignores the port of a registered loopback redirect address (RFC 8252 section 7.3).
    public let ignoresRedirectPort: Bool
    /// The origins, beside the authority's own, that post the response of a sign-in.
    public let otherResponseOrigins: [String]
    /// Whether the password grant must name a `response_type`.
    public let passwordGrantNeedsResponseType: Bool

    // MARK: Tokens

    /// Whether a scope names its API. Otherwise two APIs may have a scope of the same name (RFC 6749 3.3).
    public let scopesNameAPIs: Bool
    /// The resource of a scope that names none; `nil` if such a scope is a resource of its own.
    public let defaultResource: String?
    /// Whether the client id, as a scope, requests a token for the application itself.
    public let clientIDIsScope: Bool
    /// Whether a refresh token serves every API of the application, so that a refresh may request more than the sign-in did.
    public let refreshServesEveryAPI: Bool
    /// Whether the provider may have a revocation endpoint (RFC 7009).
    public let mayRevokeTokens: Bool
}
