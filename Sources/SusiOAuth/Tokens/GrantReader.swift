package import SusiBase
package import SusiPolicies

extension TokenGrant {
    /// Checks a token response and reads its tokens.
    ///
    /// `scopes` are the requested scopes of an API; `unsaid` are those that a response without scopes grants, if they
    /// differ. If the id token is invalid, no token is accepted. The response to a refresh of an account whose identifier is
    /// `known` must not name another one.
    package init(
        answer: TokenAnswer, scopes: ScopeSet, unsaid: ScopeSet? = nil, keys: KeySet, rules: IDTokenRules,
        known: HomeAccountID? = nil
    ) throws(ProtocolViolation) {
        guard let idToken = answer.idToken else {
            throw ProtocolViolation(.tokenAnswer, "no id_token", source: "OpenID Connect Core 3.1.3.3")
        }
        let token = try SignedToken(parsing: idToken)
        try keys.verify(token)
        let person = try rules.check(token, accessToken: answer.accessToken)
        let account = Account(person: person, policy: rules.authority.policy, clientID: rules.clientID)
        let handle: HomeAccountID
        if let known {
            try answer.checkKeeps(known, of: account, at: rules.authority.kind)
            handle = known
        } else {
            handle = try HomeAccountID(
                account, clientInfo: answer.clientInfo, claims: token.claims, of: rules.authority)
        }
        self.init(
            account: account, homeAccountID: handle,
            namesHome: rules.authority.kind.traits.sendsClientInfo && answer.clientInfo != nil,
            tenantName: rules.authority.tenant ?? person.tenant.id,
            profile: Profile(claims: token.claims), claims: token.claimsText,
            idToken: idToken, idTokenExpiresOn: token.claims["exp"]?.lenientInteger.map(EpochTime.clamped),
            accessToken: answer.accessToken(scopes, unsaid: unsaid, now: rules.now),
            refreshToken: answer.refreshToken(rules.now),
            receivedOn: rules.now, scopeOrigin: rules.authority.origin)
    }

    /// Reads the response to a refresh without an id token (OpenID Connect Core 12.2). It belongs to the account whose refresh
    /// token was sent, and a `client_info` in it must be that account's.
    package init(
        answer: TokenAnswer, scopes: ScopeSet, unsaid: ScopeSet? = nil, renewing account: Account,
        _ handle: HomeAccountID, authority: Authority, now: Int64
    ) throws(ProtocolViolation) {
        try answer.checkKeeps(handle, of: account, at: authority.kind)
        self.init(
            account: account, homeAccountID: handle, tenantName: authority.tenant ?? account.person.tenant.id,
            profile: Profile(), claims: nil, idToken: nil, idTokenExpiresOn: nil,
            accessToken: answer.accessToken(scopes, unsaid: unsaid, now: now), refreshToken: answer.refreshToken(now),
            receivedOn: now,
            scopeOrigin: authority.origin)
    }
}

extension TokenAnswer {
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
