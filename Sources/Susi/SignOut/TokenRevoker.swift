import SusiHTTP
import SusiOAuth
import SusiPolicies
import SusiStore

/// Revokes tokens of removed accounts where the provider has a place for it (RFC 7009).
struct TokenRevoker: Sendable {
    let application: Application
    let documents: DocumentCache
    let trace: @Sendable (String) -> Void

    /// The tokens of one account that may still be valid. They are secrets.
    struct Tokens: Sendable {
        let account: StoredAccount
        let refresh: [String]
        let access: [String]
    }

    /// What came of each account's tokens, in order. Each provider is asked for its configuration once.
    func revoke(_ all: [Tokens], _ web: WebClient) async -> [Revocation] {
        var results: [Revocation] = []
        var providers: [PolicyName: Result<Provider, SusiError>] = [:]
        for tokens in all {
            if tokens.refresh.isEmpty, tokens.access.isEmpty {
                results.append(.noToken)
            } else if !application.kind.mayRevokeTokens {
                // The removal needs no network then.
                results.append(.notOffered)
            } else {
                let provider = await provider(tokens.account.account.policy, &providers, web)
                results.append(await revoke(tokens, provider))
            }
        }
        return results
    }

    private func provider(
        _ policy: PolicyName, _ known: inout [PolicyName: Result<Provider, SusiError>], _ web: WebClient
    ) async -> Result<Provider, SusiError> {
        if let provider = known[policy] { return provider }
        let result: Result<Provider, SusiError>
        do {
            let configured = try application.choosePolicy(exactly: policy)
            result = .success(
                try await Provider.discover(
                    application.authority(for: configured), known: application.knownAuthorities, client: web,
                    cache: documents))
        } catch {
            result = .failure(SusiError(error, application: application, policy: policy))
        }
        known[policy] = result
        return result
    }

    // The refresh token first: with it new access tokens could be had. A provider need not take access tokens.
    private func revoke(_ tokens: Tokens, _ provider: Result<Provider, SusiError>) async -> Revocation {
        do {
            let provider = try provider.get()
            guard try provider.metadata.endpoint(.revocation) != nil else { return .notOffered }
            for token in tokens.refresh {
                try await provider.revoke(
                    RevocationRequest(token: token, kind: .refresh, clientID: application.clientID))
            }
            var hasRevokedAccess = true
            for token in tokens.access {
                let request = RevocationRequest(token: token, kind: .access, clientID: application.clientID)
                do { try await provider.revoke(request) } catch let refusal as ServerRefusal
                    where !tokens.refresh.isEmpty
                {
                    trace("access token not revoked: \(refusal.error)")
                    hasRevokedAccess = false
                }
            }
            return .revoked(accessTokens: hasRevokedAccess)
        } catch {
            return .failed(SusiError(error, application: application, policy: tokens.account.account.policy))
        }
    }
}
