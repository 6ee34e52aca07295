import SusiHTTP
import SusiOAuth
import SusiPolicies
public import SusiStore

/// An account that was removed, and what came of its tokens at the provider.
public struct RemovedAccount: Sendable {
    /// What went here.
    public let removal: Removal
    /// What came of its tokens there.
    public let revocation: Revocation
}

/// What came of an account's tokens at the provider (RFC 7009). Whatever it is, they are gone here.
public enum Revocation: Hashable, Sendable {
    /// The refresh token is revoked; access tokens too, or they stay valid until they end.
    case revoked(accessTokens: Bool)
    /// The provider cannot revoke.
    case notOffered
    /// There was no token that could be revoked.
    case noToken
    /// The provider was asked in vain.
    case failed(SusiError)
}

extension PublicClient {
    /// Removes one account with its tokens; every other account stays as it is.
    public func remove(_ account: StoredAccount) async throws(SusiError) -> RemovedAccount {
        try await remove([account])[0]
    }

    /// Removes accounts with their tokens, all or none; every other account stays as it is, and none becomes current.
    /// Where the provider has a place for it the tokens are revoked there, which never holds the removal up.
    public func remove(_ accounts: [StoredAccount]) async throws(SusiError) -> [RemovedAccount] {
        try await remove(accounts, signedOutOn: nil)
    }

    func remove(_ accounts: [StoredAccount], signedOutOn: Int64?) async throws(SusiError) -> [RemovedAccount] {
        try await explained(accounts.first?.account.policy) {
            let store = try store()
            let tokens = accounts.map { revocable($0, store) }
            let removals = try store.remove(accounts.map(\.account), signedOutOn: signedOutOn)
            let revoker = TokenRevoker(application: application, documents: documents, trace: trace)
            let revocations = try await web { web in await revoker.revoke(tokens, web) }
            return zip(removals, revocations).map { RemovedAccount(removal: $0, revocation: $1) }
        }
    }

    // What does not open cannot be revoked; it goes all the same.
    private func revocable(_ account: StoredAccount, _ store: AccountStore) -> TokenRevoker.Tokens {
        // A token is shown to nobody but the tenant that gave it.
        let isAtHome =
            application.policy(account.account.policy).map { policy in
                (try? store.reaches(account.account, in: scope(of: policy))) ?? false
            } ?? false
        let alive = account.tokens.filter { isAtHome && $0.kind != .id && ($0.expiresOn ?? .max) > clock() }
        let keys = alive.map { info in
            info.kind == .refresh ? TokenKey.refresh(account.account) : .access(account.account, info.scopes)
        }
        let found = keys.compactMap { key in (try? store.secret(key)).flatMap(\.self).map { (key.kind, $0.secret) } }
        // One access token may be stored for several requests.
        let access = Set(found.filter { $0.0 == .access }.map(\.1))
        return TokenRevoker.Tokens(
            account: account, refresh: found.filter { $0.0 == .refresh }.map(\.1), access: access.sorted())
    }
}
