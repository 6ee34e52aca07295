package struct DeadlineExceeded: Error, Hashable, Sendable {
    package init() {}
}

/// Runs `body` and cancels it after `time`; then ``DeadlineExceeded`` is thrown.
package func withDeadline<T: Sendable>(
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
