import SusiHTTP
import SusiOAuth
import SusiPolicies
import SusiStore

/// Revokes tokens of removed accounts if the provider has a revocation endpoint (RFC 7009).
struct TokenRevoker: Sendable {
    let context: ClientContext

    /// The tokens of one account that may still be valid. They are secrets.
    struct Tokens: Sendable {
        let account: StoredAccount
        let refresh: [String]
        let access: [String]
    }

    /// Returns the tokens of an account that may still be valid. Those that cannot be decrypted are left out.
    func tokens(of account: StoredAccount, in store: AccountStore) -> Tokens {
        // A token is sent only to the tenant that issued it.
        let isAtHome = context.reaches(account, in: store)
        let valid = account.tokens.filter { isAtHome && $0.kind != .id && ($0.expiresOn ?? .max) > context.clock() }
        let keys = valid.map { info in
            info.kind == .refresh ? TokenKey.refresh(account.account) : .access(account.account, info.scopes)
        }
        let found = keys.compactMap { key in (try? store.secret(key)).flatMap(\.self).map { (key.kind, $0.secret) } }
        // One access token may be stored for several requests.
        let access = Set(found.filter { $0.0 == .access }.map(\.1))
        return Tokens(account: account, refresh: found.filter { $0.0 == .refresh }.map(\.1), access: access.sorted())
    }

    /// Revokes the tokens of each account, in order. The configuration of each provider is fetched once.
    func revoke(_ all: [Tokens]) async throws -> [Revocation] {
        try await context.web { web in await revoke(all, web) }
    }

    private func revoke(_ all: [Tokens], _ web: WebClient) async -> [Revocation] {
        var results: [Revocation] = []
        var providers: [PolicyName: Result<Provider, SusiError>] = [:]
        for tokens in all {
            let policy = tokens.account.account.policy
            if tokens.refresh.isEmpty, tokens.access.isEmpty {
                results.append(.noToken)
            } else if !context.application.kind.traits.mayRevokeTokens {
                // The removal needs no network then.
                results.append(.notOffered)
            } else {
                let provider = if let known = providers[policy] { known } else { await provider(of: policy, web) }
                providers[policy] = provider
                results.append(await revoke(tokens, provider))
            }
        }
        return results
    }

    private func provider(of policy: PolicyName, _ web: WebClient) async -> Result<Provider, SusiError> {
        do {
            let configured = try context.application.choosePolicy(policy)
            return .success(try await context.provider(for: configured, web))
        } catch {
            return .failure(SusiError(error, application: context.application, policy: policy))
        }
    }

    // The refresh token first, because it could fetch new access tokens. A provider need not revoke access tokens.
    private func revoke(_ tokens: Tokens, _ provider: Result<Provider, SusiError>) async -> Revocation {
        do {
            let provider = try provider.get()
            guard try provider.metadata.endpoint(.revocation) != nil else { return .notOffered }
            for token in tokens.refresh {
                try await provider.revoke(
                    RevocationRequest(token: token, kind: .refresh, clientID: context.application.clientID))
            }
            var hasRevokedAccess = true
            for token in tokens.access {
                let request = RevocationRequest(token: token, kind: .access, clientID: context.application.clientID)
                do { try await provider.revoke(request) } catch let refusal as ServerRefusal
                    where !tokens.refresh.isEmpty
                {
                    context.trace?("access token not revoked: \(refusal.error)")
                    hasRevokedAccess = false
                }
            }
            return .revoked(accessTokens: hasRevokedAccess)
        } catch {
            return .failed(SusiError(error, application: context.application, policy: tokens.account.account.policy))
        }
    }
}
