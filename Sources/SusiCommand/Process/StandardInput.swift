import Dispatch
import Susi
import Synchronization

/// What a person types, or another program writes.
enum StandardInput {
    private static let reader = LineReader()

    /// The lines as they come. A line is read only while somebody waits for one.
    static func lines() -> AsyncStream<String> { AsyncStream(unfolding: { await reader.next() }) }

    /// The next line; nil when there is none. Unlike `readLine` it ends when the command is cancelled.
    static func firstLine() async throws -> String? {
        guard let line = await reader.next() else {
            try Task.checkCancellation()
            return nil
        }
        try await settle()
        return line
    }

    /// What was typed after Ctrl-C never counts. The signal comes another way than the text, so that it may be a moment later;
    /// nobody answers a question and breaks it off within that time. Many short waits: where the machine is busy each of them
    /// takes longer, as the signal does, and both come through the same thread of Dispatch.
    static func settle() async throws {
        if ProcessEnvironment.current.canAsk {
            for _ in 1...20 { try await Task.sleep(for: .milliseconds(10)) }
        }
        try Task.checkCancellation()
    }

    /// Asks for something that is not shown while it is typed.
    static func secret(_ question: String, _ console: Console) async throws -> String? {
        let echo = HiddenInput()
        defer { echo?.end() }
        console.ask(question)
        let line = try await firstLine()
        // What was typed ended with a line's end that was not shown either.
        console.err("")
        return line
    }
}

/// Reads standard input for everything that asks in one process, one line at a time. A wait that is cancelled leaves its line to
/// the next one, because a thread that reads cannot be interrupted.
private final class LineReader: Sendable {
    private struct State {
        var isReading = false
        var waiting: (id: Int, continuation: CheckedContinuation<String?, Never>)?
        // A line that came when nobody waited any more; the outer optional tells whether there is one, the inner one is the end.
        var early: String??
        var lastID = 0
    }

    private let state = Mutex(State())

    /// The next line; nil at the end, and when the task is cancelled.
    func next() async -> String? {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0, id) }
        } onCancel: {
            // Before the wait has begun, `wait` sees the cancellation itself.
            take(id)?.resume(returning: nil)
        }
    }

    private func wait(_ continuation: CheckedContinuation<String?, Never>, _ id: Int) {
        let (now, reads): (String??, Bool) = state.withLock { state in
            if Task.isCancelled { return (.some(nil), false) }
            if let early = state.early {
                // The end stays the end.
                if early != nil { state.early = nil }
                return (early, false)
            }
            state.waiting = (id, continuation)
            defer { state.isReading = true }
            return (nil, !state.isReading)
        }
        if let now { return continuation.resume(returning: now) }
        if reads { DispatchQueue.global().async { self.read() } }
    }

    private func read() {
        let line = readLine()
        let waiting = state.withLock { state in
            state.isReading = false
            let waiting = state.waiting
            state.waiting = nil
            if waiting == nil || line == nil { state.early = .some(line) }
            return waiting
        }
        waiting?.continuation.resume(returning: line)
    }

    private func take(_ id: Int) -> CheckedContinuation<String?, Never>? {
        state.withLock { state in
            guard state.waiting?.id == id else { return nil }
            defer { state.waiting = nil }
            return state.waiting?.continuation
        }
    }
}
