package import SusiOAuth
package import SusiPolicies
internal import SusiSQLite

extension AccountStore {
    /// Returns the accounts of an application's registrations, of one policy or of all, damaged ones included. All have the same
    /// client ID.
    ///
    /// `choose` picks from all of them, sorted by label, then policy; they come to it without tokens and claims, which are read
    /// for those that it returns. An account that cannot be decrypted comes with its `damage`.
    package func accounts(
        of registrations: Set<Registration>, policy: PolicyName? = nil,
        choosing choose: ([StoredAccount]) -> [StoredAccount] = { $0 }
    ) throws(StoreError) -> [StoredAccount] {
        try guarded {
            try database.read {
                try choose(sorted(.of(rows(of: registrations), policy))).map(opened)
            }
        }
    }

    /// Returns everything that is stored, of all applications, damaged accounts included, sorted by label, then policy.
    package func allAccounts() throws(StoreError) -> [StoredAccount] {
        try guarded { try database.read { try sorted(.all).map(opened) } }
    }

    /// Returns what identifies each stored account, in no order. It needs no key.
    package func identities() throws(StoreError) -> [Account] {
        try guarded {
            try database.rows("SELECT \(AccountQuery.identity) FROM accounts AS a \(AccountQuery.owners)") { row in
                try AccountQuery.account(row)
            }
        }
    }

    /// Returns the accounts of a person under every policy of one application, sorted by policy, damaged ones included.
    package func accounts(of person: Person, clientID: String) throws(StoreError) -> [StoredAccount] {
        try guarded { try database.read { try sorted(.of(person, clientID: clientID)).map(opened) } }
    }

    // A label is one of the person; the key is made once for each account.
    private func sorted(_ query: AccountQuery) throws -> [StoredAccount] {
        try database.rows(query.sql, query.values) { row in
            let stored = try account(row)
            let (person, policy) = (stored.account.person.subject, stored.account.policy.lowercased)
            return (place: "\(stored.label.lowercased())\u{0}\(person)\u{0}\(policy)", account: stored)
        }.sorted { $0.place < $1.place }.map(\.account)
    }

    /// Returns the number of accounts of registrations, of one policy or of all. It needs no key. Accounts are read only for
    /// `isCounted`.
    package func count(
        of registrations: Set<Registration>, policy: PolicyName? = nil,
        where isCounted: ((StoredAccount) -> Bool)? = nil
    ) throws(StoreError) -> Int {
        try guarded {
            try database.read {
                let query = AccountQuery.of(try rows(of: registrations), policy)
                guard let isCounted else {
                    let count = try database.first("SELECT count(*) FROM (\(query.sql))", query.values) { row in
                        try row.integer(0)
                    }
                    return Int(count ?? 0)
                }
                var count = 0
                // The order does not matter, so no account is kept and sorted.
                try database.forEach(query.sql, query.values) { row in
                    if isCounted(try account(row)) { count += 1 }
                }
                return count
            }
        }
    }

    /// Returns the tenants whose accounts belong to these registrations.
    package func tenants(of registrations: Set<Registration>) throws(StoreError) -> Set<Tenant> {
        try guarded {
            let ids = try rows(of: registrations).tenants
            let query = "SELECT origin, guid FROM tenants WHERE id \(RegistrationRows.any(of: ids))"
            return Set(
                try database.rows(query) { row in Tenant(origin: try row.text("origin"), id: try row.text("guid")) })
        }
    }

    /// Reads the tenant groups and tenants of registrations. A name that was never used for a sign-in has none.
    private func rows(of registrations: Set<Registration>) throws -> RegistrationRows {
        var groups: Set<Int64> = []
        var tenants: Set<Int64> = []
        for registration in registrations {
            try database.forEach(RegistrationRows.ofName, [.text(registration.origin), .text(registration.tenantName)])
            { row in
                groups.insert(try row.integer("tenant_group"))
                tenants.insert(try row.integer("tenant"))
            }
        }
        return RegistrationRows(
            groups: groups.sorted(), tenants: tenants.sorted(), clientID: registrations.first?.clientID ?? "")
    }

    /// Returns whether an account belongs to a registration: its tokens may be sent only there.
    package func belongs(_ account: Account, to registration: Registration) throws(StoreError) -> Bool {
        try guarded {
            let tenant = try ids(of: account).tenant
            return try registration.clientID == account.clientID && rows(of: [registration]).tenants.contains(tenant)
        }
    }

    /// Returns the current account of a policy; throws if it cannot be decrypted, unless `acceptsDamage`, which is for lists.
    package func current(
        _ policy: PolicyName, in registration: Registration, acceptsDamage: Bool = false
    ) throws(StoreError) -> StoredAccount? {
        try only(.of(.current, policy, registration), throwingDamage: !acceptsDamage)
    }

    /// Returns the account that was current before, even if it cannot be decrypted: its name is enough.
    package func previous(_ policy: PolicyName, in registration: Registration) throws(StoreError) -> StoredAccount? {
        try only(.of(.previous, policy, registration), throwingDamage: false)
    }

    /// Returns the last sign-out under a policy without a current account; `nil` if there was none, or if it cannot be decrypted.
    package func signedOut(_ policy: PolicyName, in registration: Registration) throws(StoreError) -> SignOutNote? {
        try guarded {
            try database.first(
                """
                SELECT o.* FROM tenant_group_names AS n JOIN sign_outs AS o ON o.tenant_group = n.tenant_group
                WHERE n.origin = ? AND n.name = ? AND o.client_id = ? AND o.policy_key = ?
                """, registration.values(policy)
            ) { row -> SignOutNote? in
                guard let label = try? unseal(Seal.Sealed(row, "label"), .signOut(row)) else { return nil }
                return SignOutNote(label: label, on: try row.integer("signed_out_on"))
            }.flatMap(\.self)
        }
    }

    /// Returns the account with exactly this person, policy (ignoring case) and client ID.
    package func account(_ account: Account) throws(StoreError) -> StoredAccount? {
        try self.account(account, throwingDamage: true)
    }

    func account(_ account: Account, throwingDamage: Bool) throws(StoreError) -> StoredAccount? {
        try only(.exactly(account), throwingDamage: throwingDamage)
    }

    private func only(_ query: AccountQuery, throwingDamage: Bool = true) throws(StoreError) -> StoredAccount? {
        try guarded {
            try database.read {
                guard let found = try database.first(query.sql, query.values, { row in try account(row) }) else {
                    return nil
                }
                let stored = try opened(found)
                if throwingDamage, let damage = stored.damage { throw damage }
                return stored
            }
        }
    }

    /// Reads an account without its tokens and claims.
    private func account(_ row: borrowing Row) throws -> StoredAccount {
        guard let profile = try Profile(row) else {
            throw StoreError(.emailsUnreadable, folder.database)
        }
        return StoredAccount(
            account: try AccountQuery.account(row), home: try AccountQuery.personAtHome(row),
            homeAccountID: HomeAccountID(uid: try row.text("home_uid"), utid: try row.text("home_utid")),
            profile: profile, authority: try row.text("authority"), signedInOn: try row.integer("signed_in_on"),
            claimsOn: try row.integer("claims_on"),
            isCurrent: try row.integer("is_current") != 0)
    }

    /// Returns the account with its tokens and claims. Throws if the key is unavailable.
    private func opened(_ account: StoredAccount) throws -> StoredAccount {
        var opened = account
        try database.forEach(AccountQuery.claims, account.account.values) { row in
            let claims = try unseal(try Seal.Sealed(row, "claims"), .claims(of: account.account))
            opened.claims = claims ?? ""
            opened.damage = claims == nil ? StoreError(.sealBroken("claims", account.account), folder.database) : nil
            opened.tokens = try database.rows(TokenQuery.ofAccount, [.integer(try row.integer("id"))]) { row in
                try TokenQuery.info(row)
            }
        }
        return opened
    }
}
