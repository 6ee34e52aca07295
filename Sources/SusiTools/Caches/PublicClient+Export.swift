package import Susi

/// A cache for another library. It contains unencrypted secrets.
package struct CacheExport: Sendable {
    package let text: String
    package let accounts: [StoredAccount]
    /// The number of access tokens in it; expired ones are left out.
    package let accessTokens: Int
    package let refreshTokens: Int
    /// The accounts that cannot be decrypted; they are left out.
    package let damaged: [StoredAccount]
}

/// The libraries whose caches are written.
package enum CacheForm: Sendable {
    /// The unified schema, as MSAL for Python reads it.
    case msal
    /// The entries of MSAL.js; with an origin as a storage state of Playwright, which has that origin's `localStorage`.
    case browser(origin: WebAddress?)
    /// A refresh token alone, as an import reads it.
    case refreshToken

    /// The least lifetime of an access token in seconds; MSAL.js refreshes it five minutes before its end.
    fileprivate var leastLifetime: Int64 { if case .browser = self { 300 } else { 0 } }

    fileprivate var writer: any CacheWriter {
        switch self {
        case .msal: MSALCacheWriter()
        case .browser(let origin): BrowserCacheWriter(origin: origin?.origin)
        case .refreshToken: RefreshTokenWriter()
        }
    }
}

extension PublicClient {
    /// Exports accounts with their tokens for another library. The store keeps them.
    package func export(_ accounts: [StoredAccount], as form: CacheForm) async throws(SusiError) -> CacheExport {
        let export = AccountExport(context: context)
        return try await withUnlockedStore { try export.run(accounts, as: form, in: $0) }
    }
}

private struct AccountExport {
    let context: ClientContext

    func run(_ accounts: [StoredAccount], as form: CacheForm, in store: AccountStore) throws -> CacheExport {
        var writer = form.writer
        var (written, damaged) = ([StoredAccount](), [StoredAccount]())
        var (access, refresh) = (0, 0)
        for account in accounts {
            guard let policy = context.application.policy(account.account.policy), context.owns(account, in: store)
            else { continue }
            do {
                let holder = try holder(
                    account, authority: context.application.authority(for: policy), lasting: form.leastLifetime, store)
                access += try writer.add(holder)
                written.append(account)
                refresh += holder.refresh == nil ? 0 : 1
            } catch let error as StoreError where error.kind == .sealBroken {
                damaged.append(account)
            }
        }
        return CacheExport(
            text: writer.text(), accounts: written, accessTokens: access, refreshTokens: refresh,
            damaged: damaged)
    }

    private func holder(
        _ account: StoredAccount, authority: Authority, lasting seconds: Int64, _ store: AccountStore
    ) throws(StoreError) -> CacheHolder {
        if let damage = account.damage { throw damage }
        let earliest = context.clock() + seconds
        var access: [StoredToken] = []
        for info in account.tokens where info.kind == .access && (info.expiresOn ?? 0) > earliest {
            if let token = try store.secret(.access(account.account, info.scopes)) { access.append(token) }
        }
        return CacheHolder(
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
