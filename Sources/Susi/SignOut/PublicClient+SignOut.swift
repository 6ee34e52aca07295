import SusiHTTP
package import SusiOAuth
public import SusiPolicies
public import SusiStore

/// What a sign-out removed and ended.
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
    /// What is known about the session afterwards.
    public let outcome: Outcome

    /// The outcome of a visit to the provider.
    public enum Outcome: Hashable, Sendable {
        /// The provider ended the session and sent the browser back.
        case ended
        /// The provider has no endpoint that ends a session.
        case notOffered
        /// The browser opened the provider's page and stayed there, as it does after the sign-out of a personal Microsoft account.
        case probablyEnded
        /// The browser did not come back in time: it is unknown whether the session has ended.
        case noAnswer
        /// The provider could not be reached.
        case failed(SusiError)
    }
}

extension PublicClient {
    /// Seconds that a sign-out waits for the browser to come back.
    package static let longestSignOut: Int64 = 10

    /// Returns what every sign-out removes if the store is shared: all accounts, of every application; `nil` if it is not shared.
    package func sharedAccounts() async throws(SusiError) -> [StoredAccount]? {
        try await withExistingStore { try $0?.sharedAccounts() }
    }

    package func signingOut(_ selection: AccountSelection) async throws(SusiError) -> [StoredAccount] {
        let policy = try policy(selection.policy)
        if selection.isCurrent, try await accountCount(policy: policy.name) == 0 {
            throw SusiError.nobodySignedIn(under: policy, place: application.place(of: policy))
        }
        return [try await account(selection, suggestingSignIn: false)]
    }

    /// Removes the accounts, or everything if the store is shared; notes who signed out, and then ends the browser's sessions under
    /// `policies` if there is a `surface`.
    ///
    /// The session belongs to the provider, not to an account: a provider with one session for each policy has to be visited
    /// for each. A shared store has no notes.
    @discardableResult
    public func signOut(
        _ accounts: [StoredAccount], endingSessionsOf policies: [Policy] = [], through surface: SignInSurface? = nil
    ) async throws(SusiError) -> SignOutResult {
        let shared = try await sharedAccounts()
        let accounts = shared ?? accounts
        let visits = try await visits(to: policies, of: accounts)
        let isNothing = shared == nil && accounts.isEmpty
        let removed = isNothing ? [] : try await remove(accounts, signedOutOn: clock())
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
                        && store.map { context.owns(account, in: $0) } ?? false
                }
                let stays = application.kind.traits.tenantKeepingBrowser
                return BrowserSignOut.Visit(
                    policy: policy, idTokenHint: account.flatMap { store?.idToken(of: $0) },
                    comesBack: stays == nil || account?.account.person.tenant.id != stays)
            }
        }
    }
}

extension Profile {
    /// The identity provider behind the tenant, which has a session of its own in the browser. Its name is a domain; names of
    /// the tenant's own ways to sign in are words (`LocalAccount`, `mail`).
    package var otherProvider: String? { identityProvider.flatMap { $0.contains(".") ? $0 : nil } }
}
