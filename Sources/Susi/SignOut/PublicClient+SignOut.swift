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
    /// What was carried out.
    package let plan: SignOutPlan

    package init(removed: [RemovedAccount], sessions: [EndedSession], plan: SignOutPlan) {
        (self.removed, self.sessions, self.plan) = (removed, sessions, plan)
    }
}

/// The end of the browser's session under one policy.
public struct EndedSession: Hashable, Sendable {
    /// The application of the policies file.
    public let application: String
    /// The policy.
    public let policy: PolicyName
    /// What is known about the session afterwards.
    public let outcome: Outcome

    /// The outcome of a visit to the provider.
    public enum Outcome: Hashable, Sendable {
        /// The provider ended the session and sent the browser back.
        case ended
        /// The same under another policy of the account's tenant, because its own is not in the file; a custom policy may have a
        /// session of its own.
        case endedElsewhere
        /// The provider has no endpoint that ends a session.
        case notOffered
        /// The browser opened the provider's page and stayed there, as it does after the sign-out of a personal Microsoft account.
        case probablyEnded
        /// The browser did not come back in time: it is unknown whether the session has ended.
        case noResponse
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

    /// Returns the account that a selection means for a sign-out. Throws ``SusiError/Code/unknownAccount`` if there is none, with the
    /// places of others.
    package func signingOut(_ selection: AccountSelection) async throws(SusiError) -> [StoredAccount] {
        guard selection.isCurrent else { return [try await account(selection, suggestingSignIn: false)] }
        let policy = try policy(selection.policy)
        if let current = try await listedCurrent(policy).current { return [current] }
        let groups = try await everything()
        let own = groups.first { $0.application == application.name }?.accounts ?? []
        let others = groups.compactMap(\.application).filter { $0 != application.name }
        throw SusiError.noneSignedIn(
            place: application.place(of: policy), under: Set(own.map(\.account.policy.spelling)).sorted(), of: others)
    }

    /// Removes the accounts, or everything if the store is shared; notes who signed out, and then ends the browser's sessions of these
    /// accounts if there is a `surface`.
    ///
    /// The session belongs to the provider, not to an account: a provider with one session for each policy has to be visited
    /// for each. A shared store has no notes.
    @discardableResult
    public func signOut(
        _ accounts: [StoredAccount], through surface: SignInSurface? = nil
    ) async throws(SusiError) -> SignOutResult {
        let shared = try await sharedAccounts()
        let plan = try await plan(removing: shared ?? accounts, endingShared: shared != nil)
        let removed = plan.accounts.isEmpty ? [] : try await remove(plan, signedOutOn: clock())
        if removed.isEmpty { try await cleanUpWithoutAccounts() }
        return SignOutResult(removed: removed, sessions: try await endSessions(plan, through: surface), plan: plan)
    }

    /// Deletes what a sign-out deletes in a store without accounts: the damaged files that repairs kept.
    package func cleanUpWithoutAccounts() async throws(SusiError) {
        try await withExistingStore(unlocks: false) { try $0?.deleteKeptFilesIfEmpty() }
    }

    /// Returns a plan that ends the browser's session of a policy of any kind, and for the sign-out of a shared store those of the
    /// policies that keep no account. It removes nothing.
    package nonisolated func plan(
        endingSessionOf name: PolicyName?, endingShared: Bool
    ) throws(SusiError) -> SignOutPlan {
        let policy = try choose { try $0.findPolicy(name) }
        guard policy.kind.hasPage else { return SignOutPlan() }
        return SignOutPlan(endingSessionOf: policy, endingShared: endingShared, context)
    }

    /// Ends the browser's sessions of a plan, one application after the other.
    package func endSessions(
        _ plan: SignOutPlan, through surface: SignInSurface?
    ) async throws(SusiError) -> [EndedSession] {
        guard let surface else { return [] }
        var sessions: [EndedSession] = []
        var rest = plan.visits[...]
        while let first = rest.first {
            let visits = rest.prefix { $0.application == first.application }
            rest = rest.dropFirst(visits.count)
            let browser = BrowserSignOut(
                context: first.context, surface: surface, labels: plan.accounts.map(\.label))
            sessions += try await mappingErrors { try await browser.end(Array(visits)) }
        }
        return sessions
    }
}

extension Profile {
    /// The identity provider behind the tenant, which has a session of its own in the browser. Its name is a domain; names of
    /// the tenant's own ways to sign in are words (`LocalAccount`, `mail`).
    package var otherProvider: String? { identityProvider.flatMap { $0.contains(".") ? $0 : nil } }
}
