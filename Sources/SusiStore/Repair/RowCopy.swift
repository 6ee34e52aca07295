import SusiSQLite

/// Copies the rows of a damaged database into an empty one: those that SQLite reads, the schema accepts and the key decrypts.
struct RowCopy {
    private let old: Connection
    private let new: Connection
    private var report = StoreRepair.Report()

    /// Creates the schema in `new` and fills it, in one transaction.
    static func run(from old: Connection, to new: Connection, _ keys: KeyFiles) throws -> StoreRepair.Report {
        try new.set("foreign_keys = ON", "secure_delete = ON")
        return try new.write {
            try Schema.create(in: new)
            var copy = RowCopy(old: old, new: new)
            let read = try copy.tables().map { table in (table: table, rows: try copy.copy(table)) }
            try copy.removeWhatDoesNotOpen(keys)
            try new.execute(AccountQuery.deleteUnownedPersons)
            try copy.count(read)
            return copy.report
        }
    }

    private init(old: Connection, new: Connection) { (self.old, self.new) = (old, new) }

    /// The tables in the order of the schema: each after those that it refers to.
    private func tables() throws -> [String] {
        try new.texts("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid")
    }

    /// Copies a table as far as SQLite reads it. Returns the number of rows that were read.
    private mutating func copy(_ table: String) throws -> Int {
        let columns = try new.texts("SELECT name FROM pragma_table_info(?) ORDER BY cid", [.text(table)])
        var rows: [[Value]] = []
        do {
            try old.forEach("SELECT \(columns.joined(separator: ", ")) FROM \(table) NOT INDEXED") { row in
                rows.append(try columns.indices.map { try row.value($0) })
            }
        } catch let error as SQLiteError where error.isDamage {
            report.lost.append("rows of \(table) that SQLite cannot read")
            report.countsAsShared = report.countsAsShared || table == Self.sharing
        }
        let insert = "INSERT INTO \(table) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
        for row in rows {
            do throws(SQLiteError) { try new.execute(insert, row) } catch {
                // A row that breaks a rule is left out.
                if error.code != .constraint { throw error }
            }
        }
        // Else another person could use what is here.
        if table == Self.sharing, report.countsAsShared || !rows.isEmpty {
            try new.execute("INSERT INTO sharing VALUES (1) ON CONFLICT DO NOTHING")
        }
        return rows.count
    }

    private static let sharing = "sharing"

    /// Without a key, the values stay as they are: there may be a copy of its file.
    private func removeWhatDoesNotOpen(_ keys: KeyFiles) throws {
        let found: Seal?
        do { found = try keys.seal(of: new) } catch let error as StoreError where error.kind != .locked { return }
        guard let seal = found else { return }
        // This ends an interrupted change of the key.
        try new.execute("INSERT OR REPLACE INTO sealing VALUES (1, ?)", [.blob(seal.keyID)])
        try SealedRows(database: new, seal: seal).forEach(SealedValue.Table.allCases) { value in
            if value.text != nil { return }
            try new.execute("DELETE FROM \(value.table.rawValue) WHERE id = ?", [.integer(value.id)])
        }
    }

    /// Counts what the new database has of the rows that were read.
    private mutating func count(_ read: [(table: String, rows: Int)]) throws {
        for (table, rows) in read {
            let lost = rows - (try new.count(table))
            if lost <= 0 { continue }
            report.lost.append("\(lost) of \(rows) rows of \(table)")
            report.lostCount += lost
        }
        (report.persons, report.accounts) = (try new.count("persons"), try new.count("accounts"))
        report.tokens = try new.count("tokens")
    }
}

extension SQLiteError {
    /// Whether a damaged file can cause this error. A table that a damaged schema lacks is reported as `.error`.
    var isDamage: Bool {
        switch code {
        case .corrupt, .notADatabase, .inputOutput, .mismatch, .error: true
        default: false
        }
    }
}
