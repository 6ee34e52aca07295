import SusiSQLite

/// What tests look up or change behind the emulator's back.
enum SQLiteFile {
    static func setVersion(_ path: String, _ version: Int) throws {
        try Connection(path: path).execute("PRAGMA user_version = \(version)")
    }

    static func count(_ path: String, _ table: String) throws -> Int64? {
        try Connection(path: path).first("SELECT count(*) FROM \(table)") { row in try row.integer(0) }
    }
}
