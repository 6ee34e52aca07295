import SusiPolicies

/// `grant_type=refresh_token` (RFC 6749 section 6).
enum RefreshTokenGrant {
    static func answer(_ request: TokenRequest) throws -> JSON {
        guard let token = request.form["refresh_token"] else { throw Refusal.missing("refresh_token") }
        guard let record = try request.place.tenant.database.refreshToken(token) else {
            throw Refusal.revoked.because("The refresh token was never issued by this tenant, or it expired long ago")
        }
        let grant = record.grant
        try request.check(grant)
        guard request.now < record.expires else {
            throw request.expired(issued: record.issued, window: record.expires)
        }
        let user = try request.user(of: grant)
        let scope = try scope(request, grant)
        try checkClaims(request, grant)
        try request.checkConsent(user, scope: scope)
        return try request.answer(grant, user, scope: scope, redeeming: token)
    }

    // Microsoft's services give whatever the application may have; elsewhere a refresh never asks for more than the
    // sign-in did. The scopes of OpenID Connect stay what they were.
    private static func scope(_ request: TokenRequest, _ grant: GrantRecord) throws(Refusal) -> String {
        let configuration = request.place.tenant.configuration
        let first = try RequestedScopes(grant.scope, clientID: grant.clientID, configuration)
        guard let asked = request.form["scope"] else { return grant.scope }
        let wanted = try RequestedScopes(asked, clientID: grant.clientID, configuration)
        if configuration.kind == .openid, let more = wanted.granted.first(where: { !first.granted.contains($0) }) {
            throw Refusal(.scopeUnsupported, "The scope '\(more)' was not part of the original grant.")
        }
        let kept = first.openID.filter { !wanted.openID.contains($0) }
        return ([asked] + kept).joined(separator: " ")
    }

    // An authentication context needs the person: no refresh brings it.
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
