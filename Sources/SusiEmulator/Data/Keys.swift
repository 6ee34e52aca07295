import SusiSQLite

extension Database {
    /// The tenant's signing key: the kept one, else a new one.
    func signingKey(now: Int64) throws -> SigningKey {
        if let kept = try keptKey() { return kept }
        let made = try SigningKey.make(now: now)
        try write { connection in
            try connection.execute(
                "INSERT INTO keys VALUES (?, ?, ?)", [.text(made.id), .blob(made.der), .integer(now)])
            return ()
        }
        return made
    }

    private func keptKey() throws -> SigningKey? {
        let row = try read { connection in
            try connection.first("SELECT der, created FROM keys ORDER BY created DESC LIMIT 1") { row in
                (try row.blob(0), try row.integer(1))
            }
        }
        return try row.map { try SigningKey(der: $0.0, created: $0.1) }
    }
}
