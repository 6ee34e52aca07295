import Dispatch
import Susi
import SusiBase
import SusiStartup
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

enum StandardInput {
    private static let reader = LineReader()
    /// The maximum size of a line in bytes: that of a terminal's line.
    private static let longestLine = 4_096

    /// Returns the lines as they arrive. Reads a line only when one is requested.
    static func lines() -> AsyncStream<String> {
        AsyncStream(unfolding: { await reader.next().map { String(decoding: $0, as: UTF8.self) } })
    }

    /// Returns the next line; `nil` at the end of input. Unlike `readLine`, it ends when the command is cancelled, and a line
    /// is never changed: one that is too long or not UTF-8 is an error, which does not quote it.
    static func firstLine() async throws -> String? {
        guard let line = await reader.next() else {
            try Task.checkCancellation()
            return nil
        }
        try await settle()
        guard line.count <= longestLine else {
            throw UsageError("the line is too long", why: "a line of standard input has at most 4 KiB")
        }
        guard let text = String(validating: line, as: UTF8.self) else {
            throw UsageError(
                "the line is not UTF-8", why: "byte \(firstInvalidByte(line) + 1) does not belong to a character",
                next: "convert the text to UTF-8")
        }
        return text
    }

    private static func firstInvalidByte(_ bytes: [UInt8]) -> Int {
        var parser = Unicode.UTF8.ForwardParser()
        var rest = bytes.makeIterator()
        var place = 0
        while case .valid(let character) = parser.parseScalar(from: &rest) { place += character.count }
        return place
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
        let mode = await TerminalMode(.dropped, TerminalMode.Pause(back: { console.ask(question) })) { settings in
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
    // A pasted address may be longer than any line that is typed.
    private static let longestLine = 65_536

    private struct State {
        var isReading = false
        var waiting: (id: Int, continuation: CheckedContinuation<[UInt8]?, Never>)?
        // A line that arrived after its wait was cancelled. The outer optional is `nil` without such a line; the inner
        // one is `nil` at the end of input.
        var pendingLine: [UInt8]??
        var lastID = 0
    }

    private let state = Mutex(State())

    /// Returns the next line; `nil` at the end of input or if the task is cancelled.
    func next() async -> [UInt8]? {
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

    private func wait(_ continuation: CheckedContinuation<[UInt8]?, Never>, _ id: Int) {
        let (now, reads): ([UInt8]??, Bool) = state.withLock { state in
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
        var line = readLine()
        // In the background, the kernel refuses the read. The process stops until the terminal is its own again.
        while line == nil, ProcessSignal.isInBackground {
            ProcessSignal.stop(by: SIGTTIN)
            // No shell could continue the process.
            if ProcessSignal.isInBackground { break }
            line = readLine()
        }
        let waiting = state.withLock { state in
            state.isReading = false
            let waiting = state.waiting
            state.waiting = nil
            if waiting == nil || line == nil { state.pendingLine = .some(line) }
            return waiting
        }
        waiting?.continuation.resume(returning: line)
    }

    private func readLine() -> [UInt8]? {
        SmallFile.readLine(descriptor: 0, limit: Self.longestLine).map(SmallFile.firstLine)
    }

    private func removeWait(_ id: Int) -> CheckedContinuation<[UInt8]?, Never>? {
        state.withLock { state in
            guard state.waiting?.id == id else { return nil }
            defer { state.waiting = nil }
            return state.waiting?.continuation
        }
    }
}
