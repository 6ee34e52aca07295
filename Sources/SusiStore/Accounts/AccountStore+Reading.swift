package import SusiOAuth
package import SusiPolicies
internal import SusiSQLite

extension AccountStore {
    /// Returns the accounts in an application's scopes, of one policy or of all, damaged ones included. All scopes have the same
    /// client ID.
    ///
    /// `choose` picks from all of them, sorted by label, then policy; they come to it without tokens and claims, which are read
    /// for those that it returns. An account that cannot be decrypted comes with its `damage`.
    package func accounts(
        of scopes: Set<ApplicationScope>, policy: PolicyName? = nil,
        choosing choose: ([StoredAccount]) -> [StoredAccount] = { $0 }
    ) throws(StoreError) -> [StoredAccount] {
        try guarded {
            try database.read {
                let reach = try reach(of: scopes)
                let (condition, values) = reach.accounts(policy)
                let query = AccountQuery.accounts(
                    isCurrent: AccountQuery.isCurrent(in: reach.audiences), where: condition)
                return try choose(sorted(query, values)).map(opened)
            }
        }
    }

    /// Returns everything that is stored, of all applications, damaged accounts included, sorted by label, then policy.
    package func allAccounts() throws(StoreError) -> [StoredAccount] {
        try guarded { try database.read { try sorted(AccountQuery.accounts(where: "true"), []).map(opened) } }
    }

    /// Returns the accounts of a person under every policy of one application, sorted by policy, damaged ones included.
    package func accounts(of person: Person, clientID: String) throws(StoreError) -> [StoredAccount] {
        let (query, values) = (AccountQuery.accounts(where: AccountQuery.ofPerson), person.values + [.text(clientID)])
        return try guarded { try database.read { try sorted(query, values).map(opened) } }
    }

    // A label is one of the person; the key is made once for each account.
    private func sorted(_ query: String, _ values: [Value]) throws -> [StoredAccount] {
        try database.rows(query, values) { row in
            let stored = try account(row)
            let (person, policy) = (stored.account.person.subject, stored.account.policy.lowercased)
            return (place: "\(stored.label.lowercased())\u{0}\(person)\u{0}\(policy)", account: stored)
        }.sorted { $0.place < $1.place }.map(\.account)
    }

    /// Returns the number of accounts in an application's scopes, of one policy or of all. It needs no key.
    package func count(
        of scopes: Set<ApplicationScope>, policy: PolicyName? = nil, leavesOutGuests: Bool = false
    ) throws(StoreError) -> Int {
        try guarded {
            try database.read {
                let (condition, values) = try reach(of: scopes).accounts(policy)
                let atHome = leavesOutGuests ? " AND lower(a.home_utid) = t.guid" : ""
                let query = "SELECT count(*) FROM accounts AS a \(AccountQuery.owners) WHERE \(condition)\(atHome)"
                return Int(try database.integer(query, values) ?? 0)
            }
        }
    }

    /// Returns the number of accounts of each tenant and client id. It needs no key.
    package func accountCounts() throws(StoreError) -> [(tenant: Tenant, clientID: String, accounts: Int)] {
        let query = """
            SELECT t.origin, t.guid, a.client_id, count(*) AS accounts
            FROM accounts AS a JOIN tenants AS t ON t.id = a.tenant GROUP BY a.tenant, a.client_id
            """
        return try guarded {
            try database.rows(query) { row in
                (
                    tenant: Tenant(origin: try row.text("origin"), id: try row.text("guid")),
                    clientID: try row.text("client_id"), accounts: Int(try row.integer("accounts"))
                )
            }
        }
    }

    /// Returns the tenants whose accounts these scopes reach.
    package func tenants(of scopes: Set<ApplicationScope>) throws(StoreError) -> Set<Tenant> {
        try guarded {
            let ids = try reach(of: scopes).tenants
            let query = "SELECT origin, guid FROM tenants WHERE id \(ScopeRowIDs.any(of: ids))"
            return Set(
                try database.rows(query) { row in Tenant(origin: try row.text("origin"), id: try row.text("guid")) })
        }
    }

    /// Reads the audiences and tenants in scopes. A name that was never used for a sign-in has none.
    private func reach(of scopes: Set<ApplicationScope>) throws -> ScopeRowIDs {
        var audiences: Set<Int64> = []
        var tenants: Set<Int64> = []
        for scope in scopes {
            try database.forEach(ScopeRowIDs.ofName, [.text(scope.origin), .text(scope.tenantName)]) { row in
                audiences.insert(try row.integer("audience"))
                tenants.insert(try row.integer("tenant"))
            }
        }
        return ScopeRowIDs(
            audiences: audiences.sorted(), tenants: tenants.sorted(), clientID: scopes.first?.clientID ?? "")
    }

    /// Returns whether an account belongs to a scope: its tokens may be sent only there.
    package func reaches(_ account: Account, in scope: ApplicationScope) throws(StoreError) -> Bool {
        try guarded {
            let tenant = try ids(of: account).tenant
            return try scope.clientID == account.clientID && reach(of: [scope]).tenants.contains(tenant)
        }
    }

    package func current(_ policy: PolicyName, in scope: ApplicationScope) throws(StoreError) -> StoredAccount? {
        try account(of: .current, policy, scope)
    }

    package func previous(_ policy: PolicyName, in scope: ApplicationScope) throws(StoreError) -> StoredAccount? {
        try account(of: .previous, policy, scope)
    }

    /// Returns the last sign-out under a policy without a current account; `nil` if there was none, or if it cannot be decrypted.
    package func signedOut(_ policy: PolicyName, in scope: ApplicationScope) throws(StoreError) -> SignOutNote? {
        try guarded {
            try database.first(
                """
                SELECT o.* FROM audience_names AS n JOIN sign_outs AS o ON o.audience = n.audience
                WHERE n.origin = ? AND n.name = ? AND o.client_id = ? AND o.policy_key = ?
                """, scope.values(policy)
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
        try only(
            AccountQuery.accounts(where: AccountQuery.exactly), account.values, throwingDamage: throwingDamage)
    }

    private func account(
        of role: CurrentRole, _ policy: PolicyName, _ scope: ApplicationScope
    ) throws(StoreError) -> StoredAccount? {
        let query = AccountQuery.accounts(isCurrent: role == .current ? "1" : "0", where: AccountQuery.byRole)
        return try only(query, scope.values(policy) + [.text(role.rawValue)], throwingDamage: true)
    }

    private func only(
        _ query: String, _ values: [Value], throwingDamage: Bool
    ) throws(StoreError) -> StoredAccount? {
        try guarded {
            try database.read {
                guard let found = try database.first(query, values, { row in try account(row) }) else { return nil }
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
            claimsOn: try row.integer("claims_on"), profileOn: try row.integer("profile_on"),
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
