import NIOCore
import NIOHTTP1
import Synchronization

/// Where the short address leads; set once the long one is known.
final class StartAddress: Sendable {
    static let path = "/go"
    private let url = Mutex<String?>(nil)

    func set(_ value: String) { url.withLock { $0 = value } }
    var value: String? { url.withLock { $0 } }
}

/// Decides what a request to the listener gets.
struct RedirectRouter: Sendable {
    let paths: Set<String>
    let start: StartAddress
    let arrivals: AsyncStream<RedirectListener.Arrival>.Continuation

    /// A redirect's query is far shorter; a longer one is no redirect of ours.
    private static let longestTarget = 16_384

    /// The response and, for an arrival, what to finish once it is written.
    func response(
        to head: HTTPRequestHead
    ) async -> (RedirectListener.Response, written: AsyncStream<Never>.Continuation?) {
        let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let target = parts.first.map(String.init) ?? ""
        guard head.method == .GET, head.uri.utf8.count <= Self.longestTarget else { return (.page(.notFound), nil) }
        // An answer always has a query: a redirect path of the same name stays reachable.
        if target == StartAddress.path, parts.count == 1, let url = start.value { return (.redirect(url), nil) }
        guard paths.contains(target), parts.count == 2 else { return (.page(.notFound), nil) }
        let (responses, reply) = AsyncStream<RedirectListener.Response>.makeStream()
        let (written, finish) = AsyncStream<Never>.makeStream()
        arrivals.yield(RedirectListener.Arrival(query: String(parts[1]), reply: reply, written: written))
        for await response in responses { return (response, finish) }
        return (.page(.ended), finish)
    }
}
