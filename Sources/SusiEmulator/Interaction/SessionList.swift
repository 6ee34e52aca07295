import SusiSQLite

/// A session without its secret, for the admin API.
struct ListedSession: Sendable {
    let hash: [UInt8]
    let objectID: String
    let authTime: Int64
    let expires: Int64
}

extension Database {
    /// The active sessions of one user or of all, newest first.
    func sessions(of objectID: String?, now: Int64, limit: Int) throws -> [ListedSession] {
        try read { connection in
            try connection.rows(
                """
                SELECT * FROM sessions
                WHERE tenant = ?1 AND (?2 IS NULL OR object_id = ?2) AND expires > ?3
                ORDER BY auth_time DESC, hash LIMIT ?4
                """, [.text(tenant), .text(orNull: objectID), .integer(now), .int(limit)]
            ) { row in
                ListedSession(
                    hash: try row.blob("hash"), objectID: try row.text("object_id"),
                    authTime: try row.integer("auth_time"), expires: try row.integer("expires"))
            }
        }
    }

    /// Ends the session with that hash. Returns whether it existed.
    func endSession(hash: [UInt8]) throws -> Bool {
        try execute(
            "DELETE FROM sessions WHERE tenant = ? AND hash = ?", [.text(tenant), .blob(hash)]) == 1
    }

    /// Ends all sessions, or those of one user, and returns their number.
    func endSessions(of objectID: String?) throws -> Int {
        try execute(
            "DELETE FROM sessions WHERE tenant = ?1 AND (?2 IS NULL OR object_id = ?2)",
            [.text(tenant), .text(orNull: objectID)])
    }

    /// Revokes everything from a user's sign-ins and returns the number of sign-ins.
    func revokeGrants(of objectID: String) throws -> Int {
        try execute(
            "UPDATE grants SET revoked = 1 WHERE tenant = ? AND object_id = ? AND revoked = 0",
            [.text(tenant), .text(objectID)])
    }

    /// Removes all rows of the tenant except its keys.
    func removeAllButKeys() throws {
        try write { connection in
            for table in try DatabaseFile.tables(of: connection) {
                try connection.execute("DELETE FROM \(table) WHERE tenant = ?", [.text(tenant)])
            }
        }
    }
}

extension DatabaseFile {
    /// Removes all rows of all tenants except the keys.
    func removeAllButKeys() throws {
        try write { connection in
            for table in try Self.tables(of: connection) { try connection.execute("DELETE FROM \(table)") }
        }
    }

    // The tables with rows of tenants, except the keys; rows that refer to them are deleted too.
    fileprivate static func tables(of connection: Connection) throws -> [String] {
        try connection.rows(
            """
            SELECT tables.name FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns
            WHERE tables.type = 'table' AND columns.name = 'tenant' AND tables.name <> 'keys'
            """
        ) { row in try row.text(0) }
    }
}
