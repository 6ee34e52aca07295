import FoundationEssentials
import SusiPolicies
import SusiSQLite

/// An authorization request whose pages are open in a browser.
struct Transaction: Sendable {
    let id: String
    let request: AuthorizationRequest
    /// Who has shown to be that person in this transaction, and when.
    let objectID: String?
    let authTime: Int64?
}

extension Database {
    private static let transactionLifetime: Int64 = 3_600

    /// Keeps a request while its pages are open.
    func open(_ request: AuthorizationRequest, session: Session?, now: Int64) throws -> Transaction {
        let id = randomSecret()
        let text = String(decoding: try JSONEncoder().encode(request), as: UTF8.self)
        try write { connection in
            try ExpiringTable.transactions.removeExpired(now: now, in: connection)
            try connection.execute(
                """
                INSERT INTO transactions (id, tenant, policy, request, object_id, auth_time, expires)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    .text(id), .text(tenant), .text(request.policy), .text(text), .text(orNull: session?.user.objectID),
                    .integer(orNull: session?.authTime), .integer(now + Self.transactionLifetime),
                ])
            return ()
        }
        return Transaction(id: id, request: request, objectID: session?.user.objectID, authTime: session?.authTime)
    }

    /// An open transaction of that policy.
    func transaction(_ id: String, of policy: PolicyName, now: Int64) throws -> Transaction? {
        let found = try read { connection in
            try connection.first(
                """
                SELECT request, object_id, auth_time FROM transactions
                WHERE id = ? AND tenant = ? AND policy = ? AND expires > ?
                """, [.text(id), .text(tenant), .text(policy.spelling), .integer(now)]
            ) { row in (try row.text(0), try row.optionalText(1), try row.optionalInteger(2)) }
        }
        return try found.map { text, objectID, authTime in
            let request = try JSONDecoder().decode(AuthorizationRequest.self, from: Data(text.utf8))
            return Transaction(id: id, request: request, objectID: objectID, authTime: authTime)
        }
    }

    /// Notes in a transaction who the person is.
    func note(_ objectID: String, authTime: Int64, in transaction: Transaction) throws -> Transaction {
        try write { connection in
            try connection.execute(
                "UPDATE transactions SET object_id = ?, auth_time = ? WHERE id = ?",
                [.text(objectID), .integer(authTime), .text(transaction.id)])
            return ()
        }
        return Transaction(
            id: transaction.id, request: transaction.request, objectID: objectID, authTime: authTime)
    }

    /// Ends a transaction; false when it had ended already, so that two submissions give one code.
    func close(_ transaction: Transaction) throws -> Bool {
        try write { connection in
            try connection.execute("DELETE FROM transactions WHERE id = ?", [.text(transaction.id)]) == 1
        }
    }
}
