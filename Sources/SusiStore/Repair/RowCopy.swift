import SusiSQLite

/// Copies the rows of a damaged database that SQLite can still read into a new one of the same schema.
struct RowCopy {
    let old: Connection
    let new: Connection

    /// Copies every table and reports missing rows to `lose`.
    func run(_ lose: (String) -> Void) throws {
        for table in try Table.all(of: new) {
            let expected = try copy(table)
            let kept = try new.count(table.name)
            if let expected {
                if expected > kept { lose("rows of the table \(table.name): \(expected - kept) of \(expected)") }
            } else {
                lose("rows of the table \(table.name): an unknown number")
            }
        }
    }

    /// Returns how many rows the table has, `nil` if that cannot be read.
    private func copy(_ table: Table) throws -> Int? {
        for path in table.paths {
            if let count = try copy(table, along: path) { return count }
        }
        return try? old.count(table.name)
    }

    /// Copies rows until SQLite reports damage. Returns how many there are, `nil` if not all can be read.
    private func copy(_ table: Table, along path: String) throws -> Int? {
        var count = 0
        var failure: SQLiteError?
        do {
            try old.forEach("SELECT \(table.columns.joined(separator: ", ")) FROM \(table.name) \(path)") { row in
                let values = try table.columns.indices.map { try row.value($0) }
                count += 1
                do throws(SQLiteError) { try new.execute(table.insert, values) } catch {
                    // A row that the schema refuses is lost, or it was copied before.
                    guard error.code == .constraint else {
                        failure = error
                        throw error
                    }
                }
            }
            return count
        } catch let error as SQLiteError {
            // Only the old file is damaged; a failure of the new one ends the repair.
            guard failure == nil, error.isDamage else { throw error }
            return nil
        }
    }

    /// A table and the paths along which its rows are read.
    private struct Table {
        let name: String
        let columns: [String]
        let insert: String
        /// The orders of reading: up and down, each as far as a damaged page, then along each index.
        let paths: [String]

        /// Returns the tables in the order of the schema, each after those that it refers to. Derived tables are left out.
        static func all(of database: Connection) throws -> [Table] {
            try database.rows(
                """
                SELECT s.name, l.wr FROM sqlite_schema AS s JOIN pragma_table_list AS l USING (name)
                WHERE s.type = 'table' AND s.name NOT IN ('migrations', 'search_terms', 'account_counts')
                ORDER BY s.rowid
                """
            ) { row in try Table(row.text("name"), hasRowID: row.integer("wr") == 0, database) }
        }

        private init(_ name: String, hasRowID: Bool, _ database: Connection) throws {
            self.name = name
            columns = try database.texts("SELECT name FROM pragma_table_info(?) ORDER BY cid", [.text(name)])
            insert =
                "INSERT INTO \(name) (\(columns.joined(separator: ", "))) "
                + "VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
            let key = try database.texts(
                "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", [.text(name)])
            let indexes = try database.texts("SELECT name FROM pragma_index_list(?)", [.text(name)])
            paths =
                ["ASC", "DESC"].map { order in
                    let terms = (hasRowID ? ["rowid"] : key).map { "\($0) \(order)" }
                    return "NOT INDEXED ORDER BY \(terms.joined(separator: ", "))"
                } + indexes.map { "INDEXED BY \($0)" }
        }
    }
}

extension SQLiteError {
    /// Whether a damaged file can cause this error. A table that a damaged schema lacks is reported as `.error`.
    fileprivate var isDamage: Bool {
        switch code {
        case .corrupt, .notADatabase, .inputOutput, .error: true
        default: false
        }
    }
}
