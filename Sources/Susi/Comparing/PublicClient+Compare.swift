import SusiOAuth
import SusiPolicies
import SusiStore

extension PublicClient {
    /// Compares the stored tokens of two accounts of this application.
    ///
    /// Only the store is read: nothing is requested or refreshed. Throws as ``account(_:)``.
    package func compare(
        _ first: AccountSelection, with second: AccountSelection
    ) async throws(SusiError) -> AccountComparison {
        AccountComparison(try await comparedAccount(first), try await comparedAccount(second))
    }

    /// Returns one side of a comparison, for an ``AccountComparison`` of accounts of two applications.
    ///
    /// Of several access tokens, the one that was stored last is read. Throws as ``account(_:)``.
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
                idToken: idToken.map(ComparedToken.init) ?? ComparedToken(claimsOf: stored),
                accessToken: accessToken.map(ComparedToken.init) ?? .missing)
        }
    }
}

extension ComparedToken {
    fileprivate init(_ token: StoredToken) {
        self.init(
            content: DecodedToken(token.secret), expiresOn: token.info.expiresOn, scopes: token.info.scopes)
    }

    /// Takes the stored claims of an account that has no ID token any more.
    fileprivate init(claimsOf account: StoredAccount) {
        let claims = try? JSONNode(parsing: account.claims.utf8)
        self.init(content: claims.map { .signed(header: JSONNode(value: .object([])), claims: $0) })
    }
}
