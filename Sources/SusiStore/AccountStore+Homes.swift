package import SusiOAuth
package import SusiPolicies
internal import SusiSQLite

/// Persons in several tenants. Each has a subject of its own there; that two are one person is known only if the refresh token
/// of one brought the other. `client_info` is not signed and proves nothing.
extension AccountStore {
    /// Returns whether two persons are one, by identity or by a refresh token at home.
    package func areOfSamePerson(_ first: Person, _ second: Person) throws(StoreError) -> Bool {
        if first == second { return true }
        return try guarded {
            guard let first = try home(of: first), let second = try home(of: second) else { return false }
            return first == second
        }
    }

    /// Returns the accounts of a person in these scopes, under every name that a refresh token at home proved, damaged ones
    /// included.
    package func accounts(
        ofSamePersonAs person: Person, in scopes: Set<ApplicationScope>, policy: PolicyName?
    ) throws(StoreError) -> [StoredAccount] {
        try guarded {
            try database.read {
                let reach = try reach(of: scopes)
                guard !reach.isEmpty, let home = try home(of: person) else { return [] }
                let values = reach.values(policy) + [.integer(home), .integer(home)]
                return try database.integers(AccountQuery.ofHome(reach, onePolicy: policy != nil), values)
                    .compactMap { try account(row: $0, reach) }
            }
        }
    }

    /// Returns the row id of the person at home; `nil` if the person has no account.
    func home(of person: Person) throws -> Int64? {
        try database.integer(
            """
            SELECT coalesce((SELECT home FROM person_homes WHERE person = p.id), p.id)
            FROM tenants AS t JOIN persons AS p ON p.tenant = t.id
            WHERE t.origin = ? AND t.guid = ? AND p.subject = ?
            """, [.text(person.tenant.origin), .text(person.tenant.id), .text(person.subject)])
    }

    /// Records that the refresh token of a person at home brought the person of a row.
    func link(_ person: Int64, to home: Int64) throws {
        if person == home { return }
        try database.execute(
            """
            INSERT INTO person_homes (person, home) VALUES (?, ?)
            ON CONFLICT DO UPDATE SET home = excluded.home
            """, [.integer(person), .integer(home)])
    }
}
