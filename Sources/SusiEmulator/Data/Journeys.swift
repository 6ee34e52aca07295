import FoundationEssentials
import SusiSQLite

extension Database {
    /// How far a transaction has come; most transactions have nothing to tell.
    func journey(of transaction: Transaction) throws -> Journey {
        try read { try journey(transaction.id, $0) }
    }

    /// Changes how far a transaction has come, in one step: two forms that come at once count as two.
    @discardableResult
    func changeJourney<T: Sendable>(
        of transaction: Transaction, _ change: @Sendable (inout Journey) throws -> T
    ) throws -> T {
        try write { connection in
            var journey = try journey(transaction.id, connection)
            let result = try change(&journey)
            let state = String(decoding: try JSONEncoder().encode(journey), as: UTF8.self)
            try connection.execute(
                "INSERT INTO journeys VALUES (?1, ?2) ON CONFLICT DO UPDATE SET state = ?2",
                [.text(transaction.id), .text(state)])
            return result
        }
    }

    private func journey(_ id: String, _ connection: Connection) throws -> Journey {
        let state = try connection.first("SELECT state FROM journeys WHERE transaction_id = ?", [.text(id)]) { row in
            try row.text(0)
        }
        return try state.map { try JSONDecoder().decode(Journey.self, from: Data($0.utf8)) } ?? Journey()
    }

    /// Notes that a second factor was shown in the session of that secret.
    func noteSecondFactor(inSession secret: String) throws {
        try write { connection in
            try connection.execute("INSERT OR IGNORE INTO second_factors VALUES (?)", [.blob(sha256(secret))])
            return ()
        }
    }

    /// Whether a second factor was shown in the session of that secret.
    func hasSecondFactor(inSession secret: String) throws -> Bool {
        try read { connection in
            try connection.first("SELECT 1 FROM second_factors WHERE session = ?", [.blob(sha256(secret))]) { _ in true
            }
                ?? false
        }
    }
}
