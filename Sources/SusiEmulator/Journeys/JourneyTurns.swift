import Synchronization

/// Lets the requests of one transaction wait for each other: a form that is sent twice is processed once, and the second
/// time shows the page that follows.
final class JourneyTurns: Sendable {
    private final class Turn: Sendable {
        let mutex = Mutex(())
    }

    private let waiting = Mutex<[String: (turn: Turn, count: Int)]>([:])

    /// Runs `body` alone among the requests of a transaction.
    func wait<T: Sendable>(for transaction: String?, _ body: () throws -> T) throws -> T {
        let id = transaction ?? ""
        let turn = waiting.withLock { waiting in
            let entry = waiting[id] ?? (Turn(), 0)
            waiting[id] = (entry.turn, entry.count + 1)
            return entry.turn
        }
        defer {
            waiting.withLock { waiting in
                guard let entry = waiting[id] else { return }
                waiting[id] = entry.count > 1 ? (entry.turn, entry.count - 1) : nil
            }
        }
        return try turn.mutex.withLock { _ in try body() }
    }
}
