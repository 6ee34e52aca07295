import SusiBase
import SusiOAuth
import SusiPolicies
public import SusiStore

extension PublicClient {
    /// Stores what an API or a token endpoint demands beyond the account's token (`insufficient_claims`), so that the next
    /// sign-in under the policy asks for it. Returns the error for the caller to throw. `json` is the challenge's `claims`
    /// as JSON, and `api` the API that demands it. Throws ``SusiError/Code/invalidResponse`` if it is not a claims request.
    @discardableResult
    public func remember(
        claimsChallenge json: String, for account: StoredAccount, api: String? = nil
    ) async throws(SusiError) -> SusiError {
        let challenge = try await mappingErrors(policy: account.policy) { try ClaimsChallenge(json: json) }
        return try await remember(challenge, for: account, api: api)
    }

    func remember(
        _ challenge: ClaimsChallenge, for account: StoredAccount, api: String?
    ) async throws(SusiError) -> SusiError {
        try await remember(ClaimsRequest(challenge), for: account.account)
        return .moreClaimsNeeded(next: signIn(account, api: api))
    }

    /// Stores what an API demands of the person's next sign-in under the policy (RFC 9470). Returns the error for the caller
    /// to throw.
    func remember(
        _ challenge: StepUpChallenge, for account: StoredAccount, api: String
    ) async throws(SusiError) -> SusiError {
        if let kept = challenge.kept { try await remember(kept, for: account.account) }
        let wishes = [
            challenge.acrValues.map { "with one of the authentication contexts \($0)" },
            challenge.maximumAge.map { "at most \(Span.text($0)) old" },
        ].compactMap(\.self)
        let prompt: Prompt? = wishes.isEmpty ? .login : nil
        var error = SusiError.stepUpNeeded(wishes, by: api, next: signIn(account, api: api, prompt: prompt))
        error.prompt = prompt
        return error
    }

    private func signIn(_ account: StoredAccount, api: String?, prompt: Prompt? = nil) -> NextStep {
        let run = PolicyRun(.signUpOrSignIn, account.account.policy, api: api, prompt: prompt?.rawValue)
        return demanding(account, in: NextStep.run(run))
    }

    private func remember(_ claims: ClaimsRequest, for account: Account) async throws(SusiError) {
        try await withUnlockedStore(policy: account.policy) { try $0.remember(claims, for: account) }
    }
}
