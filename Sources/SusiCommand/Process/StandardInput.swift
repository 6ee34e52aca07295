import Dispatch
import Susi
import Synchronization

/// What a person types, or another program writes.
enum StandardInput {
    /// The lines as they come. Nothing is read before the first one is waited for: until then, what is typed answers another
    /// question.
    static func lines() -> AsyncStream<String> {
        let reader = LineReader()
        return AsyncStream(unfolding: { await reader.next() })
    }

    /// The next line; nil when there is none. Unlike `readLine` it ends when the command is cancelled. What follows is left
    /// to whoever reads next.
    static func firstLine() async throws -> String? {
        let (lines, feed) = AsyncStream<String>.makeStream()
        DispatchQueue.global().async {
            if let line = readLine() { feed.yield(line) }
            feed.finish()
        }
        for await line in lines {
            try await settle()
            return line
        }
        try Task.checkCancellation()
        return nil
    }

    /// What was typed after Ctrl-C never counts. The signal comes another way than the text, so that it may be a moment later;
    /// nobody answers a question and breaks it off within that time. Many short waits: where the machine is busy each of them
    /// takes longer, as the signal does, and both come through the same thread of Dispatch.
    static func settle() async throws {
        if Surroundings.current.canAsk {
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

/// Reads lines on a thread of its own, which ends with the process.
private final class LineReader: Sendable {
    private let lines: AsyncStream<String>
    private let feed: AsyncStream<String>.Continuation
    private let isStarted = Atomic(false)

    init() { (lines, feed) = AsyncStream<String>.makeStream() }

    /// The next line; nil at the end, and when the task is cancelled.
    func next() async -> String? {
        if !isStarted.exchange(true, ordering: .relaxed) {
            let feed = feed
            DispatchQueue.global().async {
                while let line = readLine() { feed.yield(line) }
                feed.finish()
            }
        }
        for await line in lines { return line }
        return nil
    }
}
