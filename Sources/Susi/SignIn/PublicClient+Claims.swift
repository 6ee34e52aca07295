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
        let signIn = SuggestedCommand.signIn(account.account.policy)
            .option("-a", account.isCurrent ? nil : account.label)
        return SusiError(
            .signInNeeded, "A sign-in is needed", why: "more is demanded of the token than it says",
            next: "\(signIn)")
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

        /// The demand together with the caller's own claims.
        func claims(beside own: ClaimsRequest?) -> ClaimsRequest? {
            guard let claims else { return own }
            return own?.merged(with: claims) ?? claims
        }
    }

    func demand(on request: SignInRequest, _ policy: Policy) -> Demand {
        let account = likelyAccount(request.expected, policy)
        let claims = account.flatMap { try? store().pendingClaims(of: $0.account) }
        return Demand(account: account, claims: claims)
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
