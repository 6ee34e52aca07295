package import SusiOAuth
internal import SusiPolicies
internal import SusiSQLite

/// Shared stores: everything belongs to one person, with the accounts that her refresh token brought in other tenants, and every
/// sign-out empties the store.
extension AccountStore {
    /// A person before a sign-in.
    package enum Newcomer: Hashable, Sendable {
        case stored(Person)
        /// The subject in the tenant of that identifier, as a file names them.
        case identified(tenantID: String, subject: String)
        /// Somebody with this address, user name or subject.
        case named(String)
    }

    /// Turns sharing on or off. Throws `.occupied` if several people have accounts. Damaged files that repairs kept may be those of
    /// other people: they are deleted when it is turned on.
    package func share(_ isShared: Bool) throws(StoreError) {
        try write {
            guard isShared else { return _ = try database.execute("DELETE FROM sharing") }
            let people = try database.rows("SELECT p.* FROM persons AS p GROUP BY \(Self.home)") { row in
                try Profile.label(row)
            }.sorted()
            guard people.count < 2 else { throw StoreError(.severalPeople(people), folder.database) }
            try database.execute("INSERT INTO sharing VALUES (1) ON CONFLICT DO NOTHING")
            try database.execute("DELETE FROM sign_outs")
        }
        if isShared { folder.removeDamagedFiles() }
        _ = emptyLog()
    }

    package func isShared() throws(StoreError) -> Bool {
        try guarded { try database.hasRow("SELECT 1 FROM sharing") }
    }

    /// Returns the accounts of a shared store; `nil` if it is not shared.
    package func sharedAccounts() throws(StoreError) -> [StoredAccount]? {
        try isShared() ? try allAccounts() : nil
    }

    /// Returns an account of the person to whom a shared store belongs; `nil` if it is not shared, or has no account. Throws
    /// `.occupied` if one of the newcomers is another person: called before anything is sent.
    package func holder(admitting newcomers: [Newcomer] = []) throws(StoreError) -> StoredAccount? {
        guard let accounts = try sharedAccounts() else { return nil }
        for newcomer in newcomers where !accounts.isEmpty {
            let isHolder =
                switch newcomer {
                case .stored(let person): accounts.contains { $0.account.person == person }
                case .identified(let tenantID, let subject):
                    accounts.map(\.account.person).contains { $0.tenant.id == tenantID && $0.subject == subject }
                case .named(let text):
                    accounts.contains { $0.profile.matches(text, subject: $0.account.person.subject) }
                }
            if !isHolder { throw StoreError(.occupied(accounts[0].label, wasSent: false), folder.database) }
        }
        return accounts.first
    }

    /// Throws `.occupied` if the store is shared and another person than the one with that row id has an account.
    func refuseOthers(than home: Int64?) throws {
        let query =
            "SELECT p.* FROM persons AS p WHERE EXISTS (SELECT 1 FROM sharing) AND \(Self.home) IS NOT ? LIMIT 1"
        let other = try database.first(query, [.integer(orNull: home)]) { row in try Profile.label(row) }
        if let other { throw StoreError(.occupied(other, wasSent: true), folder.database) }
    }

    /// Removes everything but the key's id and the sharing itself. Runs inside a transaction.
    func empty() throws {
        for table in ["persons", "tenants", "tenant_groups", "documents"] {
            try database.execute("DELETE FROM \(table)")
        }
    }

    private static let home = "coalesce((SELECT home FROM person_homes WHERE person = p.id), p.id)"
}
