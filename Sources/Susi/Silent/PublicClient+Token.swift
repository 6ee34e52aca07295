import SusiOAuth
import SusiPolicies
import SusiStore

extension PublicClient {
    /// Returns an access token without a page: from the cache, else by the refresh token.
    ///
    /// Throws ``SusiError/Code/signInNeeded`` if only a page helps, ``SusiError/Code/scopesDeclined`` if none of the scopes
    /// was granted. A token that lacks some of them is returned: see ``IssuedToken/scopes``.
    public func token(
        api: String?, of selection: AccountSelection, options: TokenRequestOptions = TokenRequestOptions()
    ) async throws(SusiError) -> IssuedToken {
        let target = try target(api: api, policy: selection.policy, scopes: options.scopes)
        return try await token(target, of: selection, options: options)
    }

    /// Returns an access token for a resource of the v1 protocol, without a page: for its default scope, which means all
    /// scopes that were granted on it. A trailing slash of the resource is kept.
    public func token(
        resource: String, of selection: AccountSelection, options: TokenRequestOptions = TokenRequestOptions()
    ) async throws(SusiError) -> IssuedToken {
        let scope = ScopeSet.defaultScope(ofResource: resource)
        let target = TokenTarget(policy: try policy(selection.policy), scopes: [scope], api: nil)
        return try await token(target, of: selection, options: options)
    }

    /// Describes what ``token(api:of:options:)`` would do. Nothing is sent, refreshed or stored.
    package func outlook(
        api: String?, of selection: AccountSelection, options: TokenRequestOptions = TokenRequestOptions()
    ) async throws(SusiError) -> TokenPreview {
        let target = try target(api: api, policy: selection.policy, scopes: options.scopes)
        let wanted = WantedScopes(target, beside: options.scopes)
        if let flow = try await joining(
            selection.under(target.policy), under: target.policy, wanted: wanted, options: options)
        {
            return TokenPreview(account: flow.home, policy: target.policy, plan: .refresh, cached: nil)
        }
        let account = try await account(selection.under(target.policy))
        try await checkIsAlone(account)
        let flow = silentFlow(of: account, under: target.policy, wanted: wanted, options: options)
        return try await withExistingStore(policy: target.policy.name, of: account) { try flow.preview(in: $0) }
    }

    /// Refreshes a token that an API no longer accepts, for the same account even if another one is current by now.
    func renewed(_ token: IssuedToken) async throws -> IssuedToken {
        let options = TokenRequestOptions(forcesRefresh: true)
        return try await silentFlow(of: token.account, under: token.policy, wanted: token.wanted, options: options)
            .token()
    }

    func token(
        _ target: TokenTarget, of selection: AccountSelection, options: TokenRequestOptions
    ) async throws(SusiError) -> IssuedToken {
        let selection = selection.under(target.policy)
        let wanted = WantedScopes(target, beside: options.scopes)
        let first = try await joined(selection, under: target.policy, wanted: wanted, options: options)
        let account = if let first { first } else { try await account(selection) }
        try await checkIsAlone(account)
        // The first use in another tenant has just fetched a new token, so no refresh is forced.
        let options = first == nil ? options : TokenRequestOptions(minimum: options.minimum)
        let flow = silentFlow(of: account, under: target.policy, wanted: wanted, options: options)
        return try await mappingErrors(policy: target.policy.name, of: account) { try await flow.token() }
    }

    func silentFlow(
        of account: StoredAccount, under policy: Policy, wanted: WantedScopes,
        options: TokenRequestOptions = TokenRequestOptions()
    ) -> SilentFlow {
        SilentFlow(
            context: context, session: session, account: account, policy: policy, wanted: wanted, options: options)
    }

    // A token needs at least one scope.
    private nonisolated func target(
        api: String?, policy: PolicyName?, scopes: [String]
    ) throws(SusiError) -> TokenTarget {
        let target = try choose { try $0.tokenTarget(api: api, policy: policy) }
        let isForItself = !target.fallbackScopes.isEmpty && application.apis.allSatisfy(\.scopes.isEmpty)
        guard !target.scopes.isEmpty || !scopes.isEmpty || isForItself else {
            throw SusiError.noAPI(under: target.policy, of: application)
        }
        return target
    }
}
