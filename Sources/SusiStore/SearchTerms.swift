import SusiOAuth
import SusiSQLite

/// The terms for finding persons and accounts.
struct SearchTerms {
    /// The kinds of a term, in the order of a search.
    enum Kind: String {
        /// A subject.
        case identifier
        /// An email address or a user name.
        case address
        case name
    }

    private struct Term: Hashable {
        let kind: String
        let text: String

        init(kind: String, text: String) { (self.kind, self.text) = (kind, text) }
        init(_ kind: Kind, _ text: String) { self.init(kind: kind.rawValue, text: SearchTerms.folded(text)) }
    }

    static let ofPerson = "SELECT kind, term FROM search_terms WHERE person = ?"

    private let terms: Set<Term>

    init(_ profile: Profile, subject: String) {
        let addresses = (profile.emails + [profile.username].compactMap(\.self)).map { Term(.address, $0) }
        let names = [profile.plainName].compactMap(\.self).map { Term(.name, $0) }
        terms = Set(([Term(.identifier, subject)] + addresses + names).filter { !$0.text.isEmpty })
    }

    /// Returns a text in the form in which terms are stored and compared: in lower case. Canonically equivalent spellings
    /// differ, because SQLite compares bytes.
    static func folded(_ text: String) -> String { text.lowercased() }

    static func folded(_ home: HomeAccountID) -> String { folded(home.description) }

    /// Replaces the terms of a person; writes only changes.
    func save(of person: Int64, tenant: Int64, in database: Connection) throws {
        let stored = try database.rows(Self.ofPerson, [.integer(person)]) { row in
            Term(kind: try row.text("kind"), text: try row.text("term"))
        }
        for gone in stored where !terms.contains(gone) {
            try database.execute(
                "DELETE FROM search_terms WHERE tenant = ? AND kind = ? AND term = ? AND person = ?",
                [.integer(tenant), .text(gone.kind), .text(gone.text), .integer(person)])
        }
        for new in terms.subtracting(stored) {
            try database.execute(
                "INSERT INTO search_terms (tenant, kind, term, person) VALUES (?, ?, ?, ?)",
                [.integer(tenant), .text(new.kind), .text(new.text), .integer(person)])
        }
    }

    /// Fills in the terms and labels of rows that were copied without them.
    static func fill(_ database: Connection) throws {
        try database.forEach("SELECT * FROM persons") { row in
            // Addresses that cannot be read are damage, which is reported when the person is read.
            let profile = try Profile(row) ?? Profile(row, emails: [])
            let (person, subject) = (try row.integer("id"), try row.text("subject"))
            try Self(profile, subject: subject).save(of: person, tenant: try row.integer("tenant"), in: database)
            try label(person, profile.label ?? subject, in: database)
        }
        try database.forEach("SELECT id, home_uid, home_utid FROM accounts") { row in
            let home = HomeAccountID(uid: try row.text("home_uid"), utid: try row.text("home_utid"))
            try database.execute(
                "UPDATE accounts SET home_term = ? WHERE id = ?",
                [.text(folded(home)), .integer(try row.integer("id"))])
        }
    }

    /// Sets the label of a person and its accounts, by which lists are sorted; writes only changes.
    static func label(_ person: Int64, _ label: String, in database: Connection) throws {
        for change in [
            "UPDATE persons SET label = ?1 WHERE id = ?2 AND label <> ?1 COLLATE BINARY",
            "UPDATE accounts SET label = ?1 WHERE person = ?2 AND label <> ?1 COLLATE BINARY",
        ] {
            try database.execute(change, [.text(label), .integer(person)])
        }
    }
}
