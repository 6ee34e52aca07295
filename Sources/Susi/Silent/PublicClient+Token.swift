import SusiOAuth
public import SusiPolicies
import SusiStore

extension PublicClient {
    /// Returns an access token without a page: from the cache, else by the refresh token.
    ///
    /// Throws ``SusiError/Code/signInNeeded`` if only a page helps, ``SusiError/Code/scopesDeclined`` if none of the scopes
    /// was granted. A token that lacks some of them is returned: see ``IssuedToken/scopes``.
    public func token(
        api: String? = nil, of selection: AccountSelection = .current,
        options: TokenRequestOptions = TokenRequestOptions()
    ) async throws(SusiError) -> IssuedToken {
        let target = try target(api: api, policy: selection.policy, scopes: options.scopes)
        return try await token(target, of: selection, options: options)
    }

    /// Returns an access token for a resource of the v1 protocol, without a page: for its default scope, which means all
    /// scopes that were granted on it. A trailing slash of the resource is kept.
    public func token(
        resource: String, of selection: AccountSelection = .current,
        options: TokenRequestOptions = TokenRequestOptions()
    ) async throws(SusiError) -> IssuedToken {
        let scope = ScopeSet.defaultScope(ofResource: resource)
        let target = TokenTarget(policy: try policy(selection.policy), scopes: [scope], api: nil)
        return try await token(target, of: selection, options: options)
    }

    /// Returns the account's ID token without a page: the stored one, else by the refresh token, by the rules for access
    /// tokens. It is for programs that ask who signed in, such as the API server of Kubernetes. An API only names its policy.
    ///
    /// Throws ``SusiError/Code/signInNeeded`` if only a page helps, also because the provider issues ID tokens only at sign-ins.
    public func idToken(
        api: String? = nil, of selection: AccountSelection = .current, options: TokenRequestOptions
    ) async throws(SusiError) -> IssuedToken {
        var options = options
        options.kind = .id
        // Without scopes, a provider repeats those of the sign-in, which may decide about the claims.
        let policy = try choose { application in
            let api = try api.map(application.chooseAPI)
            return try application.choosePolicy(selection.policy ?? api?.policy)
        }
        let target = TokenTarget(policy: policy, scopes: [], api: nil)
        return try await token(target, of: selection, options: options)
    }

    /// Returns the raw id token of an account. It is a secret.
    public func idToken(
        of selection: AccountSelection = .current
    ) async throws(SusiError) -> (token: String, policy: PolicyName) {
        let stored = try await account(selection)
        let (application, account) = (application, stored.account)
        return try await withExistingStore(policy: account.policy, of: stored) { store in
            guard let token = try store?.secret(.id(account)) else {
                throw SusiError.signInNeeded(try application.choosePolicy(account.policy), .noAccount)
            }
            return (token.secret, account.policy)
        }
    }

    /// Describes what ``token(api:of:options:)`` would do. Nothing is sent, refreshed or stored.
    package func outlook(
        api: String?, of selection: AccountSelection, options: TokenRequestOptions = TokenRequestOptions()
    ) async throws(SusiError) -> TokenPreview {
        let target = try target(api: api, policy: selection.policy, scopes: options.scopes)
        let (policy, wanted) = (target.policy, WantedScopes(target, beside: options.scopes))
        let found = try await finding { try $0.one(selection.under(policy), under: policy) }
        // A sign-in at home may serve the policy's tenant too.
        if application.kind.traits.refreshServesEveryTenant,
            let flow = try await tenantFlow(to: found, under: policy, wanted: wanted, options: options)
        {
            return TokenPreview(account: flow.home, policy: policy, plan: .refresh, cached: nil)
        }
        let flow = silentFlow(of: found.account, under: policy, wanted: wanted, options: options)
        return try await withExistingStore(policy: policy.name, of: flow.account) { try flow.preview(in: $0) }
    }

    func token(
        _ target: TokenTarget, of selection: AccountSelection, options: TokenRequestOptions
    ) async throws(SusiError) -> IssuedToken {
        let (policy, wanted) = (target.policy, WantedScopes(target, beside: options.scopes))
        let found = try await finding { try $0.one(selection.under(policy), under: policy) }
        // A sign-in at home may serve the policy's tenant too.
        if application.kind.traits.refreshServesEveryTenant,
            let flow = try await tenantFlow(to: found, under: policy, wanted: wanted, options: options)
        {
            return try await token(through: flow)
        }
        let flow = silentFlow(of: found.account, under: policy, wanted: wanted, options: options)
        return try await mappingErrors(policy: policy.name, of: flow.account) { try await flow.token() }
    }

    /// Refreshes a token that an API no longer accepts, for the same account even if another one is current by now.
    func renewed(_ token: IssuedToken) async throws -> IssuedToken {
        let options = TokenRequestOptions(forcesRefresh: true)
        return try await silentFlow(of: token.account, under: token.policy, wanted: token.wanted, options: options)
            .token()
    }

    func silentFlow(
        of account: StoredAccount, under policy: Policy, wanted: WantedScopes, options: TokenRequestOptions
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
