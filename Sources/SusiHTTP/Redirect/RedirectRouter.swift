import NIOCore
import NIOHTTP1
import Synchronization

/// Decides how the listener responds to a request.
struct RedirectRouter: Sendable {
    let paths: Set<String>
    let acceptsForms: Bool
    let shortAddresses: ShortAddresses
    let result: ResultPage
    let arrivals: AsyncStream<RedirectListener.Arrival>.Continuation
    /// Called after a request to a redirect path without a response.
    var noteNoResponse: @Sendable () -> Void = {}

    /// The maximum length of a request target; valid responses are far shorter.
    static let longestRedirect = 16_384

    /// The kind of a request, determined by its head.
    enum Route {
        /// A request with an immediate response, and what to do after it.
        case now(RedirectListener.Response, then: @Sendable () -> Void = {})
        /// A response in the query, at a redirect path.
        case query(String, path: String)
        /// A response in the body; `origin` is the page that sent the form.
        case form(origin: String?, path: String)
    }

    /// Decides by a request's head; `owner` finds the user whose program sent it.
    func route(_ head: HTTPRequestHead, owner: () -> ConnectionOwner = { .unknown }) -> Route {
        let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let target = parts.first.map(String.init) ?? ""
        guard head.uri.utf8.count <= Self.longestRedirect else { return .now(.page(.notFound)) }
        switch head.method {
        case .GET:
            if parts.count == 1, let visit = shortAddresses.visit(target, owner: owner) {
                return .now(visit.response, then: visit.report)
            }
            if parts.count == 1, let page = result.take(target) {
                return .now(.page(page), then: result.noteServed)
            }
            guard paths.contains(target) else { break }
            // A response always has a query. One in the fragment of the address stays in the browser.
            guard parts.count == 2 else { return .now(.page(.noResponse), then: noteNoResponse) }
            return .query(String(parts[1]), path: target)
        case .POST:
            guard acceptsForms, paths.contains(target), parts.count == 1 else { break }
            guard Self.isForm(head.headers) else { return .now(.page(.noForm)) }
            return .form(origin: head.headers.first(name: "Origin"), path: target)
        default: break
        }
        return .now(.page(.notFound))
    }

    /// Passes a response on and waits for the page; the second value must be finished after the page is written.
    func response(
        to fields: String, path: String, form: RedirectListener.FormPost?
    ) async -> (RedirectListener.Response, written: AsyncStream<Never>.Continuation) {
        let (responses, reply) = AsyncStream<RedirectListener.Response>.makeStream()
        let (written, finish) = AsyncStream<Never>.makeStream()
        arrivals.yield(
            RedirectListener.Arrival(path: path, fields: fields, form: form, reply: reply, written: written))
        for await response in responses { return (response, finish) }
        return (.page(.ended), finish)
    }

    // RFC 9110 8.3: the type may have parameters, and its case does not matter.
    private static func isForm(_ headers: HTTPHeaders) -> Bool {
        let types = headers["Content-Type"]
        let type = types.first?.prefix { $0 != ";" && $0 != " " }.lowercased()
        return types.count == 1 && type == "application/x-www-form-urlencoded"
    }
}

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
