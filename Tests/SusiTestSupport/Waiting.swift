/// Waits until a condition holds. Only for states that change without an event to wait for, such as the threads of another
/// process; a rule lists the files that call it. The test's time limit ends the wait.
package func waitUntil(_ holds: () async throws -> Bool) async throws {
    while try await !holds() { try await Task.sleep(for: .milliseconds(20)) }
}
