import SusiSQLite

/// Fills a new database with the rows of a damaged one that can be read and decrypted.
struct Salvage {
    /// The new database, with its schema and nothing else.
    let new: Connection
    let keys: KeyFiles
    private var seal: Seal?
    private(set) var report = StoreRepair.Report()

    init(new: Connection, keys: KeyFiles) {
        self.new = new
        self.keys = keys
    }

    /// Copies what can be read of `old`, in one transaction; `nil` means a file that SQLite cannot read.
    mutating func run(from old: Connection?) throws {
        try new.execute("PRAGMA foreign_keys = ON")
        try new.write {
            if let old {
                try RowCopy(old: old, new: new).run { report.lose($0) }
                nameLostAccounts(old)
            } else {
                report.lose("all rows (SQLite cannot read the file)")
            }
            try chooseKey()
            try removeTimesOutOfRange()
            try dropWhatDoesNotOpen()
            try Reachable.restore(in: new)
            try SearchTerms.fill(new)
            try count()
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

    private mutating func dropWhatDoesNotOpen() throws {
        guard let seal else { return report.lose("no check of the encrypted values (the key is missing or invalid)") }
        let rows = SealedRows(database: new, seal: seal)
        try rows.forEach([.tokens]) { value in
            guard value.text == nil else { return }
            report.lose("\(value.name): cannot be decrypted")
            try new.execute("DELETE FROM \(value.table) WHERE id = ?", [.integer(value.id)])
        }
        try rows.forEach([.accounts]) { value in if value.text == nil { try forget(value, seal) } }
        try new.execute(AccountQuery.deleteUnownedPersons)
    }

    /// No value can be decrypted with the key.
    struct NothingOpens: Error {}

    /// Chooses the key that decrypts any value, and records it in the new database: this ends an interrupted change of the
    /// key. If no value can be decrypted, the key is the wrong one, and the rows may be intact.
    private mutating func chooseKey() throws {
        let candidates = try possibleSeals()
        seal = try candidates.first { try SealedRows(database: new, seal: $0).opensAnything() ?? true }
        guard let seal else {
            if candidates.isEmpty { return }
            throw NothingOpens()
        }
        try new.execute("INSERT OR REPLACE INTO sealing (one, key_id) VALUES (1, ?)", [.blob(seal.keyID)])
    }

    // As without a key, the rows are kept if the key file is invalid: there may be a copy of it.
    private func possibleSeals() throws(StoreError) -> [Seal] {
        do { return try keys.candidates(new) } catch {
            guard error.kind == .keyDamaged else { throw error }
            return []
        }
    }

    // Keeps an account that has tokens but no claims: the next refresh brings claims again.
    private mutating func forget(_ claims: SealedValue, _ seal: Seal) throws {
        let id = Value.integer(claims.id)
        guard try new.hasRow("SELECT 1 FROM tokens WHERE account = ? LIMIT 1", [id]) else {
            report.lose("account of \(claims.holder): nothing can be decrypted")
            try new.execute("DELETE FROM accounts WHERE id = ?", [id])
            return
        }
        report.lose("\(claims.name); the next refresh restores them")
        try new.update("accounts", id: claims.id, seal.seal("{}", claims.owner).columns("claims"))
    }

    // The index of accounts is on other pages than their rows; if it is damaged too, only the number of lost rows is
    // reported.
    private mutating func nameLostAccounts(_ old: Connection) {
        let index = "SELECT person, policy_key, id FROM accounts INDEXED BY sqlite_autoindex_accounts_1"
        try? old.forEach(index) { row in
            if try new.hasRow("SELECT 1 FROM accounts WHERE id = ?", [.integer(row.integer("id"))]) { return }
            let label = try new.text("SELECT label FROM persons WHERE id = ?", [.integer(row.integer("person"))])
            report.lose("account of \(label ?? "an unknown person") under \(try row.text("policy_key"))")
        }
    }

    private mutating func count() throws {
        report.persons = try new.count("persons")
        report.accounts = try new.count("accounts")
        report.tokens = try new.count("tokens")
    }
}
