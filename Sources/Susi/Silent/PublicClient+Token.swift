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
        switch try await source(of: wanted, for: selection, under: target.policy, options) {
        case .home(let flow):
            return TokenPreview(account: flow.home, policy: target.policy, plan: .refresh, cached: nil)
        case .account(let account):
            let flow = silentFlow(of: account, under: target.policy, wanted: wanted, options: options)
            return try await withExistingStore(policy: target.policy.name, of: account) { try flow.preview(in: $0) }
        }
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
        let wanted = WantedScopes(target, beside: options.scopes)
        var options = options
        let account: StoredAccount
        switch try await source(of: wanted, for: selection, under: target.policy, options) {
        case .account(let found): account = found
        case .home(let flow):
            account = try await withUnlockedStore(policy: target.policy.name) { try await flow.account(in: $0) }
            // That has just fetched a new token, so no refresh is forced.
            options = TokenRequestOptions(minimum: options.minimum)
        }
        let flow = silentFlow(of: account, under: target.policy, wanted: wanted, options: options)
        return try await mappingErrors(policy: target.policy.name, of: account) { try await flow.token() }
    }

    private enum Source {
        case account(StoredAccount)
        /// The sign-in at home, because no account in the policy's tenant has a token or a way to get one.
        case home(TenantFlow)
    }

    private func source(
        of wanted: WantedScopes, for selection: AccountSelection, under policy: Policy, _ options: TokenRequestOptions
    ) async throws(SusiError) -> Source {
        let (context, session) = (context, session)
        let tenantFlow = { home in
            TenantFlow(
                context: context, session: session, home: home, policy: policy, wanted: wanted, options: options)
        }
        return try await finding { finder in
            switch try finder.one(selection.under(policy), under: policy) {
            case .atHome(let home): return .home(tenantFlow(home))
            case .here(let account, nil): return .account(account)
            case .here(let account, let home?):
                let flow = tenantFlow(home)
                return try flow.needsHome(account, in: finder.store) ? .home(flow) : .account(account)
            }
        }
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
