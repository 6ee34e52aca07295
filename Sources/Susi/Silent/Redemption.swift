import SusiBase
package import SusiHTTP
package import SusiOAuth
package import SusiPolicies
package import SusiStore

extension ClientContext {
    /// Redeems a refresh token at the policy's own authority and checks the response; stores nothing. An authority of several
    /// tenants redeems it at `tenantID`, the person's. The response for a stored account may leave out what has not changed,
    /// and must not contradict it (OpenID Connect Core 12.2). With `handle`, which is for another tenant than that of the
    /// refresh token, the response must name that account at home.
    package func redeem(
        _ refreshToken: String, under policy: Policy, asking scopes: ScopeSet, of stored: StoredAccount? = nil,
        from tenantID: String? = nil, expecting handle: HomeAccountID? = nil, through web: WebClient
    ) async throws -> TokenGrant {
        let tokens = stored?.tokens.filter { $0.kind == .access } ?? []
        let scope = RefreshScope(
            scopes, at: application.kind, known: tokens.map { (asked: $0.scopes, granted: $0.granted) })
        let provider = try await provider(for: policy, web)
        let response = try await provider.response(
            to: .refresh(refreshToken, clientID: application.clientID, scope: scope.asked), ofTenant: tenantID)
        if let handle { try response.checkNames(handle) }
        if response.idToken == nil, let stored {
            return try TokenGrant(
                response: response, scopes: scopes, unsaid: scope.unsaid, renewing: stored.account,
                stored.homeAccountID, authority: provider.authority, now: clock())
        }
        let grant = try await provider.grant(
            response, clientID: application.clientID, scopes: scopes, unsaid: scope.unsaid, now: clock(),
            stored: stored.map { ($0.claims, $0.homeAccountID) })
        traceAuthTime(from: stored?.claims, to: grant.claims)
        return grant
    }

    // Where the kind does not keep it, a change is no reason to refuse.
    private func traceAuthTime(from before: String?, to claims: String?) {
        guard let trace else { return }
        let times = [before, claims].map { text in
            text.flatMap { try? JSONNode(parsing: $0.utf8) }?["auth_time"]?.lenientInteger
        }
        if let before = times[0], let after = times[1], before != after {
            trace("auth_time of the refreshed id token is \(after), not \(before)")
        }
    }
}
