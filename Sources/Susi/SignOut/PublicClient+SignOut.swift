import SusiHTTP
import SusiOAuth
public import SusiPolicies
public import SusiStore

/// The result of a sign-out.
public struct SignOutResult: Sendable {
    /// The accounts that were removed.
    public let removed: [RemovedAccount]
    /// The browser's session for each policy that was visited; empty without a browser.
    public let sessions: [EndedSession]
}

/// The end of the browser's session under one policy.
public struct EndedSession: Hashable, Sendable {
    /// The policy.
    public let policy: PolicyName
    /// The outcome.
    public let outcome: Outcome

    /// The outcome of a visit to the provider.
    public enum Outcome: Hashable, Sendable {
        /// The provider ended the session and sent the browser back.
        case ended
        /// The provider has no endpoint that ends a session.
        case notOffered
        /// The browser did not come back in time: it is unknown whether the session has ended.
        case noAnswer
        /// The provider could not be reached.
        case failed(SusiError)
    }
}

extension PublicClient {
    /// Seconds that a sign-out waits for the browser to come back.
    package static let longestSignOut: Int64 = 10

    /// Returns the accounts that a sign-out concerns: the selected one, or on a shared device every account, also those of other
    /// applications and tenants. If a private application of the file has the same accounts, it is the selected one.
    package func signingOut(_ selection: AccountSelection) async throws(SusiError) -> [StoredAccount] {
        if application.deviceMode == .shared {
            let all = try await accountsOnSharedDevice()
            let count = try await accountCount()
            if !all.isEmpty || count == 0 { return all }
        }
        let policy = try policy(selection.policy)
        if selection.isCurrent, try await accountCount(policy: policy.name) == 0 {
            throw SusiError.nobodySignedIn(under: policy, place: application.place(of: policy))
        }
        return [try await account(selection, suggestingSignIn: false)]
    }

    /// Removes the accounts, notes who signed out, and then ends the browser's sessions under
    /// `policies` if there is a `surface`.
    ///
    /// The session belongs to the provider, not to an account: a provider with one session for each policy has to be visited
    /// for each. On a shared device the note is kept until another person signs in.
    public func signOut(
        _ accounts: [StoredAccount], endingSessionsOf policies: [Policy] = [], through surface: SignInSurface? = nil
    ) async throws(SusiError) -> SignOutResult {
        let visits = try await visits(to: policies, of: accounts)
        let removed = accounts.isEmpty ? [] : try await remove(accounts, signedOutOn: clock())
        guard let surface, !visits.isEmpty else { return SignOutResult(removed: removed, sessions: []) }
        let browser = BrowserSignOut(context: context, surface: surface, labels: accounts.map(\.label))
        let sessions = try await mappingErrors { try await browser.end(visits) }
        return SignOutResult(removed: removed, sessions: sessions)
    }

    // The id tokens are read before the accounts are removed.
    private func visits(
        to policies: [Policy], of accounts: [StoredAccount]
    ) async throws(SusiError) -> [BrowserSignOut.Visit] {
        let context = context
        return try await withExistingStore { store in
            policies.map { policy in
                // A token is shown only to the tenant that issued it: other applications may have a policy of the same name.
                let account = accounts.first { account in
                    account.account.policy == policy.name && application.otherTenant(of: account) == nil
                        && store.map { context.reaches(account, in: $0) } ?? false
                }
                return BrowserSignOut.Visit(policy: policy, idTokenHint: account.flatMap { store?.idToken(of: $0) })
            }
        }
    }
}
