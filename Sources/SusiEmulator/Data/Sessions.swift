import SusiSQLite

/// A browser that is signed in.
struct Session: Sendable {
    let user: User
    let authTime: Int64
}

extension Database {
    private static let sessionLifetime: Int64 = 86_400

    /// Starts a session and returns the secret that the browser's cookie carries.
    func startSession(_ objectID: String, authTime: Int64, now: Int64) throws -> String {
        let secret = randomSecret()
        try write { connection in
            try ExpiringTable.sessions.removeExpired(now: now, in: connection)
            try connection.execute(
                "INSERT INTO sessions (hash, tenant, object_id, auth_time, expires) VALUES (?, ?, ?, ?, ?)",
                [
                    .blob(sha256(secret)), .text(tenant), .text(objectID), .integer(authTime),
                    .integer(now + Self.sessionLifetime),
                ])
            return ()
        }
        return secret
    }

    /// The session of a cookie's secret.
    func session(_ secret: String?, now: Int64) throws -> Session? {
        guard let secret else { return nil }
        let found = try read { connection in
            try connection.first(
                "SELECT object_id, auth_time FROM sessions WHERE hash = ? AND tenant = ? AND expires > ?",
                [.blob(sha256(secret)), .text(tenant), .integer(now)]
            ) { row in (try row.text(0), try row.integer(1)) }
        }
        guard let found, let user = try user(objectID: found.0) else { return nil }
        return Session(user: user, authTime: found.1)
    }

    /// Ends the session of a cookie's secret.
    func endSession(_ secret: String) throws {
        try write { connection in
            try connection.execute("DELETE FROM sessions WHERE hash = ?", [.blob(sha256(secret))])
            return ()
        }
    }
}
