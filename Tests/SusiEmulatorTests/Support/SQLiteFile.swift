import SusiSQLite

@testable import SusiEmulator

/// What tests look up or change behind the emulator's back.
enum SQLiteFile {
    static func setVersion(_ path: String, _ version: Int) throws {
        try Connection(path: path).execute("PRAGMA user_version = \(version)")
    }

    static func count(_ path: String, _ table: String) throws -> Int64? {
        try Connection(path: path).first("SELECT count(*) FROM \(table)") { row in try row.integer(0) }
    }

    /// Turns a file into one of the first schema with the same users, keys, grants and refresh tokens of its B2C tenant.
    static func makeFirstSchema(_ path: String) throws {
        let connection = try Connection(path: path)
        try connection.execute("PRAGMA foreign_keys = OFF")
        let first = String(decoding: PackageResources.schema_1_sql, as: UTF8.self)
        let tables = ["users", "keys", "sessions", "transactions", "grants", "codes", "refresh_tokens"]
        try connection.write {
            for table in ["devices", "consents", "outbox", "second_factors", "continuations"] {
                try connection.execute("DROP TABLE \(table)")
            }
            let indexes = try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql NOT NULL") {
                row in try row.text(0)
            }
            for index in indexes { try connection.execute("DROP INDEX \(index)") }
            try connection.execute("PRAGMA legacy_alter_table = ON")
            for table in tables { try connection.execute("ALTER TABLE \(table) RENAME TO later_\(table)") }
            try connection.executeScript(first)
            for table in ["users", "keys", "grants", "refresh_tokens"] {
                let columns = try connection.rows("SELECT name FROM pragma_table_info(?)", [.text(table)]) { row in
                    try row.text(0)
                }.joined(separator: ", ")
                let own = table == "refresh_tokens" ? "" : " WHERE tenant LIKE 'b2c/%'"
                try connection.execute("INSERT INTO \(table) (\(columns)) SELECT \(columns) FROM later_\(table)\(own)")
            }
            for table in tables { try connection.execute("DROP TABLE later_\(table)") }
            try connection.execute("PRAGMA user_version = 1")
        }
    }
}
