public import SusiPolicies

extension TokenGrant {
    /// Checks an answer of the token endpoint and gives what is to be kept of it.
    ///
    /// `scopes` are those that were asked of an API. Every token is refused together with its id token.
    public init(
        answer: TokenAnswer, scopes: ScopeSet, keys: KeySet, rules: IDTokenRules
    ) throws(ProtocolViolation) {
        let token = try SignedToken(parsing: answer.idToken)
        try keys.verify(token)
        let person = try rules.check(token, accessToken: answer.accessToken)
        let account = Account(person: person, policy: rules.authority.policy, clientID: rules.clientID)
        let now = rules.now
        let accessToken = answer.accessToken.map { secret in
            AccessToken(
                secret: secret, scopes: scopes, granted: (answer.scopes ?? scopes).subtracting(.openID),
                // Without a lifetime nothing is promised: it serves once and is never taken from the cache.
                expiresOn: now + Self.bounded(answer.expiresIn ?? 0),
                refreshOn: answer.refreshIn.map { now + Self.bounded($0) })
        }
        self.init(
            account: account, homeAccountID: try Self.homeAccountID(account, answer.clientInfo, rules.authority.kind),
            tenantName: rules.authority.tenant ?? person.tenant.id, profile: Profile(claims: token.claims),
            claims: token.claimsText, idToken: answer.idToken,
            idTokenExpiresOn: token.claims["exp"]?.lenientInteger ?? now, accessToken: accessToken,
            refreshToken: answer.refreshToken.map { secret in
                RefreshToken(secret: secret, expiresOn: answer.refreshTokenExpiresIn.map { now + Self.bounded($0) })
            },
            receivedOn: now, scopeOrigin: rules.authority.origin)
    }

    // A hundred years: a larger number is nonsense and must not overflow.
    private static func bounded(_ seconds: Int64) -> Int64 { min(max(seconds, 0), 3_155_760_000) }

    private static func homeAccountID(
        _ account: Account, _ clientInfo: String?, _ kind: AuthorityKind
    ) throws(ProtocolViolation) -> HomeAccountID {
        // Only Microsoft's services send it; elsewhere the word may mean anything.
        guard let clientInfo, kind != .openid else { return HomeAccountID(account, of: kind) }
        let info = try ClientInfo(decoding: clientInfo)
        // A guest's handle in a workforce tenant is that of the tenant at home.
        guard info.utid.lowercased() == account.person.tenant.id || kind == .entra else {
            throw ProtocolViolation(
                .clientInfo, "its tenant \(info.utid) is not the id token's", source: "Azure AD B2C, client_info")
        }
        // A custom policy without an object id has nothing before the dash.
        guard !info.uid.hasPrefix("-") else { return HomeAccountID(account, of: kind) }
        return HomeAccountID(uid: info.uid, utid: info.utid)
    }
}

extension Profile {
    /// Takes the profile from signed claims.
    public init(claims: JSONNode) {
        self.init(
            name: claims["name"]?.string, givenName: claims["given_name"]?.string,
            familyName: claims["family_name"]?.string,
            emails: claims["emails"]?.strings ?? claims["email"]?.strings ?? [],
            identityProvider: claims["idp"]?.string)
    }
}
