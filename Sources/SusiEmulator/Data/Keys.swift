import SusiSQLite

extension Database {
    /// The tenant's keys, the newest first.
    func keys() throws -> [SigningKey] {
        let rows = try read { connection in
            try connection.rows(
                "SELECT algorithm, der, created FROM keys WHERE tenant = ? ORDER BY created DESC, rowid DESC",
                [.text(tenant)]
            ) { row in (try row.text(0), try row.blob(1), try row.integer(2)) }
        }
        return try rows.compactMap { name, der, created in
            try SigningAlgorithm(rawValue: name).map { try SigningKey($0, der: der, created: created) }
        }
    }

    /// Keeps a new key; `withdrawing` forgets the others, so that they are not published any longer.
    func add(_ key: SigningKey, withdrawing: Bool) throws {
        try write { connection in
            if withdrawing { try connection.execute("DELETE FROM keys WHERE tenant = ?", [.text(tenant)]) }
            try connection.execute(
                "INSERT INTO keys (id, der, created, tenant, algorithm) VALUES (?, ?, ?, ?, ?)",
                [
                    .text(key.id), .blob(key.der), .integer(key.created), .text(tenant),
                    .text(key.algorithm.rawValue),
                ])
            return ()
        }
    }
}
