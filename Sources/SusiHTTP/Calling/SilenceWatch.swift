import Synchronization

/// Ends an exchange whose server has been silent for too long. Only waiting for the server counts: a reader of the answer
/// may take all the time it wants, and so may a long body that keeps moving.
final class SilenceWatch: Sendable {
    private struct State {
        var isWaiting = false
        var silentTicks = 0
    }

    private static let ticks = 10
    private let state = Mutex(State())

    /// Runs `body`, and cancels it when the server is silent for `limit`; then ``DeadlineExceeded`` is thrown. `pause` waits
    /// for a tenth of that.
    static func with<T: Sendable>(
        limit: Duration, pause: @escaping @Sendable (Duration) async throws -> Void,
        _ body: @escaping @Sendable (SilenceWatch) async throws -> T
    ) async throws -> T {
        let watch = SilenceWatch()
        return try await withThrowingTaskGroup(of: T?.self) { group in
            group.addTask { try await body(watch) }
            group.addTask {
                while !watch.tick() { try await pause(limit / Self.ticks) }
                return nil
            }
            defer { group.cancelAll() }
            guard let first = try await group.next(), let result = first else { throw DeadlineExceeded() }
            return result
        }
    }

    /// From now on the server has to move.
    func wait() { set(isWaiting: true) }

    /// The server moved, and nobody waits for more of it yet.
    func rest() { set(isWaiting: false) }

    private func set(isWaiting: Bool) {
        state.withLock { $0 = State(isWaiting: isWaiting) }
    }

    // Counts a tenth of the limit, and tells whether the tenth tenth has gone by in silence.
    private func tick() -> Bool {
        state.withLock { state in
            guard state.isWaiting else { return false }
            state.silentTicks += 1
            return state.silentTicks > Self.ticks
        }
    }
}
