public import SusiOAuth
import SusiPolicies
public import SusiStore

extension PublicClient {
    /// Keeps what an API or a token endpoint demands beyond the account's token (`insufficient_claims`), so that the next
    /// sign-in under the policy asks for it. Returns the error that says so, for the caller to throw.
    public func remember(
        claimsChallenge challenge: ClaimsChallenge, for account: StoredAccount
    ) async throws(SusiError) -> SusiError {
        try await explained(account.account.policy) { try keep(ClaimsRequest(challenge), for: account.account) }
        return SusiError(
            .signInNeeded, "A sign-in is needed", why: "more is demanded of the token than it says",
            next: demanding(account, in: "\(SuggestedCommand.signIn(account.account.policy))"))
    }

    private func keep(_ claims: ClaimsRequest, for account: Account) throws {
        try store().remember(claims, for: account)
    }

    /// What a sign-in has to ask beside the caller's wishes.
    struct Demand: Sendable {
        /// Whose sign-in it probably is: of the expected person, else of the policy's current account.
        let account: StoredAccount?
        /// What servers demanded of that account.
        let claims: ClaimsRequest?

        /// The demand together with the caller's own claims. Where both name the same member the caller's counts: a
        /// server's word from some time ago does not change what somebody asks for now.
        func claims(beside own: ClaimsRequest?) -> ClaimsRequest? {
            guard let claims else { return own }
            return own.map { claims.merged(with: $0) } ?? claims
        }
    }

    func demand(on request: SignInRequest, _ policy: Policy) -> Demand {
        let account = likelyAccount(request.expected, policy)
        let claims = account.flatMap { try? store().pendingClaims(of: $0.account) }
        return Demand(account: account, claims: claims)
    }

    /// Runs a sign-in that carries a demand. When the server refuses the request, the demand is forgotten, or it would spoil
    /// every further sign-in; an API that still wants it says so again.
    func carrying<T>(_ demand: Demand, _ policy: Policy, _ body: () async throws -> T) async throws -> T {
        do { return try await body() } catch {
            if SusiError(error, application: application, policy: policy.name).isRefusalOfRequest {
                try? forget(demand)
            }
            throw error
        }
    }

    /// Forgets a demand, unless there is a newer one by now.
    func forget(_ demand: Demand) throws {
        guard let account = demand.account, let claims = demand.claims else { return }
        try store().forgetClaims(of: account.account, ifStill: claims)
    }

    /// The account of the expected person, else the policy's current one; nil when there is none or it is not clear.
    func likelyAccount(_ expected: String?, _ policy: Policy) -> StoredAccount? {
        guard let store = try? existingStore() else { return nil }
        guard let expected else { return try? store.current(policy.name, in: scope(of: policy)) }
        let found = (try? store.find(expected, in: [scope(of: policy)], policy: policy.name)) ?? []
        return found.count == 1 ? found[0] : nil
    }

    /// The account's stored id token, for a policy that wants it as a hint.
    func idToken(_ account: StoredAccount) -> String? {
        try? existingStore()?.secret(.id(account.account))?.secret
    }
}

extension SusiError {
    /// Whether a server refused what was asked of it. A server that is busy has not looked at it, and a person who pressed
    /// “cancel”, which only a service's own code tells for certain, has nothing against it.
    fileprivate var isRefusalOfRequest: Bool {
        guard let refusal, code != .network else { return false }
        return refusal.consequence != .cancelled || refusal.code == nil
    }
}
