import SusiSQLite

extension Database {
    /// Returns a user's consents for an application: `true` for granted scopes, `false` for declined ones.
    func consents(by objectID: String, for clientID: String) throws -> [String: Bool] {
        let rows = try read { connection in
            try connection.rows(
                "SELECT scope, granted FROM consents WHERE tenant = ? AND object_id = ? AND client_id = ?",
                [.text(tenant), .text(objectID), .text(clientID)]
            ) { row in (try row.text(0), try row.integer(1) == 1) }
        }
        return Dictionary(rows) { $1 }
    }

    /// Stores the scopes that a user grants to an application or declines.
    func keep(_ answer: ConsentAnswer, by objectID: String, for clientID: String) throws {
        let said = answer.granted.map { ($0, true) } + answer.declined.map { ($0, false) }
        try write { connection in
            for (scope, isGranted) in said {
                try connection.execute(
                    """
                    INSERT INTO consents (tenant, object_id, client_id, scope, granted) VALUES (?1, ?2, ?3, ?4, ?5)
                    ON CONFLICT DO UPDATE SET granted = ?5
                    """,
                    [
                        .text(tenant), .text(objectID), .text(clientID), .text(scope), .integer(isGranted ? 1 : 0),
                    ])
            }
        }
    }
}
