import SusiSQLite

extension Database {
    /// The tenant's keys, newest first. Sorted by row and not by time, because the clock may have been set back.
    func keys() throws -> [KeyRing.Kept] {
        let rows = try read { connection in
            try connection.rows(
                "SELECT algorithm, der, created, state FROM keys WHERE tenant = ? ORDER BY rowid DESC", [.text(tenant)]
            ) { row in (try row.text(0), try row.blob(1), try row.integer(2), try row.text(3)) }
        }
        return try rows.compactMap { name, der, created, state in
            guard let algorithm = SigningAlgorithm(rawValue: name), let state = KeyRing.State(rawValue: state) else {
                return nil
            }
            return KeyRing.Kept(key: try SigningKey(algorithm, der: der, created: created), state: state)
        }
    }

    func add(_ kept: KeyRing.Kept) throws {
        let key = kept.key
        try execute(
            "INSERT INTO keys (id, der, created, tenant, algorithm, state) VALUES (?, ?, ?, ?, ?, ?)",
            [
                .text(key.id), .blob(key.der), .integer(key.created), .text(tenant),
                .text(key.algorithm.rawValue), .text(kept.state.rawValue),
            ])
    }

    func set(_ state: KeyRing.State, of key: SigningKey) throws {
        try execute(
            "UPDATE keys SET state = ? WHERE tenant = ? AND id = ?",
            [.text(state.rawValue), .text(tenant), .text(key.id)])
    }
}
