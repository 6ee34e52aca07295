import Synchronization
public import Testing

/// Lets a few of the tests with an emulator or a program of their own run at a time. All of them at once would share two
/// cores for minutes, and no time limit could tell one that hangs from one that waits for its share.
///
/// A test that waits for its turn has not begun: its time limit counts from there.
public struct InTurnTrait: SuiteTrait, TestTrait, TestScoping {
    private static let places = Places(8)

    /// Every test of a suite gets the trait.
    public var isRecursive: Bool { true }

    /// The turn is a test function's: its cases share it, and a suite waits for nothing.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        test.isSuite || testCase != nil ? nil : self
    }

    /// Runs the test when there is a place for it.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        await Self.places.enter()
        defer { Self.places.leave() }
        try await function()
    }
}

extension Trait where Self == InTurnTrait {
    /// Waits for its turn; see `InTurnTrait`.
    public static var inTurn: Self { Self() }
}

/// So many places, given in the order in which they were asked for.
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
