import SusiPolicies

/// `grant_type=refresh_token` (RFC 6749 section 6).
enum RefreshTokenGrant {
    static func tokens(for request: TokenRequest) throws -> JSON {
        guard let token = request.form["refresh_token"] else { throw Refusal.missing("refresh_token") }
        guard let record = try request.endpoint.tenant.database.refreshToken(token) else {
            throw Refusal.revoked.because("The refresh token was not issued by this tenant, or it expired long ago")
        }
        let grant = record.grant
        try request.check(grant)
        guard request.now < record.expires else {
            throw request.expired(issued: record.issued, window: record.expires)
        }
        let user = try request.user(record.user, of: grant)
        let scopes = try scopes(request, grant)
        try checkClaims(request, grant)
        try request.checkConsent(user, scopes)
        return try request.issue(grant, to: user, scopes: scopes, redeeming: token)
    }

    // With Microsoft's services a refresh can request any scope of the application, elsewhere only those of the sign-in. The
    // scopes of OpenID Connect do not change.
    private static func scopes(_ request: TokenRequest, _ grant: GrantRecord) throws(Refusal) -> RequestedScopes {
        let first = try request.scopes(grant.scope)
        guard let asked = request.form["scope"], asked != grant.scope else { return first }
        let wanted = try request.scopes(asked)
        if !request.endpoint.dialect.traits.scopes.widensOnRefresh,
            let more = wanted.granted.first(where: { !first.granted.contains($0) })
        {
            throw Refusal(.scopeUnsupported, "The scope '\(more)' was not part of the original grant.")
        }
        let kept = first.openID.filter { !wanted.openID.contains($0) }
        return kept.isEmpty ? wanted : try request.scopes(([asked] + kept).joined(separator: " "))
    }

    // A refresh cannot add an authentication context.
    private static func checkClaims(_ request: TokenRequest, _ grant: GrantRecord) throws(Refusal) {
        let asked = try AuthorizationRequest.claims(request.form)
        let shown = ClaimsRequest(grant.details.claims)?.contexts ?? []
        guard let wanted = ClaimsRequest(asked)?.contexts, !wanted.isSubset(of: shown) else { return }
        throw Refusal(
            .claimsDemanded,
            "Due to a configuration change made by your administrator, you must use multi-factor authentication to access.",
            claims: asked)
    }
}
