package import SusiBase
package import SusiPolicies

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
    package private(set) var claims: String?
    /// The raw id token; `nil` if a refresh returned none.
    package private(set) var idToken: String?
    package let idTokenExpiresOn: Int64?
    /// The access token; `nil` if no scope of an API was requested.
    package private(set) var accessToken: AccessToken?
    /// The refresh token; `nil` if `offline_access` was not granted.
    package private(set) var refreshToken: RefreshToken?
    package let receivedOn: Int64
    /// The requested scopes of its access token; empty without one.
    package var askedScopes: ScopeSet { accessToken?.scopes ?? ScopeSet([]) }

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

    /// Returns the grant as if the response had no ID token.
    package func withoutClaims() -> TokenGrant {
        var grant = self
        (grant.claims, grant.idToken) = (nil, nil)
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

extension TokenGrant {
    /// Checks a token response and reads its tokens.
    ///
    /// `scopes` are the requested scopes of an API; `unsaid` are those that a response without scopes grants, if they
    /// differ. If the id token is invalid, no token is accepted. The response to a refresh of an account must not name another
    /// one than it is `renewing`.
    package init(
        response: TokenResponse, scopes: ScopeSet, unsaid: ScopeSet? = nil, keys: KeySet, rules: IDTokenRules,
        renewing stored: HomeAccountID? = nil
    ) throws(ProtocolViolation) {
        guard let idToken = response.idToken else {
            throw ProtocolViolation(.tokenResponse, "no id_token", source: "OpenID Connect Core 3.1.3.3")
        }
        let token = try SignedToken(parsing: idToken)
        try keys.verify(token)
        let person = try rules.check(token, accessToken: response.accessToken)
        let account = Account(person: person, policy: rules.authority.policy, clientID: rules.clientID)
        let handle: HomeAccountID
        if let stored {
            try response.checkKeeps(stored, of: account, at: rules.authority.kind)
            handle = stored
        } else {
            handle = try HomeAccountID(
                account, clientInfo: response.clientInfo, claims: token.claims, of: rules.authority)
        }
        self.init(
            account: account, homeAccountID: handle,
            namesHome: rules.authority.kind.traits.sendsClientInfo && response.clientInfo != nil,
            tenantName: rules.authority.tenant ?? person.tenant.id,
            profile: Profile(claims: token.claims), claims: token.claimsText,
            idToken: idToken, idTokenExpiresOn: token.claims["exp"]?.lenientInteger.map(EpochTime.clamped),
            accessToken: response.accessToken(scopes, unsaid: unsaid, now: rules.now),
            refreshToken: response.refreshToken(rules.now),
            receivedOn: rules.now, scopeOrigin: rules.authority.origin)
    }

    /// Reads the response to a refresh without an id token (OpenID Connect Core 12.2). It belongs to the account whose refresh
    /// token was sent, and a `client_info` in it must be that account's.
    package init(
        response: TokenResponse, scopes: ScopeSet, unsaid: ScopeSet? = nil, renewing account: Account,
        _ handle: HomeAccountID, authority: Authority, now: Int64
    ) throws(ProtocolViolation) {
        try response.checkKeeps(handle, of: account, at: authority.kind)
        self.init(
            account: account, homeAccountID: handle, tenantName: authority.tenant ?? account.person.tenant.id,
            profile: Profile(), claims: nil, idToken: nil, idTokenExpiresOn: nil,
            accessToken: response.accessToken(scopes, unsaid: unsaid, now: now),
            refreshToken: response.refreshToken(now),
            receivedOn: now,
            scopeOrigin: authority.origin)
    }
}

extension TokenResponse {
    fileprivate func accessToken(
        _ scopes: ScopeSet, unsaid: ScopeSet?, now: Int64
    ) -> TokenGrant.AccessToken? {
        accessToken.map { secret in
            TokenGrant.AccessToken(
                secret: secret, scopes: scopes, granted: (self.scopes ?? unsaid ?? scopes).subtracting(.openID),
                // A token without a lifetime is used once and never read from the cache.
                expiresOn: now + EpochTime.duration(expiresIn ?? 0),
                refreshOn: refreshIn.map { now + EpochTime.duration($0) })
        }
    }

    fileprivate func refreshToken(_ now: Int64) -> TokenGrant.RefreshToken? {
        refreshToken.map { secret in
            TokenGrant.RefreshToken(
                secret: secret, expiresOn: refreshTokenExpiresIn.map { now + EpochTime.duration($0) })
        }
    }
}

extension Profile {
    /// Reads the profile from signed claims. Policies of Azure AD B2C send only the claims that are chosen for them, and custom
    /// policies name them as they like.
    package init(claims: JSONNode) {
        let addresses = ["emails", "email", "mail", "signInNames.emailAddress"].map {
            claims[$0]?.strings?.filter { !$0.isEmpty } ?? []
        }
        let names = [
            "preferred_username", "upn", "unique_name", "signInNames.userName", "signInNames.phoneNumber",
        ].compactMap { claims[$0]?.string }
        self.init(
            name: claims["name"]?.string, givenName: claims["given_name"]?.string,
            familyName: claims["family_name"]?.string, emails: addresses.first { !$0.isEmpty } ?? [],
            username: names.first { !$0.isEmpty && !Self.isMadeUp($0) }, identityProvider: claims["idp"]?.string)
    }

    // B2C's directory gives every account a principal name that is no sign-in name: OBJECT-ID@TENANT, or cpim_OBJECT-ID@TENANT.
    private static func isMadeUp(_ name: String) -> Bool {
        let local = name.lowercased().prefix { $0 != "@" }
        return name.contains("@") && String(local.hasPrefix("cpim_") ? local.dropFirst(5) : local).isGUID
    }
}
