package import SusiOAuth
internal import SusiPolicies
internal import SusiSQLite

extension AccountStore {
    /// Removes accounts with their tokens in one transaction, and each person with the last account. No other account
    /// becomes current. Throws `.missing` and removes nothing if one is not stored.
    ///
    /// With `signedOutOn`, in seconds since 1970, records the sign-out of current accounts (``signedOut(_:in:)``). In a shared store
    /// it removes every account and records nothing; when no account is left there, nothing else is either. A sign-out that leaves no
    /// account also deletes the damaged files that repairs kept.
    package func remove(_ accounts: [Account], signedOutOn: Int64? = nil) throws(StoreError) -> [Removal] {
        let (removed, isEmpty) = try write {
            // First: a copy of the store would keep the removed values.
            folder.removeLeftovers()
            let isShared = try isShared()
            let accounts = isShared && signedOutOn != nil ? try allAccounts().map(\.account) : accounts
            let removed = try accounts.map { try self.removed($0, signedOutOn: isShared ? nil : signedOutOn) }
            let isEmpty = try database.count("accounts") == 0
            if isShared, isEmpty { try empty() }
            return (removed, isEmpty && (isShared || signedOutOn != nil))
        }
        if isEmpty { folder.removeDamagedFiles() }
        let isErased = erase()
        return removed.map {
            Removal(
                account: $0.stored, wasCurrent: $0.stored.isCurrent, personGone: $0.personGone,
                tokens: $0.stored.tokens, isErased: isErased)
        }
    }

    /// Deletes the damaged files that repairs kept, if there is no account.
    package func deleteKeptFilesIfEmpty() throws(StoreError) {
        if try guarded({ try database.count("accounts") }) == 0 { folder.removeDamagedFiles() }
    }

    private func removed(
        _ account: Account, signedOutOn: Int64?
    ) throws -> (stored: StoredAccount, personGone: Bool) {
        let ids = try ids(of: account)
        guard let stored = try self.account(account, throwingDamage: false) else {
            throw StoreError(.noAccount(account), folder.database)
        }
        if let signedOutOn { try noteSignOut(of: ids.account, account, label: stored.label, on: signedOutOn) }
        try database.execute("DELETE FROM accounts WHERE id = ?", [.integer(ids.account)])
        let persons = try database.execute(
            "DELETE FROM persons WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM accounts WHERE person = ?1)",
            [.integer(ids.person)])
        return (stored: stored, personGone: persons == 1)
    }

    private func noteSignOut(of id: Int64, _ account: Account, label: String, on time: Int64) throws {
        let (client, policy) = (account.clientID, account.policy.lowercased)
        let groups = try database.integers(
            "SELECT tenant_group FROM current_accounts WHERE account = ? AND role = 'current'", [.integer(id)])
        for group in groups {
            let sealed = try currentSeal().seal(
                label, .signOut(group: group, clientID: client, policyKey: policy))
            let row: ColumnValues = [
                "tenant_group": .integer(group), "client_id": .text(client), "policy_key": .text(policy),
                "signed_out_on": .integer(time),
            ]
            try upsert("sign_outs", key: ["tenant_group", "client_id", "policy_key"], row + sealed.columns("label"))
        }
    }

    /// Removes the account's refresh token, the latest one or a kept one, if it is still `secret`: after `invalid_grant` (RFC
    /// 6749 section 5.2), and only if no other process has saved a newer one meanwhile.
    package func dropRefreshToken(_ account: Account, ifStill secret: String) throws(StoreError) {
        try write {
            guard let token = try refreshToken(secret, of: account) else { return }
            try database.execute(
                "DELETE FROM tokens WHERE account = ? AND kind = 'refresh' AND scopes = ?",
                [.integer(try ids(of: account).account), .text(token.scopes.description)])
        }
    }

    /// Empties the log. Returns whether no file of the store holds removed values: a damaged file that a repair kept does, until
    /// its owner deletes it.
    func erase() -> Bool { emptyLog() && folder.damagedFiles.isEmpty }

    /// Moves the write-ahead log into the file, where deleted content is overwritten, and truncates it. A reader can prevent
    /// that; the removal is done nevertheless.
    func emptyLog() -> Bool {
        (try? database.integer("PRAGMA wal_checkpoint(TRUNCATE)")) == 0
    }
}
