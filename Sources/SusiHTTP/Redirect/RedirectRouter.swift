import NIOCore
import NIOHTTP1

/// Decides what a request to the listener gets.
struct RedirectRouter: Sendable {
    let paths: Set<String>
    let acceptsForms: Bool
    let shortAddresses: ShortAddresses
    let result: ResultPage
    let arrivals: AsyncStream<RedirectListener.Arrival>.Continuation

    /// An answer is far shorter; a longer one is none of ours.
    static let longestAnswer = 16_384

    /// What a request is, as its head says.
    enum Route {
        /// It is answered at once; what is to be done afterwards.
        case now(RedirectListener.Response, then: @Sendable () -> Void = {})
        /// An answer in the query, at one of the paths.
        case query(String, path: String)
        /// An answer in the body, which has to be read; `origin` is the page that sent the form.
        case form(origin: String?, path: String)
    }

    /// Decides by a request's head; `owner` finds the user whose program sent it.
    func route(_ head: HTTPRequestHead, owner: () -> ConnectionOwner = { .unknown }) -> Route {
        let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let target = parts.first.map(String.init) ?? ""
        guard head.uri.utf8.count <= Self.longestAnswer else { return .now(.page(.notFound)) }
        switch head.method {
        case .GET:
            if parts.count == 1, let visit = shortAddresses.visit(target, owner: owner) {
                return .now(visit.response, then: visit.report)
            }
            if parts.count == 1, let page = result.take(target) {
                return .now(.page(page), then: result.noteServed)
            }
            // An answer always has a query.
            guard paths.contains(target), parts.count == 2 else { break }
            return .query(String(parts[1]), path: target)
        case .POST:
            guard acceptsForms, paths.contains(target), parts.count == 1 else { break }
            guard Self.isForm(head.headers) else { return .now(.page(.noForm)) }
            return .form(origin: head.headers.first(name: "Origin"), path: target)
        default: break
        }
        return .now(.page(.notFound))
    }

    /// Hands an answer on and waits for what to show; the second is to be finished once that is written.
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

    // RFC 9110 8.3: the type may be followed by parameters, and compares without case.
    private static func isForm(_ headers: HTTPHeaders) -> Bool {
        let types = headers["Content-Type"]
        let type = types.first?.prefix { $0 != ";" && $0 != " " }.lowercased()
        return types.count == 1 && type == "application/x-www-form-urlencoded"
    }
}
