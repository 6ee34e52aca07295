internal import FoundationEssentials
public import SusiOAuth
public import SusiPolicies
internal import SusiSQLite

extension AccountStore {
    /// Hands the accounts of an application to `each`, of one policy or of all, in the order of label, then policy.
    ///
    /// One account at a time is in memory. An account whose seal is broken comes with its `damage`.
    /// What `each` throws ends the list and comes out as it is.
    public func accounts(
        of scope: ApplicationScope, policy: PolicyName? = nil, each: (StoredAccount) throws -> Void
    ) throws {
        do {
            try database.forEach(AccountQuery.list(onePolicy: policy != nil), scope.values(policy)) { row in
                try each(try self.account(row, throwingDamage: false))
            }
        } catch let error as SQLiteError {
            throw StoreError(error, database: folder.database)
        }
    }

    /// The accounts of an application, of one policy or of all, in the order of label, then policy.
    public func accounts(
        of scope: ApplicationScope, policy: PolicyName? = nil
    ) throws(StoreError) -> [StoredAccount] {
        try guarded {
            try database.rows(AccountQuery.list(onePolicy: policy != nil), scope.values(policy)) { row in
                try self.account(row, throwingDamage: false)
            }
        }
    }

    /// The account in use under a policy; nil when there is none.
    public func current(_ policy: PolicyName, in scope: ApplicationScope) throws(StoreError) -> StoredAccount? {
        try account(of: .current, policy, scope)
    }

    /// The account that was in use before the current one; nil when there is none.
    public func previous(_ policy: PolicyName, in scope: ApplicationScope) throws(StoreError) -> StoredAccount? {
        try account(of: .previous, policy, scope)
    }

    /// The account with exactly this person, policy (without case) and client id; nil when there is none.
    public func account(_ account: Account) throws(StoreError) -> StoredAccount? {
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

    /// One row of an account query with its tokens; both come from the same state of the file, because the query's
    /// statement is still open.
    func account(_ row: borrowing Row, throwingDamage: Bool) throws -> StoredAccount {
        let account = try AccountQuery.account(row)
        let sealed = Seal.Sealed(keyID: try row.blob(17), bytes: try row.blob(18))
        let claims = try openedSeal().open(sealed, .id(account), column: .claims)
        let damage = claims == nil ? StoreError.sealBroken(account, "claims", folder) : nil
        if throwingDamage, let damage { throw damage }
        let emails = try emails(try row.text(10))
        return StoredAccount(
            account: account,
            homeAccountID: HomeAccountID(uid: try row.text(12), utid: try row.text(13)),
            profile: Profile(
                name: try row.optionalText(7), givenName: try row.optionalText(8), familyName: try row.optionalText(9),
                emails: emails, identityProvider: try row.optionalText(11)),
            claims: claims ?? "", authority: try row.text(14), signedInOn: try row.integer(15),
            claimsOn: try row.integer(16), isCurrent: try row.integer(6) != 0,
            tokens: try database.rows(TokenQuery.ofAccount, [.integer(try row.integer(5))]) { row in
                try TokenQuery.info(row)
            },
            damage: damage)
    }
}

extension AccountStore {
    /// The addresses of a person's row.
    func emails(_ json: String) throws -> [String] {
        do {
            return try JSONDecoder().decode([String].self, from: Data(json.utf8))
        } catch {
            throw StoreError(
                .damaged, path: folder.database, what: "The store is damaged.",
                why: "The addresses of a person cannot be read.",
                next: "Move \(folder.database) away and sign in again.")
        }
    }
}

extension StoreError {
    static func sealBroken(_ account: Account, _ what: String, _ folder: StoreFolder) -> StoreError {
        let policy = account.policy.spelling
        return StoreError(
            .sealBroken, path: folder.database,
            what: "The \(what) of the account \(account.person.subject) under \(policy) cannot be opened.",
            why: "What is stored was altered, moved, or sealed with another key.",
            next: "Run: susi sign-in -p \(policy)")
    }
}
