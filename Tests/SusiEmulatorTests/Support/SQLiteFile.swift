import SusiSQLite

/// Direct access to the emulator's database file.
enum SQLiteFile {
    static func execute(_ path: String, _ statement: String) throws {
        try Connection(path: path).execute(statement)
    }

    static func count(_ path: String, _ table: String) throws -> Int64? {
        try Connection(path: path).first("SELECT count(*) FROM \(table)") { row in try row.integer(0) }
    }
}
