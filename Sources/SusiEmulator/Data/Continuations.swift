import FoundationEssentials
import SusiSQLite

extension Database {
    /// Keeps how far somebody has come, and returns the token for the next request. The one before it ends; nil when it had
    /// ended already, however close the two came.
    func keep(_ continuation: Continuation, replacing old: String?, now: Int64) throws -> String? {
        let (token, text) = (randomSecret(), try Self.text(continuation))
        return try write { connection in
            if let old { guard try end(continuation: old, connection) else { return nil } }
            try ExpiringTable.continuations.removeExpired(now: now, in: connection)
            try connection.execute(
                "INSERT INTO continuations (hash, tenant, state, expires) VALUES (?, ?, ?, ?)",
                [
                    .blob(sha256(token)), .text(tenant), .text(text), .integer(now + Continuation.lifetime),
                ])
            return token
        }
    }

    /// What a token stands for, and until when.
    func continuation(_ token: String) throws -> (state: Continuation, expires: Int64)? {
        try read { try continuation(token, $0) }
    }

    /// Changes what a token stands for in one step: two requests that come at once count as two. Nil when it has ended.
    func change<T: Sendable>(
        continuation token: String, _ body: @Sendable (inout Continuation) throws -> T
    ) throws -> T? {
        try write { connection in
            guard var (state, _) = try continuation(token, connection) else { return nil }
            let result = try body(&state)
            try connection.execute(
                "UPDATE continuations SET state = ? WHERE hash = ?",
                [.text(try Self.text(state)), .blob(sha256(token))])
            return result
        }
    }

    /// Ends what a token stands for; false when it had ended already.
    func end(continuation token: String) throws -> Bool { try write { try end(continuation: token, $0) } }

    private func end(continuation token: String, _ connection: Connection) throws -> Bool {
        try connection.execute("DELETE FROM continuations WHERE hash = ?", [.blob(sha256(token))]) == 1
    }

    private func continuation(
        _ token: String, _ connection: Connection
    ) throws -> (state: Continuation, expires: Int64)? {
        try connection.first(
            "SELECT state, expires FROM continuations WHERE hash = ? AND tenant = ?",
            [.blob(sha256(token)), .text(tenant)]
        ) { row in
            (
                try JSONDecoder().decode(Continuation.self, from: Data(try row.text(0).utf8)), try row.integer(1)
            )
        }
    }

    private static func text(_ continuation: Continuation) throws -> String {
        String(decoding: try JSONEncoder().encode(continuation), as: UTF8.self)
    }
}
