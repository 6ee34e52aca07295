public import SusiOAuth
internal import SusiPolicies
internal import SusiSQLite

extension AccountStore {
    /// Removes an account with its tokens, and its person when that was the last account. No other account becomes
    /// current. Throws `.missing` when it is not stored.
    public func remove(_ account: Account) throws(StoreError) -> Removal {
        let (stored, personGone) = try write {
            let ids = try ids(of: account)
            guard let stored = try self.account(account, throwingDamage: false) else {
                throw StoreError.missing(account, folder)
            }
            try database.execute("DELETE FROM accounts WHERE id = ?", [.integer(ids.account)])
            let persons = try database.execute(
                "DELETE FROM persons WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM accounts WHERE person = ?1)",
                [.integer(ids.person)])
            return (stored, persons == 1)
        }
        return Removal(
            account: stored, wasCurrent: stored.isCurrent, personGone: personGone, tokens: stored.tokens,
            isErased: emptyLog())
    }

    /// Removes the account's refresh token when it is still `secret`: after `invalid_grant` (RFC 6749 section 5.2), and
    /// only if no other process has saved a newer one meanwhile.
    public func dropRefreshToken(_ account: Account, ifStill secret: String) throws(StoreError) {
        try write {
            guard try self.secret(.refresh(account))?.secret == secret else { return }
            let ids = try ids(of: account)
            try database.execute("DELETE FROM tokens WHERE account = ? AND kind = 'refresh'", [.integer(ids.account)])
        }
    }

    /// Moves the write-ahead log into the file, where deleted content is overwritten, and cuts it to nothing. A reader
    /// elsewhere can prevent that; the removal is done all the same.
    func emptyLog() -> Bool {
        let busy = try? database.first("PRAGMA wal_checkpoint(TRUNCATE)") { row in try row.integer(0) }
        return busy == 0
    }
}

extension StoreError {
    static func missing(_ account: Account, _ folder: StoreFolder) -> StoreError {
        let policy = account.policy.spelling
        return StoreError(
            .missing, path: folder.database, what: "The account is not stored.",
            why: "There is none of \(account.person.subject) under \(policy).", next: "Run: susi sign-in -p \(policy)")
    }
}
