import NIOCore
import NIOHTTP1
import Synchronization

/// A short address that leads to the long one once that is known. Its end is random: other users of this machine can
/// reach the port, and whoever opens the long address could answer it as somebody else.
final class StartAddress: Sendable {
    /// The path, easy to type: 40 random bits.
    let path: String
    private let state = Mutex(State())
    private static let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")

    init() {
        var generator = SystemRandomNumberGenerator()
        path = "/go/" + String((0..<8).compactMap { _ in Self.letters.randomElement(using: &generator) })
    }

    private struct State {
        var url: String?
        /// Whether the long address is shown once and no more.
        var servesOnce = false
    }

    /// Leads to `url` from now on; once only, where it holds a secret.
    func set(_ url: String, isSecret: Bool) { state.withLock { $0 = State(url: url, servesOnce: isSecret) } }

    /// What a visitor gets; nil while there is nowhere to go.
    func visit() -> RedirectListener.Response? {
        state.withLock { state in
            defer { if state.servesOnce { state.url = nil } }
            if let url = state.url { return .redirect(url) }
            return state.servesOnce ? .page(.openedAlready) : nil
        }
    }
}

/// Decides what a request to the listener gets.
struct RedirectRouter: Sendable {
    let paths: Set<String>
    let acceptsForms: Bool
    let start: StartAddress
    let arrivals: AsyncStream<RedirectListener.Arrival>.Continuation

    /// An answer is far shorter; a longer one is none of ours.
    static let longestAnswer = 16_384

    /// What a request is, as its head says.
    enum Route {
        /// It is answered at once.
        case now(RedirectListener.Response)
        /// An answer in the query.
        case query(String)
        /// An answer in the body, which has to be read; `origin` is the page that sent the form.
        case form(origin: String?)
    }

    func route(_ head: HTTPRequestHead) -> Route {
        let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let target = parts.first.map(String.init) ?? ""
        guard head.uri.utf8.count <= Self.longestAnswer else { return .now(.page(.notFound)) }
        switch head.method {
        case .GET:
            if target == start.path, parts.count == 1, let response = start.visit() { return .now(response) }
            // An answer always has a query.
            guard paths.contains(target), parts.count == 2 else { break }
            return .query(String(parts[1]))
        case .POST:
            guard acceptsForms, paths.contains(target), parts.count == 1 else { break }
            guard Self.isForm(head.headers) else { return .now(.page(.noForm)) }
            return .form(origin: head.headers.first(name: "Origin"))
        default: break
        }
        return .now(.page(.notFound))
    }

    /// Hands an answer on and waits for what to show; the second is to be finished once that is written.
    func response(
        to fields: String, form: RedirectListener.FormPost?
    ) async -> (RedirectListener.Response, written: AsyncStream<Never>.Continuation) {
        let (responses, reply) = AsyncStream<RedirectListener.Response>.makeStream()
        let (written, finish) = AsyncStream<Never>.makeStream()
        arrivals.yield(RedirectListener.Arrival(fields: fields, form: form, reply: reply, written: written))
        for await response in responses { return (response, finish) }
        return (.page(.ended), finish)
    }

    // RFC 9110 8.3: the type may be followed by parameters, and compares without case.
    private static func isForm(_ headers: HTTPHeaders) -> Bool {
        let types = headers["Content-Type"]
        let type = types.first?.prefix { $0 != ";" && $0 != " " }.lowercased()
        return types.count == 1 && type == "application/x-www-form-urlencoded"
    }
}
