/// A time limit was exceeded.
public struct DeadlineExceeded: Error, Hashable, Sendable {
    /// Makes the error.
    public init() {}
}

/// Runs `body` and cancels it after `time`; then ``DeadlineExceeded`` is thrown.
public func withDeadline<T: Sendable>(
    _ time: Duration, _ body: @escaping @Sendable () async throws -> T
) async throws -> T {
    try await withThrowingTaskGroup(of: T?.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: time)
            return nil
        }
        defer { group.cancelAll() }
        guard let first = try await group.next(), let result = first else { throw DeadlineExceeded() }
        return result
    }
}
