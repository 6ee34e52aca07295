import SusiBase
import SusiPolicies

/// `grant_type=refresh_token` (RFC 6749 section 6).
enum RefreshTokenGrant {
    static func tokens(for request: TokenRequest) throws -> JSON {
        guard let token = request.form["refresh_token"] else { throw Refusal.missing("refresh_token") }
        let database = request.endpoint.tenant.database
        guard let record = try database.refreshToken(token) else {
            if request.endpoint.dialect.traits.acceptsForeignRefreshTokens,
                let foreign = try database.foreignRefreshToken(token)
            {
                return try tokens(for: request, by: foreign)
            }
            throw Refusal.revoked.because("The refresh token was not issued by this tenant, or it expired long ago")
        }
        var grant = record.grant
        try request.check(grant)
        try checkExpiry(of: record, request)
        if let journey = request.journey, let claims = grant.details.journey {
            _ = try request.user(of: grant)
            grant.details.journey = try journey.refreshed(claims, issued: record.issued)
        }
        let (endpoint, dialect) = (request.endpoint, request.endpoint.dialect)
        let user =
            dialect.refreshNeedsUser(at: endpoint)
            ? try request.user(record.user, of: grant) : record.user ?? User(objectID: grant.objectID)
        let refusal = dialect.refusal(of: user, at: endpoint) ?? dialect.refreshRefusal(of: user, at: endpoint)
        if let refusal { throw refusal }
        let scopes = try scopes(request, grant)
        try checkClaims(request, grant)
        try request.checkConsent(user, scopes)
        return try request.issue(grant, to: user, scopes: scopes, redeeming: token)
    }

    private static func checkExpiry(of record: RefreshRecord, _ request: TokenRequest) throws(Refusal) {
        guard request.now < record.expires else {
            throw request.expired(
                issued: record.issued, at: record.expires, isWindow: record.expires >= record.grant.expires)
        }
    }

    // Entra ID's refresh tokens belong to a user and a client, not to a tenant. The grant and its refresh tokens are this
    // tenant's own; the redeemed one stays as it is.
    private static func tokens(for request: TokenRequest, by foreign: ForeignRefreshToken) throws -> JSON {
        let grant = foreign.record.grant
        try request.checkClient(grant)
        try checkExpiry(of: foreign.record, request)
        _ = try request.user(foreign.record.user, of: grant)
        let home = try request.user(foreign.home, of: grant)
        let (endpoint, tenantID) = (request.endpoint, foreign.homeTenantID)
        let found = try endpoint.tenant.database.user(home: home, of: tenantID)
        guard let user = found, endpoint.dialect.refusal(of: user, at: endpoint) == nil else {
            throw Refusal.notInvited(home, of: tenantID, at: endpoint, clientID: request.clientID)
        }
        let local = try request.user(user, of: grant)
        let scope = request.form["scope"] ?? grant.scope
        let scopes = try request.scopes(scope)
        try checkClaims(request, grant)
        try request.checkConsent(local, scopes)
        let own = try request.newGrant(local, scope: scope, home: grant)
        return try request.issue(own, to: local, scopes: scopes)
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

extension Refusal {
    /// AADSTS50020.
    fileprivate static func notInvited(
        _ user: User, of tenantID: String, at endpoint: PolicyEndpoint, clientID: String
    ) -> Refusal {
        Refusal(
            .userOfAnotherTenant,
            """
            User account '\(user.signInName)' from identity provider 'https://sts.windows.net/\(tenantID)/' does not exist \
            in tenant '\(endpoint.name)' and cannot access the application '\(clientID)' in that tenant. The account needs \
            to be added as an external user in the tenant first.
            """
        ).because("No guest of this tenant has the home tenant \(tenantID) and the email address of the user")
    }
}
