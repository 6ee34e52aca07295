import SusiOAuth
import SusiPolicies
import SusiStore

extension PublicClient {
    /// Signs a person in through the browser and stores the account under its person and its policy.
    ///
    /// Errors: ``SusiError/Code/cancelled`` (AADB2C90091 and 90273 too), `unknownAuthority` before anything is sent,
    /// `network`, `timeout`, `invalidAnswer`, `differentPerson`, `store`.
    public func signIn(
        _ request: SignInRequest, through surface: SignInSurface
    ) async throws(SusiError) -> SignInResult {
        let target = try choose { try $0.target(api: request.api, policy: request.policy) }
        guard target.policy.kind == .signUpOrSignIn else { throw SusiError.noSignInPage(target.policy) }
        let hinted = request.options.loginHint.map { ExpectedPerson.named($0) }
        let holder = try await holderOfSharedDevice(expecting: [request.expected, hinted])
        let expected = try await expectedAccount(of: request, under: target.policy)
        var request = request
        request.options.loginHint = request.options.loginHint ?? holder?.profile.hint
        return try await signIn(request, to: target, expected: expected, through: surface)
    }

    // The store is opened first, so that an error of the store is reported before the person types a password.
    private func signIn(
        _ request: SignInRequest, to target: TokenTarget, expected: StoredAccount?, through surface: SignInSurface
    ) async throws(SusiError) -> SignInResult {
        let (context, policy) = (context, target.policy)
        return try await withUnlockedStore(policy: policy.name, of: expected) { store in
            try await context.holdingSignInLock(of: policy, on: surface) {
                let demand = Demand(on: request, under: policy, in: store, context)
                let scopes = SignInScopes(target, request, of: demand.account)
                var options = demand.added(to: request.options)
                options.idTokenHint = demand.account.flatMap { store.idToken(of: $0) }
                let flow = InteractiveFlow(
                    context: context, policy: policy, scopes: scopes.asked, options: options, surface: surface,
                    choosesAccount: request.choosesAccount,
                    hasAccount: try store.count(of: [context.scope(of: policy)], policy: policy.name) > 0,
                    person: expected.map(reference))
                return try await demand.forgottenIfRefused(in: store, context) {
                    try await flow.run { grant in
                        let keeper = SignInKeeper(context, for: request, under: policy, scopes, demand)
                        let result = try await self.save(grant, by: keeper)
                        return (result, .signedIn(result.account, policy))
                    }
                }
            }
        }
    }

    // A closure that the listener runs cannot capture the store.
    private func save(_ grant: TokenGrant, by keeper: SignInKeeper) async throws -> SignInResult {
        try keeper.save(grant, in: try await session.open())
    }

    /// Returns the account that the request demands; `nil` if it demands none, or it is not stored.
    private func expectedAccount(
        of request: SignInRequest, under policy: Policy
    ) async throws(SusiError) -> StoredAccount? {
        guard let expected = request.expected else { return nil }
        return try await finding { $0.likely(expected, under: policy) }
    }
}
