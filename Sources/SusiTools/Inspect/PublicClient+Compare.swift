package import Susi

extension PublicClient {
    /// Returns one side of a comparison, for an ``AccountComparison`` of two accounts.
    ///
    /// Only the store is read: nothing is requested or refreshed. Of several access tokens, the one that was stored last is read.
    /// Throws as ``account(_:)``.
    package func comparedAccount(_ selection: AccountSelection) async throws(SusiError) -> ComparedAccount {
        let stored = try await account(selection)
        let policy = try choose { try $0.choosePolicy(stored.account.policy) }
        let authority = application.authority(for: policy)
        let (application, known) = (application, application.knownAuthorities)
        return try await withExistingStore(policy: policy.name, of: stored) { store in
            if let damage = stored.damage { throw damage }
            let newest = stored.tokens.filter { $0.kind == .access }.max {
                ($0.savedOn, $0.expiresOn ?? 0) < ($1.savedOn, $1.expiresOn ?? 0)
            }
            let idToken = try store?.secret(.id(stored.account))
            let accessToken = try newest.flatMap { try store?.secret(.access(stored.account, $0.scopes)) }
            let document = try store?.document(at: authority.discovery.description)
            let metadata = document.flatMap { try? ProviderMetadata(parsing: $0.body, of: authority, known: known) }
            return ComparedAccount(
                account: stored, application: application, configuration: authority.discovery,
                keys: metadata?.keysEndpoint,
                idToken: idToken.map { DecodedToken($0.secret) } ?? Self.claims(of: stored),
                accessToken: accessToken.map { DecodedToken($0.secret) })
        }
    }

    /// The stored claims of an account that has no ID token any more.
    private static func claims(of account: StoredAccount) -> DecodedToken? {
        let claims = try? JSONNode(parsing: account.claims.utf8)
        return claims.map { .signed(header: [:], claims: $0) }
    }
}
