import SusiOAuth
import SusiPolicies

extension PublicClient {
    /// Throws ``SusiError/Code/scopesDeclined`` if a sign-in brought none of the requested scopes. Its account is stored, but
    /// has no token for the API.
    package nonisolated func requireScopes(of result: SignInResult) throws(SusiError) {
        let scopes = ScopeOutcome(granted: result.granted, declined: result.declined)
        guard scopes.leavesNothing(of: result.asked) else { return }
        let policy = try choose { try $0.choosePolicy(result.account.account.policy) }
        throw context.declined(scopes, under: policy, hasToken: result.hasAccessToken)
    }
}

extension ClientContext {
    /// Returns the error of an access token without any of the requested scopes.
    func declined(_ scopes: ScopeOutcome, under policy: Policy, hasToken: Bool = true) -> SusiError {
        .scopesDeclined(scopes, policy, of: application.kind, hasToken: hasToken)
    }
}
