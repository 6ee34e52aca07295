/// The differences of the protocol between kinds of authority; the properties of ``AuthorityKind`` explain each trait.
///
/// The initializer has no defaults, so that a new kind decides on each.
struct AuthorityTraits {
    let hasPolicies: Bool
    let authorityIsIssuer: Bool
    let allowsCustomDomains: Bool
    let endpointsNameTenantID: Bool
    let msalType: String?
    let hasObjectIDs: Bool
    let hasTenantIDs: Bool
    let hasUserNames: Bool
    let sendsClientInfo: Bool
    let admitsGuests: Bool
    let offersAccountChoice: Bool
    let ignoresRedirectPort: Bool
    let otherResponseOrigins: [String]
    let passwordGrantNeedsResponseType: Bool
    let nativeAuthenticationPath: [String]?
    let scopesNameAPIs: Bool
    let defaultResource: String?
    let clientIDIsScope: Bool
    let refreshServesEveryAPI: Bool
    let refreshServesEveryTenant: Bool
    let mayRevokeTokens: Bool
    let clientIDIsGUID: Bool
    let policyPrefixes: [String]
}

extension AuthorityKind {
    // MARK: Addresses

    /// Whether every policy is a separate authority, named in addresses and in the claim `tfp` or `acr`. The other
    /// kinds have one policy, named `default` unless more are given, which only this machine knows.
    public var hasPolicies: Bool { rules.traits.hasPolicies }
    /// Whether the authority is the issuer, letter for letter (OpenID Connect Discovery 1.0 section 4.3).
    public var authorityIsIssuer: Bool { rules.traits.authorityIsIssuer }
    /// Whether a tenant may use its own domain as the host.
    public var allowsCustomDomains: Bool { rules.traits.allowsCustomDomains }
    /// Whether the endpoints name the tenant by its GUID, however the authority spells it.
    public var endpointsNameTenantID: Bool { rules.traits.endpointsNameTenantID }
    /// The `type` of such an authority in the configuration files of MSAL, in upper case.
    public var msalType: String? { rules.traits.msalType }

    /// Whether the service assigns client ids, which are GUIDs.
    package var clientIDIsGUID: Bool { rules.traits.clientIDIsGUID }
    /// Returns whether two client ids are the same: the case of a GUID does not matter, that of any other id does.
    package func isSameClient(_ id: String, _ other: String) -> Bool {
        id == other || clientIDIsGUID && id.lowercased() == other.lowercased()
    }
    /// The beginnings that the names of policies have; empty if any name is possible.
    package var policyPrefixes: [String] { rules.traits.policyPrefixes }

    // MARK: Claims

    /// Whether the claim `oid` identifies the person. Otherwise only `sub` does (OpenID Connect Core 5.7).
    public var hasObjectIDs: Bool { rules.traits.hasObjectIDs }
    /// Whether the claim `tid` is the tenant of the issuer. Otherwise it may contain anything.
    public var hasTenantIDs: Bool { rules.traits.hasTenantIDs }
    /// Whether the service assigns user names (`preferred_username`, `upn`). In B2C these claims contain what a policy puts
    /// there.
    public var hasUserNames: Bool { rules.traits.hasUserNames }
    /// Whether servers support `client_info`; elsewhere a parameter of that name may mean anything.
    public var sendsClientInfo: Bool { rules.traits.sendsClientInfo }
    /// Whether persons of other tenants can sign in as guests. Their `client_info` then names their home tenant.
    public var admitsGuests: Bool { rules.traits.admitsGuests }

    // MARK: Sign-in

    /// Whether the sign-in page is known to offer a choice of accounts (`prompt=select_account`). Any other provider has to
    /// list it in its configuration: some show the page in a loop for an unknown prompt.
    public var offersAccountChoice: Bool { rules.traits.offersAccountChoice }
    /// Whether the provider ignores the port of a registered loopback redirect address (RFC 8252 section 7.3).
    public var ignoresRedirectPort: Bool { rules.traits.ignoresRedirectPort }
    /// The origins, beside the authority's own, that post the response of a sign-in.
    public var otherResponseOrigins: [String] { rules.traits.otherResponseOrigins }
    /// Whether the password grant must name a `response_type`.
    public var passwordGrantNeedsResponseType: Bool { rules.traits.passwordGrantNeedsResponseType }
    /// Whether the client may ask for password and codes itself, without a page (native authentication). Such a kind has no
    /// password grant.
    public var hasNativeAuthentication: Bool { rules.traits.nativeAuthenticationPath != nil }

    // MARK: Tokens

    /// Whether a scope names its API. Otherwise two APIs may have a scope of the same name (RFC 6749 3.3).
    public var scopesNameAPIs: Bool { rules.traits.scopesNameAPIs }
    /// The resource of a scope that names none; `nil` if such a scope is itself a resource.
    public var defaultResource: String? { rules.traits.defaultResource }
    /// Whether the client id, as a scope, requests a token for the application itself.
    public var clientIDIsScope: Bool { rules.traits.clientIDIsScope }
    /// Whether a refresh token serves every API of the application, so that a refresh may request more than the sign-in did.
    public var refreshServesEveryAPI: Bool { rules.traits.refreshServesEveryAPI }
    /// Whether a refresh token also serves every other tenant in which its person has an account, as a guest or a member.
    public var refreshServesEveryTenant: Bool { rules.traits.refreshServesEveryTenant }
    /// Whether the provider may have a revocation endpoint (RFC 7009).
    public var mayRevokeTokens: Bool { rules.traits.mayRevokeTokens }
}
