package import SusiOAuth
package import SusiPolicies
internal import SusiSQLite

extension AccountStore {
    /// Returns the accounts in an application's scopes, of one policy or of all, sorted by label, then policy.
    package func accounts(
        of scopes: Set<ApplicationScope>, policy: PolicyName? = nil, leavesOutGuests: Bool = false, limit: Int? = nil
    ) throws(StoreError) -> [StoredAccount] {
        try guarded {
            var accounts: [StoredAccount] = []
            let listing = AccountListing(policy: policy, leavesOutGuests: leavesOutGuests, limit: limit)
            try self.accounts(listing, of: scopes) { accounts.append($0) }
            return accounts
        }
    }

    /// Returns everything that is stored, of all applications, damaged accounts included, sorted by label, then policy. `filter` is
    /// that of a list.
    package func allAccounts(filter: String? = nil) throws(StoreError) -> [StoredAccount] {
        try guarded {
            let values = filter.map(AccountQuery.values(ofFilter:)) ?? []
            let query = AccountQuery.everything(filtered: filter != nil)
            return try database.rows(query, values) { row in try account(row, throwingDamage: false) }
        }.sorted { $0.place.lexicographicallyPrecedes($1.place) }
    }

    /// Returns the number of accounts of each tenant and client id. It needs no key.
    package func accountCounts() throws(StoreError) -> [(tenant: Tenant, clientID: String, accounts: Int)] {
        try guarded {
            try database.rows(AccountQuery.counts) { row in
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
            let reach = try reach(of: scopes)
            if reach.isEmpty { return [] }
            let query = "SELECT origin, guid FROM tenants WHERE id \(ScopeRowIDs.any(of: reach.tenants))"
            return Set(
                try database.rows(query) { row in Tenant(origin: try row.text("origin"), id: try row.text("guid")) })
        }
    }

    package func count(
        of scopes: Set<ApplicationScope>, policy: PolicyName? = nil, leavesOutGuests: Bool = false
    ) throws(StoreError) -> Int {
        try guarded {
            try database.read {
                let reach = try reach(of: scopes)
                if reach.isEmpty { return 0 }
                guard leavesOutGuests else { return try lists(of: reach, policy).reduce(0) { $0 + $1.accounts } }
                let sql = AccountQuery.countAtHome(reach, onePolicy: policy != nil)
                return try database.integers(sql, reach.values(policy)).reduce(0) { $0 + Int($1) }
            }
        }
    }

    /// The accounts of one tenant and policy.
    struct AccountList {
        let tenant: Int64
        let policyKey: String
        let accounts: Int

        func values(_ reach: ScopeRowIDs) -> [Value] { [.integer(tenant), .text(reach.clientID), .text(policyKey)] }
    }

    /// Returns the lists of one policy, or of all except those in `hidden`, sorted by policy.
    func lists(of reach: ScopeRowIDs, _ policy: PolicyName?, without hidden: Set<PolicyName> = []) throws
        -> [AccountList]
    {
        let left = Set(hidden.map(\.lowercased))
        return try database.rows(AccountQuery.lists(reach, onePolicy: policy != nil), reach.values(policy)) { row in
            AccountList(
                tenant: try row.integer("tenant"), policyKey: try row.text("policy_key"),
                accounts: Int(try row.integer("accounts")))
        }.filter { !left.contains($0.policyKey) }.sorted { ($0.policyKey, $0.tenant) < ($1.policyKey, $1.tenant) }
    }

    /// Returns the account of a row id, damaged or not; `nil` if it was removed.
    func account(row id: Int64, _ reach: ScopeRowIDs) throws -> StoredAccount? {
        try database.first(AccountQuery.byID(reach), [.integer(id)]) { row in
            try account(row, throwingDamage: false)
        }
    }

    /// Returns the accounts of a person under every policy of one application, sorted by policy. A damaged one comes with
    /// its `damage`.
    package func accounts(of person: Person, clientID: String) throws(StoreError) -> [StoredAccount] {
        let values: [Value] = [
            .text(person.tenant.origin), .text(person.tenant.id), .text(person.subject), .text(clientID),
        ]
        return try guarded {
            try database.rows(AccountQuery.ofPerson, values) { row in try self.account(row, throwingDamage: false) }
        }
    }

    /// Reads the audiences and tenants in scopes. A name that was never used for a sign-in has none.
    func reach(of scopes: Set<ApplicationScope>) throws -> ScopeRowIDs {
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

    private func account(
        of role: CurrentRole, _ policy: PolicyName, _ scope: ApplicationScope
    ) throws(StoreError) -> StoredAccount? {
        try guarded {
            try database.first(AccountQuery.byRole, scope.values(policy) + [.text(role.rawValue)]) { row in
                try self.account(row, throwingDamage: true)
            }
        }
    }

    func account(_ account: Account, throwingDamage: Bool) throws(StoreError) -> StoredAccount? {
        try guarded {
            try database.first(AccountQuery.exact, account.values) { row in
                try self.account(row, throwingDamage: throwingDamage)
            }
        }
    }

    /// Reads an account with its tokens from a row. Both come from the same state of the file, because the query's statement is
    /// still open.
    func account(_ row: borrowing Row, throwingDamage: Bool) throws -> StoredAccount {
        let account = try AccountQuery.account(row)
        let sealed = try Seal.Sealed(row, "claims")
        let claims = try unseal(sealed, .claims(of: account))
        let damage = claims == nil ? StoreError.sealBroken("claims", of: account, in: folder) : nil
        if throwingDamage, let damage { throw damage }
        let facts = try AccountFacts(row, profile: profile(row))
        return StoredAccount(
            account: account, homeAccountID: facts.home, profile: facts.profile, claims: claims ?? "",
            authority: facts.authority, signedInOn: facts.signedInOn, claimsOn: facts.claimsOn,
            profileOn: facts.profileOn, isCurrent: try row.integer("is_current") != 0,
            tokens: try database.rows(TokenQuery.ofAccount, [.integer(try row.integer("id"))]) { row in
                try TokenQuery.info(row)
            },
            damage: damage)
    }

    func profile(_ row: borrowing Row) throws -> Profile {
        guard let profile = try Profile(row) else {
            throw StoreError.damaged(folder, "the email addresses of a person cannot be read")
        }
        return profile
    }
}

extension StoreError {
    static func sealBroken(_ what: String, of account: Account, in folder: StoreFolder) -> StoreError {
        let policy = account.policy.spelling
        return StoreError(
            .sealBroken, path: folder.database,
            what: "the \(what) of \(account.person.subject) under \(policy) cannot be decrypted",
            why: "it was changed, moved, or encrypted with another key",
            next: .signIn(account.policy))
    }
}
