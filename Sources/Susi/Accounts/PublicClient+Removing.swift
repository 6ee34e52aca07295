import SusiHTTP
import SusiOAuth
import SusiPolicies
public import SusiStore

/// An account that was removed, and the state of its tokens at the provider.
public struct RemovedAccount: Sendable {
    package let removal: Removal
    /// The account before the removal.
    public var account: StoredAccount { removal.account }
    /// The state of its tokens at the provider.
    public let revocation: Revocation
}

/// The state of an account's tokens at the provider (RFC 7009). They are removed here in any case.
public enum Revocation: Hashable, Sendable {
    /// The refresh token is revoked; access tokens too, or they are valid until they expire.
    case revoked(accessTokens: Bool)
    /// The provider cannot revoke.
    case notOffered
    /// There was no token to revoke.
    case noToken
    /// The request failed.
    case failed(SusiError)
}

extension PublicClient {
    /// Removes one account with its tokens; every other account is kept.
    @discardableResult
    public func remove(_ account: StoredAccount) async throws(SusiError) -> RemovedAccount {
        try await remove([account])[0]
    }

    /// Removes accounts with their tokens, all or none; every other account is kept, and none becomes current.
    /// If the provider has a revocation endpoint the tokens are revoked there; a failure does not stop the removal.
    @discardableResult
    public func remove(_ accounts: [StoredAccount]) async throws(SusiError) -> [RemovedAccount] {
        try await remove(accounts, signedOutOn: nil)
    }

    /// Returns what a removal of accounts does at their providers, and which sessions it leaves; `endingShared` if it is the sign-out
    /// of a shared store.
    package func plan(
        removing accounts: [StoredAccount], endingShared: Bool = false
    ) async throws(SusiError) -> SignOutPlan {
        let context = context
        return try await withExistingStore(policy: accounts.first?.account.policy) { store in
            try store.map { try SignOutPlan(accounts, isShared: endingShared, in: $0, context) } ?? SignOutPlan()
        }
    }

    func remove(_ accounts: [StoredAccount], signedOutOn: Int64?) async throws(SusiError) -> [RemovedAccount] {
        try await remove(try await plan(removing: accounts), signedOutOn: signedOutOn)
    }

    func remove(_ plan: SignOutPlan, signedOutOn: Int64?) async throws(SusiError) -> [RemovedAccount] {
        let context = context
        return try await withUnlockedStore(policy: plan.accounts.first?.account.policy) { store in
            let removals = try store.remove(plan.accounts.map(\.account), signedOutOn: signedOutOn)
            let revocations = try await context.web { web in
                var revoker = TokenRevoker(web)
                var outcomes: [Revocation] = []
                for tokens in plan.tokens { outcomes.append(await revoker.revoke(tokens)) }
                return outcomes
            }
            return zip(removals, revocations).map { RemovedAccount(removal: $0, revocation: $1) }
        }
    }
}
