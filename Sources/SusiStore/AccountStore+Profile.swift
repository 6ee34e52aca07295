internal import FoundationEssentials
public import SusiOAuth
internal import SusiPolicies
internal import SusiSQLite

extension AccountStore {
    /// Removes an account's access tokens but the one for these scopes: they say what no longer holds, and the refresh
    /// token brings new ones when they are wanted.
    public func dropAccessTokens(of account: Account, except scopes: ScopeSet?) throws(StoreError) {
        try write { try deleteAccessTokens(of: try ids(of: account).account, except: scopes) }
    }

    func deleteAccessTokens(of account: Int64, except scopes: ScopeSet?) throws {
        try database.execute(
            "DELETE FROM tokens WHERE account = ? AND kind = 'access' AND scopes IS NOT ?",
            [.integer(account), .text(orNull: scopes?.description)])
    }

    /// Takes from a person's profile what this account's policy said before and says no longer: it was deleted at the
    /// tenant. What the policy never said stays, since policies send different claims of the same person.
    func clearDeletions(_ grant: TokenGrant) throws {
        // An answer without an id token says nothing of the person.
        guard grant.claims != nil, let stored = try account(grant.account, throwingDamage: false),
            let claims = try? JSONNode(parsing: stored.claims.utf8)
        else { return }
        // Read as of a kind with user names: a person of another kind has none to lose.
        let (before, now) = (Profile(claims: claims, of: .openid), grant.profile)
        let gone = [
            before.name != nil && now.name == nil, before.givenName != nil && now.givenName == nil,
            before.familyName != nil && now.familyName == nil, !before.emails.isEmpty && now.emails.isEmpty,
            before.identityProvider != nil && now.identityProvider == nil,
            before.username != nil && now.username == nil,
        ]
        guard gone.contains(true) else { return }
        try database.execute(
            """
            UPDATE persons SET
                name = iif(?, NULL, name), given_name = iif(?, NULL, given_name),
                family_name = iif(?, NULL, family_name), emails = iif(?, '[]', emails),
                identity_provider = iif(?, NULL, identity_provider), username = iif(?, NULL, username)
            WHERE id = ? AND (?8 >= profile_on OR profile_on > ?8 + 3600)
            """,
            gone.map { .integer($0 ? 1 : 0) } + [
                .integer(try ids(of: grant.account).person), .integer(grant.receivedOn),
            ])
    }
}
