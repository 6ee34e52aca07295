import SusiHTTP
import SusiOAuth
public import SusiPolicies
public import SusiStore

/// How a sign-out ended.
public struct SignOutResult: Sendable {
    /// The accounts that are gone here.
    public let removed: [RemovedAccount]
    /// What came of the browser's session, for each policy that was visited; none when the browser was left alone.
    public let sessions: [EndedSession]
}

/// What came of the browser's session under one policy.
public struct EndedSession: Hashable, Sendable {
    /// The policy.
    public let policy: PolicyName
    /// How it went.
    public let outcome: Outcome

    /// How the visit to the provider went.
    public enum Outcome: Hashable, Sendable {
        /// The provider ended the session and sent the browser back.
        case ended
        /// The provider has no place where a session ends.
        case notOffered
        /// The browser did not come back in time: whether the session has ended is not known.
        case noAnswer
        /// The provider could not be asked.
        case failed(SusiError)
    }
}

extension PublicClient {
    /// Seconds that a sign-out waits for the browser to come back.
    public static let longestSignOut: Int64 = 10

    /// The accounts that a sign-out concerns: the one that the selection means, or all of them on a shared device.
    public func signingOut(_ selection: AccountSelection) async throws(SusiError) -> [StoredAccount] {
        if application.deviceMode == .shared { return try await accounts() }
        let policy = try policy(selection.policy)
        if let text = selection.text {
            let found = try await find(text, policy, matching: selection.matching)
            return [try await single(found, text, policy)]
        }
        if try await current(policy).current == nil,
            try await accountCount(policy: policy.name) == 0
        {
            throw SusiError.nobodySignedIn(under: policy)
        }
        return [try await account(selection)]
    }

    /// Removes the accounts here, notes who they were, and then ends the browser's sessions under `policies`, when there
    /// is a `surface` to do it through. `imported` tokens go with them.
    ///
    /// The session is the provider's, not an account's: a provider that keeps one for each policy has to be visited for
    /// each. On a shared device the note stays until somebody else signs in.
    public func signOut(
        _ accounts: [StoredAccount], and imported: [ImportedToken] = [], endingSessionsOf policies: [Policy] = [],
        through surface: SignInSurface? = nil
    ) async throws(SusiError) -> SignOutResult {
        let visits = try await withExistingStore { store in
            policies.map { policy in
                let account = accounts.first { $0.account.policy == policy.name }
                return BrowserSignOut.Visit(policy: policy, idTokenHint: account.flatMap { store?.idToken(of: $0) })
            }
        }
        var removed: [RemovedAccount] = []
        if !accounts.isEmpty { removed = try await remove(accounts, signedOutOn: clock()) }
        for token in imported { try await remove(token) }
        guard let surface, !visits.isEmpty else { return SignOutResult(removed: removed, sessions: []) }
        let browser = BrowserSignOut(context: context, surface: surface, labels: accounts.map(\.label))
        let sessions = try await mappingErrors { try await browser.end(visits) }
        return SignOutResult(removed: removed, sessions: sessions)
    }
}
