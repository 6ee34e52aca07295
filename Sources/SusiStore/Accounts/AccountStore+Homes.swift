import SusiOAuth
import SusiPolicies
import SusiSQLite

/// Persons in several tenants. Each has a subject of its own there; that two are one person is known only if the refresh token
/// of one brought the other. `client_info` is not signed and proves nothing.
extension AccountStore {
    /// Returns the row id of the person at home; `nil` if the person has no account.
    func home(of person: Person) throws -> Int64? {
        try database.integer(
            """
            SELECT coalesce((SELECT home FROM person_homes WHERE person = p.id), p.id)
            FROM tenants AS t JOIN persons AS p ON p.tenant = t.id
            WHERE t.origin = ? AND t.guid = ? AND p.subject = ?
            """, person.values)
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
