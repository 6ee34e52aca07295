import SusiBase
package import SusiOAuth
internal import SusiPolicies
internal import SusiSQLite

extension AccountStore {
    /// Stores the profile of a person who has accounts, from the signed response of a policy that keeps none. Its tokens are not
    /// stored.
    package func saveProfile(of grant: TokenGrant) throws(StoreError) {
        try write {
            let person = grant.account.person
            guard let tenant = try database.integer(AccountQuery.tenantOfPerson, person.values) else { return }
            _ = try savePerson(person, grant.profile, receivedOn: grant.receivedOn, tenant: tenant)
        }
    }

    /// Returns whether a response describes the person as the account's stored claims do.
    func repeatsClaims(_ grant: TokenGrant) throws -> Bool {
        try storedProfile(of: grant.account) == grant.profile
    }

    // The profile in an account's stored claims; `nil` if they are damaged.
    private func storedProfile(of account: Account) throws -> Profile? {
        let claims = try self.account(account, throwingDamage: false)?.claims
        return claims.flatMap { try? JSONNode(parsing: $0.utf8) }.map(Profile.init(claims:))
    }

    /// Removes from a person's profile what this policy's previous claims contained and the new ones lack: it was deleted at
    /// the tenant. Values that the policy never sent are kept, because policies send different claims of the same person.
    /// A refresh does not remove what names the person.
    func clearDeletions(_ grant: TokenGrant, atRefresh: Bool = false) throws {
        guard let before = try storedProfile(of: grant.account) else { return }
        let now = grant.profile
        let columns = ProfileColumn.all.filter {
            $0.value(before) != nil && $0.value(now) == nil && !($0.isName && atRefresh)
        }
        if columns.isEmpty { return }
        try database.execute(
            """
            UPDATE persons SET \(columns.map { "\($0.name) = \($0.absent)" }.joined(separator: ", "))
            WHERE id = ?1 AND (?2 >= profile_on OR profile_on > ?2 + 3600)
            """, [.integer(try ids(of: grant.account).person), .integer(grant.receivedOn)])
    }
}
