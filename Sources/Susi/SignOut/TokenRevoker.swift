import SusiHTTP
import SusiOAuth
import SusiPolicies
import SusiStore

/// The tokens of one account that may still be valid, with the application whose provider may see them. They are secrets.
struct RevocableTokens: Sendable {
    fileprivate let context: ClientContext
    fileprivate let policy: PolicyName
    fileprivate let refresh: [String]
    fileprivate let access: [String]

    /// Reads the tokens before the account is removed. Of several applications the first one counts that owns the account: a
    /// token is sent only to the tenant that issued it. Tokens that cannot be decrypted are left out.
    init(of account: StoredAccount, in store: AccountStore, _ context: ClientContext) {
        let owner = context.ofEveryApplication.first { $0.owns(account, in: store) }
        self.context = owner ?? context
        policy = account.account.policy
        let now = context.clock()
        let valid = owner == nil ? [] : account.tokens.filter { $0.kind != .id && ($0.expiresOn ?? .max) > now }
        let found = valid.compactMap { info in
            (try? store.secret(info.key(of: account.account))).flatMap(\.self).map {
                (kind: info.kind, secret: $0.secret)
            }
        }
        refresh = found.filter { $0.kind == .refresh }.map(\.secret)
        // One access token may be stored for several requests.
        access = Set(found.filter { $0.kind == .access }.map(\.secret)).sorted()
    }

    /// What is known before the provider is asked; `nil` if it is asked.
    var planned: Revocation? {
        if refresh.isEmpty, access.isEmpty { return .noToken }
        return context.application.kind.traits.mayRevokeTokens ? nil : .notOffered
    }
}

/// Revokes tokens of removed accounts if their provider has a revocation endpoint (RFC 7009). The configuration of each provider
/// is fetched once.
struct TokenRevoker {
    private struct Place: Hashable {
        let application: String
        let policy: PolicyName
    }

    private let web: WebClient
    private var providers: [Place: Result<Provider, SusiError>] = [:]

    init(_ web: WebClient) { self.web = web }

    mutating func revoke(_ tokens: RevocableTokens) async -> Revocation {
        // The removal needs no network then.
        if let planned = tokens.planned { return planned }
        do {
            let provider = try await provider(for: tokens).get()
            guard try provider.metadata.endpoint(.revocation) != nil else { return .notOffered }
            return .revoked(accessTokens: try await revoke(tokens, at: provider))
        } catch { return .failed(tokens.context.explained(error, under: tokens.policy)) }
    }

    private mutating func provider(for tokens: RevocableTokens) async -> Result<Provider, SusiError> {
        let (context, application) = (tokens.context, tokens.context.application)
        let place = Place(application: application.name, policy: tokens.policy)
        if let provider = providers[place] { return provider }
        let provider: Result<Provider, SusiError>
        do {
            provider = .success(try await context.provider(for: try application.choosePolicy(tokens.policy), web))
        } catch { provider = .failure(context.explained(error, under: tokens.policy)) }
        providers[place] = provider
        return provider
    }

    // The refresh token first, because it could fetch new access tokens. A provider need not revoke access tokens: returns
    // whether it did.
    private func revoke(_ tokens: RevocableTokens, at provider: Provider) async throws -> Bool {
        let clientID = tokens.context.application.clientID
        for token in tokens.refresh {
            try await provider.revoke(RevocationRequest(token: token, kind: .refresh, clientID: clientID))
        }
        var hasRevokedAccess = true
        for token in tokens.access {
            do {
                try await provider.revoke(RevocationRequest(token: token, kind: .access, clientID: clientID))
            } catch let refusal as ServerRefusal where !tokens.refresh.isEmpty {
                tokens.context.trace?("access token not revoked: \(refusal.error)")
                hasRevokedAccess = false
            }
        }
        return hasRevokedAccess
    }
}
