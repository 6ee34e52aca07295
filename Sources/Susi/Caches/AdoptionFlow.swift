import SusiOAuth
import SusiPolicies
import SusiStore

/// The first use of an imported token, which turns it into an account.
struct AdoptionFlow {
    let context: ClientContext
    let token: ImportedToken
    let policy: Policy
    /// The name that the selection gave; `nil` if it meant the policy's only imported token.
    let name: String?

    /// Locks, reads again, redeems once: a refresh token may be good for one use only. Returns `nil` if another process
    /// removed the token.
    func account(asking scopes: ScopeSet, in store: AccountStore) async throws -> StoredAccount? {
        try await FileLock.with(context.folder.lock(of: token.key)) {
            guard let secret = try store.importedSecret(token.key) else {
                // Another process was faster: the account exists now.
                let subject = token.subject ?? token.key.home.description
                let scope = context.scope(of: policy)
                return try store.find(subject, in: [scope], policy: policy.name, matching: .exactly).first
            }
            return try await adopt(secret, asking: scopes, in: store)
        }
    }

    private func adopt(
        _ secret: String, asking scopes: ScopeSet, in store: AccountStore
    ) async throws -> StoredAccount? {
        var grant: TokenGrant
        do { grant = try await context.redeem(secret, under: policy, asking: scopes) } catch let refusal
            as ServerRefusal
        {
            // Only a definite refusal of the grant removes the token.
            guard refusal.error == "invalid_grant", refusal.consequence.endsGrant else { throw refusal }
            try store.removeImported(token.key, ifStill: secret)
            throw refusal
        }
        guard token.isOf(grant, named: name) else {
            throw SusiError.importedTokenOfOther(token, policy, subject: grant.account.person.subject)
        }
        grant = try store.checkedHome(of: grant)
        // An account that is named for one command does not become current, unless it is the policy's first.
        let isFirst = try store.count(of: [context.scope(of: policy)], policy: policy.name) == 0
        try store.adopt(
            grant, inPlaceOf: token.key, authority: context.application.authority(for: policy).base.description,
            makeCurrent: name == nil || isFirst, alone: context.exclusive)
        return try store.account(grant.account)
    }
}
