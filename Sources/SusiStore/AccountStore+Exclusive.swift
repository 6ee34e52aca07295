package import SusiOAuth
internal import SusiSQLite

/// Shared devices: the accounts that only one person at a time may have.
extension AccountStore {
    /// Returns the accounts, in every tenant, damaged ones included, sorted by label.
    package func accounts(_ exclusive: ExclusiveAccounts) throws(StoreError) -> [StoredAccount] {
        let found: [StoredAccount] = try guarded {
            try database.read {
                try reach(of: exclusive).flatMap { reach in
                    try database.integers(AccountQuery.all(in: reach), [.text(reach.clientID)])
                        .compactMap { id in try account(row: id, reach) }
                }
            }
        }
        return found.sorted { $0.place.lexicographicallyPrecedes($1.place) }
    }

    /// Returns the first of the accounts that belongs to another person than `account`.
    package func first(_ exclusive: ExclusiveAccounts, notOf account: Account) throws(StoreError) -> StoredAccount? {
        for other in try accounts(exclusive) where try !areOfSamePerson(account.person, other.account.person) {
            return other
        }
        return nil
    }

    /// Throws `.occupied` if another person than the one with that row id has one of the accounts.
    func refuseOthers(than own: Int64?, among exclusive: ExclusiveAccounts) throws {
        for reach in try reach(of: exclusive) {
            let other = try database.text(
                AccountQuery.others(in: reach), [.text(reach.clientID), .integer(orNull: own)])
            if let other { throw StoreError.occupied(other, folder) }
        }
    }

    /// Removes the notes of the sign-outs under these accounts' applications, except those with that label. Runs inside a
    /// transaction.
    func forgetSignOuts(of exclusive: ExclusiveAccounts, except label: String) throws {
        for reach in try reach(of: exclusive) {
            try database.execute(
                """
                DELETE FROM sign_outs
                WHERE audience \(ScopeRowIDs.any(of: reach.audiences)) AND client_id = ? AND label <> ?
                """, [.text(reach.clientID), .text(label)])
        }
    }

    // One for each client id, without those that nothing was stored for.
    private func reach(of exclusive: ExclusiveAccounts) throws -> [ScopeRowIDs] {
        try Dictionary(grouping: exclusive.clients, by: \.clientID).compactMap { clientID, clients in
            let kept = try reach(of: exclusive.kept.filter { $0.clientID == clientID })
            var (audiences, tenants): (Set<Int64>, Set<Int64>) = ([], [])
            for client in clients {
                try database.forEach(ScopeRowIDs.ofOrigin, [.text(client.origin)]) { row in
                    audiences.insert(try row.integer("audience"))
                    tenants.insert(try row.integer("tenant"))
                }
            }
            audiences.subtract(kept.audiences)
            tenants.subtract(kept.tenants)
            let reach = ScopeRowIDs(audiences: audiences.sorted(), tenants: tenants.sorted(), clientID: clientID)
            return reach.isEmpty ? nil : reach
        }
    }
}
