import Synchronization

/// Shows on a terminal that work is in progress, after a short delay.
final class Spinner: Sendable {
    /// The spinner of this task; questions stop it.
    @TaskLocal static var current: Spinner?

    /// How long nothing is drawn: most of what a command does is over by then.
    static let patience = Duration.milliseconds(150)

    private struct State {
        var isStopped = false
        var width = 0
        var task: Task<Void, Never>?
    }

    private let state = Mutex(State())
    private let draw: @Sendable (String) -> Void

    /// Starts one; `text` has no text of a server in it.
    init(_ text: String, draw: @escaping @Sendable (String) -> Void) {
        self.draw = draw
        let task = Task.detached { [weak self] in
            var frames = Self.frames[...]
            try? await Task.sleep(for: Self.patience)
            while !Task.isCancelled {
                frames = frames.isEmpty ? Self.frames[...] : frames
                self?.show("\(frames.removeFirst()) \(text)")
                try? await Task.sleep(for: .milliseconds(80))
            }
        }
        state.withLock { $0.task = task }
    }

    /// Ends it and wipes its line; afterwards nothing of it is drawn any more.
    func stop() {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.isStopped = true
            state.task?.cancel()
            if state.width > 0 { draw("\r" + String(repeating: " ", count: state.width) + "\r") }
        }
    }

    private static let frames = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

    private func show(_ line: String) {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.width = line.count
            draw("\r" + line)
        }
    }
}

extension Context {
    /// Runs `body` with a spinner on a terminal. `body` stops it before it prints anything itself.
    func working<T>(_ text: String, _ body: (Spinner?) async throws -> T) async rethrows -> T {
        let console = console
        let spinner = console.errMoves && !isVerbose ? Spinner(text, draw: { console.ask($0) }) : nil
        defer { spinner?.stop() }
        return try await Spinner.$current.withValue(spinner) { try await body(spinner) }
    }
}
