import SusiOAuth
import SusiPolicies
package import SusiStore

/// A cache for another library. It contains unencrypted secrets.
package struct CacheExport: Sendable {
    /// The file's text.
    package let text: String
    package let accounts: [StoredAccount]
    /// The number of access tokens in it; expired ones are left out.
    package let accessTokens: Int
    package let refreshTokens: Int
    /// The accounts that cannot be decrypted; they are left out.
    package let damaged: [StoredAccount]
}

extension PublicClient {
    /// Exports accounts with their tokens in the unified schema, as MSAL for Python reads it. The store keeps them.
    package func exportMSAL(_ accounts: [StoredAccount]) async throws(SusiError) -> CacheExport {
        let export = MSALExport(context: context)
        return try await withUnlockedStore { try export.run(accounts, in: $0) }
    }
}

private struct MSALExport {
    let context: ClientContext

    func run(_ accounts: [StoredAccount], in store: AccountStore) throws -> CacheExport {
        var writer = MSALCacheWriter()
        var (written, damaged) = ([StoredAccount](), [StoredAccount]())
        var (access, refresh) = (0, 0)
        for account in accounts {
            guard let policy = context.application.policy(account.account.policy),
                try store.reaches(account.account, in: context.scope(of: policy))
            else { continue }
            do throws(StoreError) {
                let holder = try holder(account, authority: context.application.authority(for: policy), store)
                writer.add(holder)
                written.append(account)
                access += holder.access.count
                refresh += holder.refresh == nil ? 0 : 1
            } catch {
                guard error.kind == .sealBroken else { throw error }
                damaged.append(account)
            }
        }
        return CacheExport(
            text: try writer.text(), accounts: written, accessTokens: access, refreshTokens: refresh,
            damaged: damaged)
    }

    private func holder(
        _ account: StoredAccount, authority: Authority, _ store: AccountStore
    ) throws(StoreError) -> MSALCacheWriter.Holder {
        if let damage = account.damage { throw damage }
        let now = context.clock()
        var access: [StoredToken] = []
        for info in account.tokens where info.kind == .access && (info.expiresOn ?? 0) > now {
            if let token = try store.secret(.access(account.account, info.scopes)) { access.append(token) }
        }
        return MSALCacheWriter.Holder(
            account: account, authority: authority, realm: try realm(of: authority, store), access: access,
            refresh: try store.secret(.refresh(account.account)), id: try store.secret(.id(account.account)))
    }

    // MSAL for Python finds entries by the realm. The store usually has the configuration that was read last.
    private func realm(of authority: Authority, _ store: AccountStore) throws(StoreError) -> String? {
        guard let document = try store.document(at: authority.discovery.description) else { return nil }
        let metadata = try? ProviderMetadata(
            parsing: document.body, of: authority, known: context.application.knownAuthorities)
        return metadata?.tokenEndpoint.address.segments.first
    }
}
