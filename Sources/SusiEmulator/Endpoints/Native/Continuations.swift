import SusiBase
import SusiSQLite

extension Database {
    /// Stores the state of a native authentication and returns the token for its next request. Ends the previous token.
    /// Returns `nil` if that has ended already, so that only one of two requests counts.
    func keep(_ continuation: Continuation, replacing old: String?, now: Int64) throws -> String? {
        let (token, text) = (RandomBytes.text(), try Self.json(continuation))
        return try write { connection in
            if let old { guard try end(continuation: old, connection) else { return nil } }
            try insert(
                into: .continuations,
                [
                    "hash": .blob(sha256(token)), "tenant": .text(tenant), "state": .text(text),
                    "expires": .integer(now + Continuation.lifetime),
                ], now: now, connection)
            return token
        }
    }

    func continuation(_ token: String) throws -> (state: Continuation, expires: Int64)? {
        try read { try continuation(token, $0) }
    }

    /// Changes the state of a token in one step, so that two requests at the same time both count. Returns `nil` if the
    /// token has ended.
    func change<T: Sendable>(
        continuation token: String, _ body: @Sendable (inout Continuation) throws -> T
    ) throws -> T? {
        try write { connection in
            guard var (state, _) = try continuation(token, connection) else { return nil }
            let result = try body(&state)
            try connection.execute(
                "UPDATE continuations SET state = ? WHERE hash = ?",
                [.text(try Self.json(state)), .blob(sha256(token))])
            return result
        }
    }

    /// Ends a token. Returns `false` if it ended before.
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
        ) { row in (try Self.value(Continuation.self, try row.text(0)), try row.integer(1)) }
    }
}
