/// `grant_type=refresh_token` (RFC 6749 section 6).
enum RefreshTokenGrant {
    static func answer(_ request: TokenRequest) throws -> JSON {
        guard let token = request.form["refresh_token"] else { throw Refusal.missing("refresh_token") }
        let tenant = request.place.tenant
        guard let record = try tenant.database.refreshToken(token) else { throw Refusal.revoked }
        let grant = record.grant
        try request.check(grant)
        guard request.now < record.expires else {
            throw request.expired(issued: record.issued, window: grant.expires)
        }
        let user = try request.user(of: grant)
        // The user was signed in with offline_access; a refresh may ask for other scopes of the application.
        let scopes = try RequestedScopes(
            (request.form["scope"] ?? grant.scope) + " offline_access", clientID: grant.clientID,
            apis: tenant.configuration.apis)
        let isFirstUse = try tenant.database.use(refreshToken: token)
        if tenant.configuration.refreshRotation == .strict, !isFirstUse {
            try tenant.database.revoke(grant)
            throw Refusal.revoked
        }
        let issuer = TokenIssuer(place: request.place, grant: grant, user: user, scopes: scopes, now: request.now)
        let refresh = try request.newRefreshToken(grant, scopes)
        return try issuer.answer(isRefresh: true, refreshToken: refresh)
    }
}
