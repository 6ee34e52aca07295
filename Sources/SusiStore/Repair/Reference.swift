import SusiSQLite

/// The references between tables, as conditions that find the rows whose other row is gone.
enum Reference {
    /// For each reference the table and the condition.
    static func all(of database: Connection) throws -> [(table: String, condition: String)] {
        let parts = try database.rows(
            """
            SELECT t.name, f.id, f."table", f."from", f."to"
            FROM pragma_table_list AS t, pragma_foreign_key_list(t.name) AS f
            WHERE t.schema = 'main' AND t.type = 'table' ORDER BY t.name, f.id, f.seq
            """
        ) { row in
            Part(
                table: try row.text(0), number: try row.integer(1), parent: try row.text(2), from: try row.text(3),
                to: try row.optionalText(4))
        }
        return try Dictionary(grouping: parts) { Name(table: $0.table, number: $0.number) }
            .sorted { ($0.key.table, $0.key.number) < ($1.key.table, $1.key.number) }
            .map { name, parts in (name.table, try condition(parts, database)) }
    }

    private struct Part {
        let table: String
        let number: Int64
        let parent: String
        let from: String
        /// Nil stands for the other table's primary key.
        let to: String?
    }

    private struct Name: Hashable {
        let table: String
        let number: Int64
    }

    private static func condition(_ parts: [Part], _ database: Connection) throws -> String {
        let (table, parent) = (parts[0].table, parts[0].parent)
        let equal = try parts.map { part in
            let to = try part.to ?? key(of: parent, database)
            return "o.\"\(to)\" = \"\(table)\".\"\(part.from)\""
        }
        let isSet = parts.map { "\"\($0.from)\" IS NOT NULL" }
        return (isSet + ["NOT EXISTS (SELECT 1 FROM \"\(parent)\" AS o WHERE \(equal.joined(separator: " AND ")))"])
            .joined(separator: " AND ")
    }

    private static func key(of table: String, _ database: Connection) throws -> String {
        try database.first("SELECT name FROM pragma_table_info(?) WHERE pk = 1", [.text(table)]) { row in
            try row.text(0)
        } ?? "rowid"
    }
}
