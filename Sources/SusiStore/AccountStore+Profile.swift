package import SusiOAuth
internal import SusiPolicies
internal import SusiSQLite

extension AccountStore {
    /// Removes an account's access tokens except the one for these scopes: their claims are outdated, and the refresh token
    /// replaces them on demand.
    package func dropAccessTokens(of account: Account, except scopes: ScopeSet?) throws(StoreError) {
        try write {
            _ = try ids(of: account)
            try deleteAccessTokens(of: account) { $0 != scopes }
        }
    }

    /// Removes the access tokens of an account, if it is stored, whose requests had such scopes.
    func deleteAccessTokens(of account: Account, where isOutdated: (ScopeSet) -> Bool) throws {
        guard let id = try database.integer(AccountQuery.id, account.values) else { return }
        let all = try database.texts("SELECT scopes FROM tokens WHERE account = ? AND kind = 'access'", [.integer(id)])
        for scopes in all where isOutdated(ScopeSet(text: scopes)) {
            try database.execute(
                "DELETE FROM tokens WHERE account = ? AND kind = 'access' AND scopes = ?",
                [.integer(id), .text(scopes)])
        }
    }

    /// Removes from a person's profile what this policy's previous claims contained and the new ones lack: it was deleted at
    /// the tenant. Values that the policy never sent are kept, because policies send different claims of the same person.
    func clearDeletions(_ grant: TokenGrant) throws {
        // A response without an ID token has no claims.
        guard grant.claims != nil, let stored = try account(grant.account, throwingDamage: false),
            let claims = try? JSONNode(parsing: stored.claims.utf8)
        else { return }
        // Read by the rules of a kind with user names: a person of another kind has no user name to delete.
        let (before, now) = (Profile(claims: claims, of: .openid), grant.profile)
        let columns = ProfileColumn.all.filter { $0.value(before) != nil && $0.value(now) == nil }
        if columns.isEmpty { return }
        try database.execute(
            """
            UPDATE persons SET \(columns.map { "\($0.name) = \($0.absent)" }.joined(separator: ", "))
            WHERE id = ?1 AND (?2 >= profile_on OR profile_on > ?2 + 3600)
            """, [.integer(try ids(of: grant.account).person), .integer(grant.receivedOn)])
    }
}
