import Synchronization

/// An animated line on a terminal, which shows that work is in progress.
///
/// The line appears on standard error after a short delay. It is drawn only with carriage returns and spaces. Without a
/// terminal, nothing is drawn. Stop the spinner before printing anything else.
final class Spinner: Sendable {
    /// The spinner of the current task. Stop it before a prompt.
    @TaskLocal static var current: Spinner?

    /// The delay before the first frame; most commands finish earlier.
    static let patience = Duration.milliseconds(150)

    private struct State {
        var isStopped = false
        var text: String
        var width = 0
        var task: Task<Void, Never>?
    }

    private let state: Mutex<State>
    private let draw: @Sendable (String) -> Void

    /// Starts a spinner. `text` must not contain text from a server.
    init(_ text: String, draw: @escaping @Sendable (String) -> Void) {
        state = Mutex(State(text: text))
        self.draw = draw
        start(text)
    }

    /// Starts the spinner again on a new line, after something was printed.
    func start(_ text: String) {
        let task = Task.detached { [weak self] in
            var frames = Self.frames[...]
            try? await Task.sleep(for: Self.patience)
            while !Task.isCancelled {
                frames = frames.isEmpty ? Self.frames[...] : frames
                self?.show(frames.removeFirst())
                try? await Task.sleep(for: .milliseconds(80))
            }
        }
        state.withLock { state in
            state.task?.cancel()
            state = State(text: text, task: task)
        }
    }

    /// Replaces the text from the next frame on, for example by the progress of long work. It must not become shorter.
    func say(_ text: String) { state.withLock { $0.text = text } }

    /// Stops the spinner and erases its line. Nothing is drawn until it is started again.
    func stop() {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.isStopped = true
            state.task?.cancel()
            if state.width > 0 { draw("\r" + String(repeating: " ", count: state.width) + "\r") }
        }
    }

    private static let frames = Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")

    private func show(_ frame: Character) {
        state.withLock { state in
            guard !state.isStopped else { return }
            let line = "\(frame) \(state.text)"
            state.width = line.count
            draw("\r" + line)
        }
    }
}

extension Context {
    /// Runs `body` with a spinner on a terminal. `body` stops the spinner before it prints.
    func working<T>(_ text: String, _ body: (Spinner?) async throws -> T) async rethrows -> T {
        let console = console
        let spinner = console.errMoves && !isVerbose ? Spinner(text, draw: { console.ask($0) }) : nil
        defer { spinner?.stop() }
        return try await Spinner.$current.withValue(spinner) { try await body(spinner) }
    }
}
