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
                "UPDATE transactions SET progress = ? WHERE id = ?", [.text(state), .text(transaction.id)])
            return result
        }
    }

    private func journey(_ id: String, _ connection: Connection) throws -> Journey {
        let state =
            try connection.first("SELECT progress FROM transactions WHERE id = ?", [.text(id)]) { row in
                try row.optionalText(0)
            } ?? nil
        return try state.map { try JSONDecoder().decode(Journey.self, from: Data($0.utf8)) } ?? Journey()
    }
}
