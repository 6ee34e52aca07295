/// The differences of the protocol between kinds of authority.
///
/// The initializer has no defaults, so that a new kind decides on each.
package struct AuthorityTraits {
    // MARK: Addresses

    /// Whether every policy is a separate authority, named in addresses and in the claim `tfp` or `acr`. The other
    /// kinds have one policy, named `default` unless more are given, which only this machine knows.
    package let hasPolicies: Bool
    /// Whether the authority is the issuer, letter for letter (OpenID Connect Discovery 1.0 section 4.3).
    package let authorityIsIssuer: Bool
    /// Whether a tenant may use its own domain as the host.
    package let allowsCustomDomains: Bool
    /// Whether the endpoints name the tenant by its GUID, however the authority spells it.
    package let endpointsNameTenantID: Bool
    /// The `type` of such an authority in the configuration files of MSAL, in upper case.
    package let msalType: String?

    // MARK: Claims

    /// Whether the claim `oid` identifies the person. Otherwise only `sub` does (OpenID Connect Core 5.7).
    package let hasObjectIDs: Bool
    /// Whether the claim `tid` is the tenant of the issuer. Otherwise it may contain anything.
    package let hasTenantIDs: Bool
    /// Whether id tokens have `auth_time` only if the registration has it as an optional claim.
    package let authTimeIsOptional: Bool
    /// Whether servers support `client_info`; elsewhere a parameter of that name may mean anything.
    package let sendsClientInfo: Bool
    /// Whether persons of other tenants can sign in as guests. Their `client_info` then names their home tenant.
    package let admitsGuests: Bool

    // MARK: Sign-in

    /// Whether the sign-in page is known to offer a choice of accounts (`prompt=select_account`). Any other provider has to
    /// list it in its configuration: some show the page in a loop for an unknown prompt.
    package let offersAccountChoice: Bool
    /// Whether the sign-in page is known to begin with the sign-up for `prompt=create`: in External ID, as native authentication.
    package var offersSignUp: Bool { hasNativeAuthentication }
    /// Whether that page is a list of the browser's accounts, of which a login hint alone chooses one. In a user flow of B2C it is
    /// the sign-in page. A hint beside the prompt is refused or ignored where there is a list.
    package let listsAccounts: Bool
    /// Whether the provider ignores the port of a registered loopback redirect address (RFC 8252 section 7.3).
    package let ignoresRedirectPort: Bool
    /// The tenant at which the browser stays after a sign-out, wherever it was to return.
    package let tenantKeepingBrowser: String?
    /// The origins, beside the authority's own, that post the response of a sign-in.
    package let otherResponseOrigins: [String]
    package let passwordGrantNeedsResponseType: Bool
    /// The path of native authentication below the authority; `nil` if there is none.
    package let nativeAuthenticationPath: [String]?
    /// Whether the client may ask for password and codes itself, without a page (native authentication). Such a kind has no
    /// password grant.
    package var hasNativeAuthentication: Bool { nativeAuthenticationPath != nil }

    // MARK: Tokens

    /// Whether a scope names its API. Otherwise two APIs may have a scope of the same name (RFC 6749 3.3).
    package let scopesNameAPIs: Bool
    /// Whether a scope that names no resource belongs to Microsoft Graph. Otherwise it is itself a resource.
    package let impliesGraph: Bool
    /// Whether the client id, as a scope, requests a token for the application itself.
    package let clientIDIsScope: Bool
    /// Whether a refresh token serves every API of the application, so that a refresh may request more than the sign-in did.
    package let refreshServesEveryAPI: Bool
    /// Whether a refresh token also serves every other tenant in which its person has an account, as a guest or a member.
    package let refreshServesEveryTenant: Bool
    /// Whether a refreshed id token has the `auth_time` of the sign-in (OpenID Connect Core 12.2). B2C was seen to send the time
    /// of the refresh.
    package let keepsAuthTime: Bool
    /// Whether the provider may have a revocation endpoint (RFC 7009).
    package let mayRevokeTokens: Bool

    // MARK: Identifiers

    /// Whether the service assigns client ids, which are GUIDs.
    package let clientIDIsGUID: Bool
    /// The beginnings that the names of policies have; empty if any name is possible.
    package let policyPrefixes: [String]
}

extension AuthorityKind {
    package var traits: AuthorityTraits { rules.traits }

    /// Returns the one spelling of a client id: the case of a GUID does not matter, that of any other id does.
    package func canonical(clientID id: String) -> String {
        let lower = id.lowercased()
        return traits.clientIDIsGUID && lower.isGUID ? lower : id
    }

    package func isSameClient(_ id: String, _ other: String) -> Bool {
        id == other || canonical(clientID: id) == canonical(clientID: other)
    }
}
