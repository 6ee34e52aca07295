import SusiOAuth
import SusiPolicies

extension PublicClient {
    /// Signs a person in on another device (RFC 8628), and stores the account like any other.
    ///
    /// `tell` gets the code that the person types there. The wait ends when the code expires, or after `limit` seconds;
    /// `pause` waits between two requests. Errors: ``SusiError/Code/cancelled`` if the person declines, `timeout`,
    /// `unknownName` if the provider has no such flow, like Azure AD B2C.
    public func signInOnAnotherDevice(
        _ request: SignInRequest, limit: Int64? = nil,
        pause: @escaping @Sendable (_ seconds: Int64) async throws -> Void = {
            try await Task.sleep(for: .seconds($0))
        },
        tell: @escaping @Sendable (SignInEvent) -> Void
    ) async throws(SusiError) -> SignInResult {
        let target = try choose { try $0.target(api: request.api, policy: request.policy) }
        guard !application.kind.traits.hasPolicies else {
            throw SusiError.noDeviceCode("Azure AD B2C does not support it", target.policy)
        }
        _ = try await holderOfSharedDevice(expecting: [request.expected])
        let wait = DeviceWait(limit: limit, pause: pause, tell: tell, clock: clock)
        return try await signIn(request, to: target, waiting: wait)
    }

    private func signIn(
        _ request: SignInRequest, to target: TokenTarget, waiting wait: DeviceWait
    ) async throws(SusiError) -> SignInResult {
        let (context, policy) = (context, target.policy)
        return try await withUnlockedStore(policy: policy.name) { store in
            let demand = Demand(on: request, under: policy, in: store, context)
            let scopes = SignInScopes(target, request, of: demand.account)
            let flow = DeviceFlow(
                context: context, policy: policy, scopes: scopes.asked, options: demand.added(to: request.options),
                wait: wait)
            let grant = try await demand.forgottenIfRefused(in: store, context) { try await flow.run() }
            return try SignInKeeper(context, for: request, under: policy, scopes, demand).save(grant, in: store)
        }
    }
}
