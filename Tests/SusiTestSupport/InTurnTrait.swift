import Synchronization
package import Testing

/// Limits the number of tests with an emulator or a program that run at a time. All at once would share two cores for
/// minutes, and a time limit could not distinguish a hanging test from a slow one.
///
/// A test that waits for its turn has not started: its time limit counts from its start.
package struct InTurnTrait: SuiteTrait, TestTrait, TestScoping {
    private static let places = Places(8)

    /// Every test of a suite gets the trait.
    package var isRecursive: Bool { true }

    /// A turn belongs to a test function: its cases share it, and a suite waits for nothing.
    package func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        test.isSuite || testCase != nil ? nil : self
    }

    /// Runs the test when a place is free.
    package func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        await Self.places.enter()
        defer { Self.places.leave() }
        try await function()
    }
}

extension Trait where Self == InTurnTrait {
    /// Waits for its turn; see `InTurnTrait`.
    package static var inTurn: Self { Self() }
}

/// A number of places, given in the order of the requests.
private final class Places: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) { state = Mutex(State(free: count)) }

    func enter() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.free > 0 else {
                    state.waiting.append(continuation)
                    return false
                }
                state.free -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.free += 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
