import SusiSQLite

extension Database {
    /// The scopes of these to which a person has not agreed for an application.
    func unagreed(_ scopes: [String], by objectID: String, for clientID: String) throws -> [String] {
        guard !scopes.isEmpty else { return [] }
        let agreed = try read { connection in
            try connection.rows(
                "SELECT scope FROM consents WHERE tenant = ? AND object_id = ? AND client_id = ?",
                [.text(tenant), .text(objectID), .text(clientID)]
            ) { row in try row.text(0) }
        }
        return scopes.filter { !agreed.contains($0) }
    }

    /// Keeps that a person agrees to scopes for an application.
    func agree(to scopes: [String], by objectID: String, for clientID: String) throws {
        try write { connection in
            for scope in scopes {
                try connection.execute(
                    "INSERT OR IGNORE INTO consents VALUES (?, ?, ?, ?)",
                    [.text(tenant), .text(objectID), .text(clientID), .text(scope)])
            }
        }
    }
}
