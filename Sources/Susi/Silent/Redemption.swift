import SusiBase
import SusiHTTP
import SusiOAuth
import SusiPolicies
import SusiStore

extension ClientContext {
    /// Redeems a refresh token at the policy's own authority and checks the response; stores nothing. An authority of several
    /// tenants redeems it at `tenantID`, the person's. The response for a known account may leave out what has not changed,
    /// and must not contradict it (OpenID Connect Core 12.2). With `home`, which is for another tenant than that of the
    /// refresh token, the response must name that account at home.
    func redeem(
        _ refreshToken: String, under policy: Policy, asking scopes: ScopeSet, of known: StoredAccount? = nil,
        from tenantID: String? = nil, at home: HomeAccountID? = nil
    ) async throws -> TokenGrant {
        try await web { web in
            try await redeem(
                refreshToken, under: policy, asking: scopes, of: known, from: tenantID, at: home, through: web)
        }
    }

    /// The same with a web client that several exchanges share.
    func redeem(
        _ refreshToken: String, under policy: Policy, asking scopes: ScopeSet, of known: StoredAccount? = nil,
        from tenantID: String? = nil, at home: HomeAccountID? = nil, through web: WebClient
    ) async throws -> TokenGrant {
        let tokens = known?.tokens.filter { $0.kind == .access } ?? []
        let scope = RefreshScope(
            scopes, at: application.kind, known: tokens.map { (asked: $0.scopes, granted: $0.granted) })
        let provider = try await provider(for: policy, web)
        let response = try await provider.answer(
            to: .refresh(refreshToken, clientID: application.clientID, scope: scope.asked), ofTenant: tenantID)
        if let home { try response.checkNames(home) }
        if response.idToken == nil, let known {
            return try TokenGrant(
                answer: response, scopes: scopes, unsaid: scope.unsaid, renewing: known.account,
                known.homeAccountID, authority: provider.authority, now: clock())
        }
        let grant = try await provider.grant(
            response, clientID: application.clientID, scopes: scopes, unsaid: scope.unsaid, now: clock(),
            known: known.map { ($0.claims, $0.homeAccountID) })
        traceAuthTime(from: known?.claims, to: grant.claims)
        return grant
    }

    // Where the kind does not keep it, a change is no reason to refuse.
    private func traceAuthTime(from known: String?, to claims: String?) {
        guard let trace else { return }
        let times = [known, claims].map { text in
            text.flatMap { try? JSONNode(parsing: $0.utf8) }?["auth_time"]?.lenientInteger
        }
        if let before = times[0], let after = times[1], before != after {
            trace("auth_time of the refreshed id token is \(after), not \(before)")
        }
    }
}
