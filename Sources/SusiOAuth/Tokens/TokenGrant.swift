/// The validated content of a token response. Times are in seconds since 1970.
package struct TokenGrant: Hashable, Sendable {
    /// The account, from the signed claims of the id token.
    package let account: Account
    /// The account's identifier, from `client_info` if the server sent it.
    package private(set) var homeAccountID: HomeAccountID
    /// Whether the server sent that identifier.
    package let namesHome: Bool
    /// The origin under which accounts of the configured authority are stored. The issuer's may differ.
    package let scopeOrigin: String
    /// The tenant in the configuration: a domain name, a GUID, a name for several tenants, or an issuer.
    package let tenantName: String
    /// The person's profile, from the signed claims.
    package let profile: Profile
    /// The id token's claims as signed JSON text; `nil` if a refresh returned no id token.
    package let claims: String?
    /// The raw id token; `nil` if a refresh returned none.
    package let idToken: String?
    package let idTokenExpiresOn: Int64?
    /// The access token; `nil` if no scope of an API was requested.
    package private(set) var accessToken: AccessToken?
    /// The refresh token; `nil` if `offline_access` was not granted.
    package private(set) var refreshToken: RefreshToken?
    package let receivedOn: Int64

    package struct AccessToken: Hashable, Sendable {
        package let secret: String
        /// The requested scopes, without those of OpenID Connect: the key.
        package fileprivate(set) var scopes: ScopeSet
        package let granted: ScopeSet
        /// The requested scopes that were not granted.
        package var declined: ScopeSet { scopes.declined(granted: granted) }
        package func serves(_ wanted: ScopeSet) -> Bool { granted.serves(wanted, asked: scopes) }
        package let expiresOn: Int64
        /// The time at which the server suggests a refresh.
        package let refreshOn: Int64?

        package init(secret: String, scopes: ScopeSet, granted: ScopeSet, expiresOn: Int64, refreshOn: Int64? = nil) {
            self.secret = secret
            self.scopes = scopes
            self.granted = granted
            self.expiresOn = expiresOn
            self.refreshOn = refreshOn
        }
    }

    package struct RefreshToken: Hashable, Sendable {
        package let secret: String
        /// The expiry, if the server sent one.
        package let expiresOn: Int64?

        package init(secret: String, expiresOn: Int64? = nil) {
            self.secret = secret
            self.expiresOn = expiresOn
        }
    }

    /// Returns the grant as if no other scopes had been requested.
    package func withoutScopes(beside wanted: ScopeSet) -> TokenGrant {
        var grant = self
        grant.accessToken?.scopes = ScopeSet((accessToken?.scopes.scopes ?? []).filter(wanted.scopes.contains))
        return grant
    }

    /// Returns the grant with another spelling of the identifier, or with one that the response left out.
    package func with(_ homeAccountID: HomeAccountID) -> TokenGrant {
        var grant = self
        grant.homeAccountID = homeAccountID
        return grant
    }

    /// Returns the grant with the redeemed refresh token if the response has no other one: it can be used again (RFC 6749
    /// section 6).
    package func keeping(_ redeemed: String) -> TokenGrant {
        var grant = self
        grant.refreshToken = refreshToken ?? RefreshToken(secret: redeemed)
        return grant
    }

    /// Makes a grant from checked responses.
    package init(
        account: Account, homeAccountID: HomeAccountID, namesHome: Bool = false, tenantName: String, profile: Profile,
        claims: String?,
        idToken: String?, idTokenExpiresOn: Int64?, accessToken: AccessToken?, refreshToken: RefreshToken?,
        receivedOn: Int64, scopeOrigin: String? = nil
    ) {
        self.account = account
        self.homeAccountID = homeAccountID
        self.namesHome = namesHome
        self.scopeOrigin = scopeOrigin ?? account.person.tenant.origin
        self.tenantName = Tenant.canonical(tenantName)
        self.profile = profile
        self.claims = claims
        self.idToken = idToken
        self.idTokenExpiresOn = idTokenExpiresOn
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.receivedOn = receivedOn
    }
}
