import SusiBase
import SusiJourneys
import SusiSQLite

/// A signed-in browser.
struct Session: Sendable {
    let user: User
    let authTime: Int64
    /// Whether the session outlives the browser: “keep me signed in”.
    let isKept: Bool
    /// When the session ends, in epoch seconds.
    let expires: Int64
}

extension Database {
    /// Stores a session and returns the secret for the browser's cookie.
    func start(_ session: Session, scope: String, journey: SessionEntries?, now: Int64) throws -> String {
        let secret = RandomBytes.text()
        try insert(
            into: .sessions,
            [
                "hash": .blob(sha256(secret)), "tenant": .text(tenant), "scope": .text(scope),
                "object_id": .text(session.user.objectID), "auth_time": .integer(session.authTime),
                "kept": .integer(session.isKept ? 1 : 0), "expires": .integer(session.expires),
                "journey": .text(orNull: try journey.map { try Self.json($0) }),
            ], now: now)
        return secret
    }

    /// The session of a cookie's secret in that scope.
    func session(_ secret: String, scope: String, now: Int64) throws -> Session? {
        try read { connection in
            try connection.first(
                "SELECT * FROM sessions WHERE hash = ? AND tenant = ? AND scope = ? AND expires > ?",
                [.blob(sha256(secret)), .text(tenant), .text(scope), .integer(now)]
            ) { row -> Session? in
                guard let user = try user(objectID: try row.text("object_id"), connection) else { return nil }
                return Session(
                    user: user, authTime: try row.integer("auth_time"), isKept: try row.integer("kept") == 1,
                    expires: try row.integer("expires"))
            } ?? nil
        }
    }

    func renewSession(_ secret: String, expires: Int64) throws {
        try execute(
            "UPDATE sessions SET expires = max(expires, ?) WHERE hash = ?",
            [.integer(expires), .blob(sha256(secret))])
    }

    func endSession(_ secret: String) throws {
        try execute("DELETE FROM sessions WHERE hash = ?", [.blob(sha256(secret))])
    }

    /// What custom policies keep in a session.
    func journey(inSession secret: String) throws -> SessionEntries? {
        try read { connection in
            try connection.first("SELECT journey FROM sessions WHERE hash = ?", [.blob(sha256(secret))]) { row in
                try row.optionalText(0).map { try Self.value(SessionEntries.self, $0) }
            } ?? nil
        }
    }

    func keep(_ entries: SessionEntries, inSession secret: String) throws {
        try execute(
            "UPDATE sessions SET journey = ? WHERE hash = ?", [.text(try Self.json(entries)), .blob(sha256(secret))])
    }

    func noteSecondFactor(inSession secret: String) throws {
        try execute("UPDATE sessions SET second_factor = 1 WHERE hash = ?", [.blob(sha256(secret))])
    }

    func hasSecondFactor(inSession secret: String) throws -> Bool {
        try read { connection in
            try connection.first("SELECT second_factor FROM sessions WHERE hash = ?", [.blob(sha256(secret))]) { row in
                try row.integer(0) == 1
            } ?? false
        }
    }
}
