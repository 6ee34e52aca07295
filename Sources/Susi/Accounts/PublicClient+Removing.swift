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

    func remove(_ accounts: [StoredAccount], signedOutOn: Int64?) async throws(SusiError) -> [RemovedAccount] {
        let context = context
        return try await withUnlockedStore(policy: accounts.first?.account.policy) { store in
            // Accounts may belong to other applications: tokens are shown only to their own provider.
            let tokens = accounts.map { RevocableTokens(of: $0, in: store, context) }
            let removals = try store.remove(accounts.map(\.account), signedOutOn: signedOutOn)
            let revocations = try await context.web { web in
                var revoker = TokenRevoker(web)
                var outcomes: [Revocation] = []
                for tokens in tokens { outcomes.append(await revoker.revoke(tokens)) }
                return outcomes
            }
            return zip(removals, revocations).map { RemovedAccount(removal: $0, revocation: $1) }
        }
    }
}
