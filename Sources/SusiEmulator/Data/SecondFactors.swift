import SusiSQLite

extension Database {
    /// Records that a second factor was shown in the session with that secret.
    func noteSecondFactor(inSession secret: String) throws {
        try write { connection in
            try connection.execute("INSERT OR IGNORE INTO second_factors VALUES (?)", [.blob(sha256(secret))])
            return ()
        }
    }

    /// Returns whether a second factor was shown in the session with that secret.
    func hasSecondFactor(inSession secret: String) throws -> Bool {
        try read { connection in
            let sql = "SELECT 1 FROM second_factors WHERE session = ?"
            return try connection.first(sql, [.blob(sha256(secret))]) { _ in true } ?? false
        }
    }
}
