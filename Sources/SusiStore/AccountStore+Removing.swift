package import SusiOAuth
internal import SusiPolicies
internal import SusiSQLite

extension AccountStore {
    /// Removes accounts with their tokens in one transaction, and each person with the last account. No other account
    /// becomes current. Throws `.missing` and removes nothing if one is not stored.
    ///
    /// With `signedOutOn`, in seconds since 1970, records the sign-out of current accounts (``signedOut(_:in:)``).
    package func remove(_ accounts: [Account], signedOutOn: Int64? = nil) throws(StoreError) -> [Removal] {
        let removed = try write {
            // First: a copy of the store would keep the removed values.
            folder.removeLeftovers()
            return try accounts.map { account in
                let ids = try ids(of: account)
                guard let stored = try self.account(account, throwingDamage: false) else {
                    throw StoreError.missing(account, folder)
                }
                if let signedOutOn { try noteSignOut(of: ids.account, label: stored.label, on: signedOutOn) }
                try database.execute("DELETE FROM accounts WHERE id = ?", [.integer(ids.account)])
                let persons = try database.execute(
                    "DELETE FROM persons WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM accounts WHERE person = ?1)",
                    [.integer(ids.person)])
                return (stored: stored, personGone: persons == 1)
            }
        }
        let isErased = erase()
        return removed.map {
            Removal(
                account: $0.stored, wasCurrent: $0.stored.isCurrent, personGone: $0.personGone,
                tokens: $0.stored.tokens, isErased: isErased)
        }
    }

    private func noteSignOut(of account: Int64, label: String, on time: Int64) throws {
        try database.execute(
            """
            INSERT INTO sign_outs (audience, client_id, policy_key, label, signed_out_on)
            SELECT audience, client_id, policy_key, ?, ? FROM current_accounts WHERE account = ? AND role = 'current'
            ON CONFLICT DO UPDATE SET label = excluded.label, signed_out_on = excluded.signed_out_on
            """, [.text(label), .integer(time), .integer(account)])
    }

    /// Removes the account's refresh token if it is still `secret`: after `invalid_grant` (RFC 6749 section 5.2), and
    /// only if no other process has saved a newer one meanwhile.
    package func dropRefreshToken(_ account: Account, ifStill secret: String) throws(StoreError) {
        try write {
            guard try self.secret(.refresh(account))?.secret == secret else { return }
            let ids = try ids(of: account)
            try database.execute("DELETE FROM tokens WHERE account = ? AND kind = 'refresh'", [.integer(ids.account)])
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

extension StoreError {
    static func missing(_ account: Account, _ folder: StoreFolder) -> StoreError {
        let policy = account.policy.spelling
        return StoreError(
            .missing, path: folder.database, what: "no such account in the store",
            why: "\(account.person.subject) has no account under \(policy)",
            next: NextStep(.signIn(account.policy)))
    }
}
