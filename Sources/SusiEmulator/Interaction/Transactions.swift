import SusiBase
import SusiPolicies
import SusiSQLite

extension Database {
    private static let transactionLifetime: Int64 = 3_600

    /// Stores a request while its pages are open and returns the ID of its transaction.
    func openTransaction(_ request: AuthorizationRequest, now: Int64) throws -> String {
        let id = RandomBytes.text()
        try insert(
            into: .transactions,
            [
                "id": .text(id), "tenant": .text(tenant), "policy": .text(request.policy),
                "request": .text(try Self.json(request)), "progress": .text(try Self.json(Transaction.Progress())),
                "expires": .integer(now + Self.transactionLifetime),
            ], now: now)
        return id
    }

    func transaction(
        _ id: String, of policy: PolicyName, now: Int64
    ) throws -> (request: AuthorizationRequest, progress: Transaction.Progress)? {
        try read { connection in
            try connection.first(
                """
                SELECT request, progress FROM transactions
                WHERE id = ? AND tenant = ? AND policy = ? AND expires > ?
                """, [.text(id), .text(tenant), .text(policy.spelling), .integer(now)]
            ) { row in
                (
                    request: try Self.value(AuthorizationRequest.self, try row.text(0)),
                    progress: try Self.value(Transaction.Progress.self, try row.text(1))
                )
            }
        }
    }

    /// Changes the progress of a transaction in one step. Returns `nil` if the transaction has ended.
    func updateTransaction<T: Sendable>(
        _ id: String, _ change: @Sendable (inout Transaction.Progress) throws -> T
    ) throws -> (result: T, progress: Transaction.Progress)? {
        try write { connection in
            let found = try connection.first("SELECT progress FROM transactions WHERE id = ?", [.text(id)]) { row in
                try Self.value(Transaction.Progress.self, try row.text(0))
            }
            guard var progress = found else { return nil }
            let result = try change(&progress)
            try connection.execute(
                "UPDATE transactions SET progress = ? WHERE id = ?", [.text(try Self.json(progress)), .text(id)])
            return (result, progress)
        }
    }

    /// Ends a transaction. Returns `false` if it ended before, so that two submissions give one code.
    func closeTransaction(_ id: String) throws -> Bool {
        try execute("DELETE FROM transactions WHERE id = ?", [.text(id)]) == 1
    }
}
