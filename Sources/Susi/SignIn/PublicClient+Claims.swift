public import SusiOAuth
import SusiPolicies
public import SusiStore

extension PublicClient {
    /// Keeps what an API or a token endpoint demands beyond the account's token (`insufficient_claims`), so that the next
    /// sign-in under the policy asks for it. Returns the error that says so, for the caller to throw. `api` is the API that
    /// demands it.
    public func remember(
        claimsChallenge challenge: ClaimsChallenge, for account: StoredAccount, api: String? = nil
    ) async throws(SusiError) -> SusiError {
        try await keep(ClaimsRequest(challenge), for: account.account)
        return .moreClaimsNeeded(next: signIn(account, api))
    }

    /// Keeps what an API demands of the person's next sign-in under the policy (RFC 9470). Returns the error that says so, for
    /// the caller to throw.
    func remember(
        _ challenge: StepUpChallenge, for account: StoredAccount, api: String
    ) async throws(SusiError) -> SusiError {
        if let kept = challenge.kept { try await keep(kept, for: account.account) }
        let wishes = [
            challenge.acrValues.map { "with one of the authentication contexts \($0)" },
            challenge.maximumAge.map { "at most \(Span.text($0)) old" },
        ].compactMap(\.self)
        let prompt: Prompt? = wishes.isEmpty ? .login : nil
        var error = SusiError.stepUpNeeded(wishes, by: api, next: signIn(account, api, prompt))
        error.prompt = prompt
        return error
    }

    private func signIn(_ account: StoredAccount, _ api: String?, _ prompt: Prompt? = nil) -> NextStep {
        let signIn = SuggestedCommand.signIn(account.account.policy).option("--api", api)
        return demanding(account, in: "\(signIn.option("--prompt", prompt?.rawValue))")
    }

    private func keep(_ claims: ClaimsRequest, for account: Account) async throws(SusiError) {
        try await explained(account.policy) { try store().remember(claims, for: account) }
    }

    /// What a sign-in has to ask beside the caller's wishes.
    struct Demand: Sendable {
        /// Whose sign-in it probably is: of the expected person, else of the policy's current account.
        let account: StoredAccount?
        /// What servers demanded of that account: claims, or another sign-in.
        let stored: ClaimsRequest?

        /// The caller's options with the demand. Where both name the same thing the caller's counts: a server's word from
        /// some time ago does not change what somebody asks for now.
        func added(to own: AuthorizationOptions) -> AuthorizationOptions {
            guard let stored else { return own }
            var options = own
            guard let stepUp = StepUpChallenge(kept: stored) else {
                options.claims = own.claims.map { stored.merged(with: $0) } ?? stored
                return options
            }
            let namesContexts =
                own.claims?.namesACR ?? false || own.extra.contains { $0.name.lowercased() == "acr_values" }
            options.acrValues = own.acrValues ?? (namesContexts ? nil : stepUp.acrValues)
            options.maximumAge = own.maximumAge ?? stepUp.maximumAge
            return options
        }
    }

    func demand(on request: SignInRequest, _ policy: Policy) -> Demand {
        let account = likelyAccount(request.expected, policy)
        return Demand(account: account, stored: account.flatMap { try? store().pendingClaims(of: $0.account) })
    }

    /// Runs a sign-in that carries a demand. When the server refuses the request or does not meet the demand, it is forgotten,
    /// or every later sign-in would fail too; an API that still wants it says so again.
    func carrying<T>(_ demand: Demand, _ policy: Policy, _ body: () async throws -> T) async throws -> T {
        do { return try await body() } catch {
            let explained = SusiError(error, application: application, policy: policy.name)
            if explained.isRefusalOfRequest || explained.violated == .demand { try? forget(demand) }
            throw error
        }
    }

    /// Forgets a demand, unless there is a newer one by now.
    func forget(_ demand: Demand) throws {
        guard let account = demand.account, let stored = demand.stored else { return }
        try store().forgetClaims(of: account.account, ifStill: stored)
    }

    /// The account of the expected person, else the policy's current one; nil when there is none or it is not clear.
    func likelyAccount(_ expected: String?, _ policy: Policy) -> StoredAccount? {
        guard let store = try? existingStore() else { return nil }
        guard let expected else { return try? store.current(policy.name, in: scope(of: policy)) }
        let found = (try? store.find(expected, in: [scope(of: policy)], policy: policy.name, matching: .exactly)) ?? []
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
