import FoundationEssentials
import SusiOAuth
import SusiPolicies
import SusiSQLite
import SystemPackage

/// Takes what is sound out of a damaged database into a new one of the same schema.
struct Salvage {
    /// A copy of the damaged file, with its log worked in; it is changed.
    let damaged: FilePath
    /// The new database, with its schema and nothing else.
    let new: Connection
    let keys: KeyFiles
    private var seal: Seal?
    private(set) var report = StoreRepair.Report()

    init(damaged: FilePath, new: Connection, keys: KeyFiles) {
        self.damaged = damaged
        self.new = new
        self.keys = keys
    }

    /// Runs the steps, in one transaction. References are put in order at the end: pages come in any order.
    mutating func run() throws {
        try new.execute("PRAGMA foreign_keys = OFF")
        try new.execute("BEGIN IMMEDIATE")
        try takeRows()
        if let old = Self.open(damaged) {
            try takePersons(old)
            try takeNames(old)
            try nameLostAccounts(old)
        } else {
            report.lose("current accounts and names of tenants (the schema cannot be read)")
        }
        try forgetCounts()
        try dropUnowned()
        try chooseKey()
        // After the persons, whose rows are told apart by a time of 0.
        try fillPersons()
        try removeTimesOutOfRange()
        try dropWhatDoesNotOpen()
        try Reachable.restore(in: new)
        try makeDerived()
        try count()
        try new.execute("COMMIT")
    }

    private mutating func takeRows() throws {
        let shapes = try TableShape.all(of: new)
        let file = try FileDescriptor.open(damaged, .readOnly, options: [.noFollow, .closeOnExec])
        defer { try? file.close() }
        let pages = try PageFile(file, pageSize: try PageFile.pageSize(of: file))
        let strange = try pages.forEachRow { row in
            for shape in shapes {
                if let values = shape.values(row) {
                    _ = try shape.put(values, into: new)
                    break
                }
            }
        }
        if strange > 0 { report.lose("unreadable pages: \(strange)") }
    }

    /// The damaged database as far as SQLite still reads it; nil when it does not.
    private static func open(_ path: FilePath) -> Connection? {
        guard let database = try? Connection(path: path.withoutLinksAbove.string, mode: .readWrite),
            (try? database.first("SELECT count(*) FROM sqlite_schema", [], { _ in })) != nil
        else { return nil }
        return database
    }

    // An index holds who somebody is, also when the page with the rest is gone; signed claims say the rest.
    private mutating func takePersons(_ old: Connection) throws {
        try take(from: old, "SELECT id, origin, guid FROM tenants INDEXED BY sqlite_autoindex_tenants_1") { row, new in
            try new.execute(
                "INSERT OR IGNORE INTO tenants (id, origin, guid) VALUES (?, ?, ?)",
                [.integer(try row.integer(0)), .text(try row.text(1)), .text(try row.text(2))])
        }
        let sql = "SELECT id, tenant, subject FROM persons INDEXED BY sqlite_autoindex_persons_1"
        try take(from: old, sql) { row, new in
            try new.execute(
                """
                INSERT OR IGNORE INTO persons (id, tenant, subject, emails, profile_on, label)
                VALUES (?, ?, ?3, '[]', 0, ?3)
                """, [.integer(try row.integer(0)), .integer(try row.integer(1)), .text(try row.text(2))])
        }
    }

    // The first is schema 1's.
    private static let names = ["tenant_names", "audience_names", "audience_tenants", "current_accounts", "sign_outs"]

    /// The tables without row ids, whose pages look like those of indexes: they are read through SQLite, from both ends up
    /// to where it fails. What else has no row ids is made of other rows.
    private mutating func takeNames(_ old: Connection) throws {
        for table in Self.names {
            let columns = try new.rows("SELECT name, pk FROM pragma_table_info(?)", [.text(table)]) { row in
                (name: try row.text(0), place: try row.integer(1))
            }
            if columns.isEmpty { continue }
            let key = columns.filter { $0.place > 0 }.sorted { $0.place < $1.place }.map(\.name)
            let places = columns.map { _ in "?" }.joined(separator: ", ")
            for order in ["ASC", "DESC"] {
                let sql = """
                    SELECT \(columns.map(\.name).joined(separator: ", ")) FROM \(table) NOT INDEXED
                    ORDER BY \(key.map { "\($0) \(order)" }.joined(separator: ", "))
                    """
                let isWhole = try take(from: old, sql) { row, new in
                    let values = try columns.indices.map { try row.value($0) }
                    try new.execute("INSERT OR IGNORE INTO \(table) VALUES (\(places))", values)
                }
                if isWhole { break }
                if order == "DESC" { report.lose("unreadable rows of the table \(table)") }
            }
        }
    }

    // What SQLite cannot read ends the query; a row that is none of ours is passed over.
    @discardableResult
    private func take(
        from old: Connection, _ sql: String, _ put: (borrowing Row, Connection) throws -> Void
    ) throws -> Bool {
        do {
            try old.forEach(sql) { row in
                do { try put(row, new) } catch let error as SQLiteError {
                    guard [.mismatch, .constraint].contains(error.code) else { throw error }
                }
            }
            return true
        } catch let error as SQLiteError {
            // Of the new file nothing may fail.
            if error.code == .full || error.code == .inputOutput { throw error }
            return false
        }
    }

    // Made of other rows: they are counted when those are right.
    private func forgetCounts() throws {
        if try hasCounts() { try new.execute("DELETE FROM account_counts") }
    }

    // What lists and finding go by, since schema 6.
    private func makeDerived() throws {
        guard try hasCounts() else { return }
        try new.execute(SearchTerms.countAll)
        try SearchTerms.fill(new)
    }

    private func hasCounts() throws -> Bool {
        try new.first("SELECT 1 FROM sqlite_schema WHERE name = 'account_counts'", [], { _ in }) != nil
    }

    /// Removes rows whose row of another table is gone, and so on with what refers to them.
    private mutating func dropUnowned() throws {
        var changed = true
        while changed {
            changed = false
            for (table, condition) in try Reference.all(of: new) {
                let count = try new.execute("DELETE FROM \"\(table)\" WHERE \(condition)")
                guard count > 0 else { continue }
                changed = true
                report.lose("rows of \(table) that refer to missing rows: \(count)")
            }
        }
    }

    // The rest of such a row may be intact: a token without an end is refreshed at its next use.
    private mutating func removeTimesOutOfRange() throws {
        for column in try TimeColumn.all(of: new) {
            let count = try new.execute(
                "UPDATE \"\(column.table)\" SET \(column.removal) WHERE \(column.isOutOfRange)")
            if count > 0 { report.lose("times out of range (1970 to 9999) in \(column.name): \(count)") }
        }
    }

    // Of an account whose claims are gone the tokens may serve: the next refresh brings claims again.
    private mutating func dropWhatDoesNotOpen() throws {
        guard let seal else { return report.lose("no check of the encrypted values (the key is missing)") }
        let rows = SealedRows(database: new, seal: seal)
        var (tokens, imported, accounts) = ([Int64](), [Int64](), [SealedRows.Claims]())
        try rows.forEachToken { token in
            if token.opens { return }
            tokens.append(token.id)
            report.lose("\(token.kind.rawValue) token of \(token.owner): cannot be decrypted")
        }
        try rows.forEachImported { token in
            if token.opens { return }
            imported.append(token.id)
            report.lose("imported token of \(token.label): cannot be decrypted")
        }
        try rows.forEachClaims { claims in if claims.text == nil { accounts.append(claims) } }
        for id in tokens { try new.execute("DELETE FROM tokens WHERE id = ?", [.integer(id)]) }
        for id in imported { try new.execute("DELETE FROM imported WHERE id = ?", [.integer(id)]) }
        for claims in accounts { try forget(claims, seal) }
        try new.execute("DELETE FROM persons WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE person = persons.id)")
    }

    /// Nothing opens with the key.
    struct NothingOpens: Error {}

    /// Takes the key with which anything opens, and has the new database name it: a change of the key that was cut short is
    /// settled by that. When nothing opens it is the key that is wrong, and everything else may be right.
    private mutating func chooseKey() throws {
        let candidates = try keys.candidates(new)
        seal = try candidates.first { try SealedRows(database: new, seal: $0).opensAnything() ?? true }
        guard let seal else {
            if candidates.isEmpty { return }
            throw NothingOpens()
        }
        // Before schema 7 no database names its key.
        guard try new.first("SELECT 1 FROM sqlite_schema WHERE name = 'sealing'", [], { _ in }) != nil else { return }
        try new.execute("INSERT OR REPLACE INTO sealing (one, key_id) VALUES (1, ?)", [.blob(seal.keyID)])
    }

    private mutating func forget(_ claims: SealedRows.Claims, _ seal: Seal) throws {
        let name = "\(claims.label) under \(claims.account.policy)"
        let id = Value.integer(claims.id)
        guard try new.first("SELECT 1 FROM tokens WHERE account = ? LIMIT 1", [id], { _ in }) != nil else {
            report.lose("account of \(name): nothing can be decrypted")
            try new.execute("DELETE FROM accounts WHERE id = ?", [id])
            return
        }
        report.lose("claims of \(name); the next refresh restores them")
        let sealed = try seal.seal("{}", .id(claims.account), column: .claims)
        try new.execute(
            "UPDATE accounts SET key_id = ?, claims = ? WHERE id = ?", [.blob(sealed.keyID), .blob(sealed.bytes), id])
    }

    // The rows of persons that came from an index say nothing but who it is; signed claims say the rest.
    private func fillPersons() throws {
        guard let seal else { return }
        try SealedRows(database: new, seal: seal).forEachClaims { claims in
            guard let text = claims.text, let signed = try? JSONNode(parsing: text.utf8) else { return }
            let profile = Profile(claims: signed, of: .openid)
            let emails = String(decoding: try JSONEncoder().encode(profile.emails), as: UTF8.self)
            try new.execute(
                """
                UPDATE persons SET name = ?2, given_name = ?3, family_name = ?4, emails = ?5, label = coalesce(?6, subject),
                    profile_on = 1
                WHERE id = (SELECT person FROM accounts WHERE id = ?1) AND profile_on = 0
                """,
                [
                    .integer(claims.id), .text(orNull: profile.name), .text(orNull: profile.givenName),
                    .text(orNull: profile.familyName), .text(emails), .text(orNull: profile.label),
                ])
        }
    }

    private mutating func nameLostAccounts(_ old: Connection) throws {
        var lost: [String] = []
        try take(
            from: old, "SELECT person, policy_key, id FROM accounts INDEXED BY sqlite_autoindex_accounts_1"
        ) { row, new in
            let id = Value.integer(try row.integer(2))
            guard try new.first("SELECT 1 FROM accounts WHERE id = ?", [id], { _ in }) == nil else { return }
            let label = try new.first("SELECT label FROM persons WHERE id = ?", [.integer(try row.integer(0))]) { row in
                try row.text(0)
            }
            lost.append("account of \(label ?? "an unknown person") under \(try row.text(1))")
        }
        for account in lost { report.lose(account) }
    }

    private mutating func count() throws {
        let number = { (table: String, new: Connection) in
            Int(try new.first("SELECT count(*) FROM \(table)") { row in try row.integer(0) } ?? 0)
        }
        report.persons = try number("persons", new)
        report.accounts = try number("accounts", new)
        report.tokens = try number("tokens", new)
        let imports = try TableShape.all(of: new).contains { $0.name == "imported" }
        report.imported = imports ? try number("imported", new) : 0
    }
}
