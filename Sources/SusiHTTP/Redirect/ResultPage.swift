import Synchronization

/// The page at the end of a flow. It has a random path and is served once, so that the redirect address with the code
/// remains neither in the address bar nor in the browser's history.
final class ResultPage: Sendable {
    private struct State {
        var path = ""
        /// The page until the browser requests it.
        var page: Page?
        var isWaiting = false
    }

    private let state = Mutex(State())
    private let served: AsyncStream<Never>
    private let finish: AsyncStream<Never>.Continuation

    init() { (served, finish) = AsyncStream<Never>.makeStream() }

    /// Whether a page has not been sent yet.
    var isWaiting: Bool { state.withLock { $0.isWaiting } }

    func keep(_ page: Page) -> String {
        let path = "/result/" + RandomPath.make()
        state.withLock { $0 = State(path: path, page: page, isWaiting: true) }
        return path
    }

    /// Returns the page at that path, the first time.
    func take(_ path: String) -> Page? {
        state.withLock { state in
            guard state.path == path else { return nil }
            defer { state.page = nil }
            return state.page
        }
    }

    /// Ends the wait after the page was sent.
    func noteServed() {
        state.withLock { $0.isWaiting = false }
        finish.finish()
    }

    /// Returns when the page was served, after `limit`, or when the task is cancelled.
    func waitUntilServed(within limit: Duration) async {
        let finish = finish
        let timer = Task {
            try? await Task.sleep(for: limit)
            finish.finish()
        }
        for await _ in served {}
        timer.cancel()
    }
}
