import Synchronization

/// Ends an exchange if the server is silent for too long. Only waiting for the server counts, not the time that a
/// reader of the response or a long body takes.
final class SilenceWatch: Sendable {
    private struct State {
        var isWaiting = false
        var silentTicks = 0
    }

    private static let ticks = 10
    private let state = Mutex(State())

    /// Runs `body` and cancels it with ``DeadlineExceeded`` if the server is silent for `limit`. `pause` waits for a
    /// tenth of that.
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

    /// Starts the watch: the program waits for the server.
    func wait() { set(isWaiting: true) }

    /// Stops the watch: the server responded.
    func rest() { set(isWaiting: false) }

    private func set(isWaiting: Bool) {
        state.withLock { $0 = State(isWaiting: isWaiting) }
    }

    // Counts a tenth of the limit and returns whether all ten passed in silence.
    private func tick() -> Bool {
        state.withLock { state in
            guard state.isWaiting else { return false }
            state.silentTicks += 1
            return state.silentTicks > Self.ticks
        }
    }
}
