import Dispatch
import Susi
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The lines of standard input.
enum StandardInput {
    private static let reader = LineReader()

    /// Returns the lines as they arrive. Reads a line only when one is requested.
    static func lines() -> AsyncStream<String> { AsyncStream(unfolding: { await reader.next() }) }

    /// Returns the next line; `nil` at the end of input. Unlike `readLine`, it ends when the command is cancelled.
    static func firstLine() async throws -> String? {
        guard let line = await reader.next() else {
            try Task.checkCancellation()
            return nil
        }
        try await settle()
        return line
    }

    /// Throws if Ctrl-C was pressed before the line was read. The signal may arrive slightly later than the text, so
    /// this function waits for a moment. It sleeps in many short steps: on a busy machine, each step takes longer, and
    /// so does the signal, because both use the same thread of Dispatch.
    static func settle() async throws {
        if ProcessEnvironment.current.canAsk {
            for _ in 1...20 { try await Task.sleep(for: .milliseconds(10)) }
        }
        try Task.checkCancellation()
    }

    /// Prompts for a secret without echo.
    static func secret(_ question: String, _ console: Console) async throws -> String? {
        let mode = TerminalMode(.dropped, TerminalMode.Pause(back: { console.ask(question) })) { settings in
            settings.c_lflag &= ~tcflag_t(ECHO)
        }
        defer { mode?.end() }
        console.ask(question)
        let line = try await firstLine()
        // The line break that ended the input was not shown either.
        console.err("")
        return line
    }
}

/// The reader of standard input for the whole process, one line at a time. If a wait is cancelled, its line goes to the
/// next wait, because a blocked read cannot be interrupted.
private final class LineReader: Sendable {
    private struct State {
        var isReading = false
        var waiting: (id: Int, continuation: CheckedContinuation<String?, Never>)?
        // A line that arrived after its wait was cancelled. The outer optional is `nil` without such a line; the inner
        // one is `nil` at the end of input.
        var pendingLine: String??
        var lastID = 0
    }

    private let state = Mutex(State())

    /// Returns the next line; `nil` at the end of input or if the task is cancelled.
    func next() async -> String? {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0, id) }
        } onCancel: {
            // If the wait has not begun, `wait` detects the cancellation itself.
            removeWait(id)?.resume(returning: nil)
        }
    }

    private func wait(_ continuation: CheckedContinuation<String?, Never>, _ id: Int) {
        let (now, reads): (String??, Bool) = state.withLock { state in
            if Task.isCancelled { return (.some(nil), false) }
            if let pendingLine = state.pendingLine {
                // Every later wait gets the end of input too.
                if pendingLine != nil { state.pendingLine = nil }
                return (pendingLine, false)
            }
            state.waiting = (id, continuation)
            defer { state.isReading = true }
            return (nil, !state.isReading)
        }
        if let now { return continuation.resume(returning: now) }
        if reads { DispatchQueue.global().async { self.read() } }
    }

    private func read() {
        // In the background, the read stops the process until the terminal is its own.
        let line = ProcessSignal.receiving(SIGTTIN) { readLine() }
        let waiting = state.withLock { state in
            state.isReading = false
            let waiting = state.waiting
            state.waiting = nil
            if waiting == nil || line == nil { state.pendingLine = .some(line) }
            return waiting
        }
        waiting?.continuation.resume(returning: line)
    }

    private func removeWait(_ id: Int) -> CheckedContinuation<String?, Never>? {
        state.withLock { state in
            guard state.waiting?.id == id else { return nil }
            defer { state.waiting = nil }
            return state.waiting?.continuation
        }
    }
}
