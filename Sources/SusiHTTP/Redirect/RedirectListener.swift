import NIOCore
import NIOHTTP1
import NIOPosix

/// Listens on the loopback for the browser to come back (RFC 8252 section 7.3).
///
/// Each arrival is held until it is answered, so that the page in the browser can say how the sign-in ended.
public struct RedirectListener: Sendable {
    /// The port that is listened on.
    public let port: UInt16
    /// The requests to one of the redirect paths, in order.
    public let arrivals: AsyncStream<Arrival>
    private let shortAddresses: ShortAddresses

    /// A request to a redirect path, waiting for its response.
    public struct Arrival: Sendable {
        /// The path that it came to.
        public let path: String
        /// The answer, form-encoded: the query without the question mark, or the body of a form.
        public let fields: String
        /// How a form was posted; nil for a query.
        public let form: FormPost?
        let reply: AsyncStream<Response>.Continuation
        let written: AsyncStream<Never>

        /// Answers it, once, and returns when the response has been written or the browser has gone away.
        public func respond(_ response: Response) async {
            reply.yield(response)
            reply.finish()
            for await _ in written {}
        }
    }

    /// A form that a page let the browser post (OAuth 2.0 Form Post Response Mode).
    public struct FormPost: Hashable, Sendable {
        /// The page's origin, as the browser says it (RFC 6454 section 7): `null` from a page that keeps its address to
        /// itself, nil when nothing was said.
        public let origin: String?
    }

    /// What a browser gets.
    public enum Response: Hashable, Sendable {
        /// A page at the address that was visited.
        case page(Page)
        /// The page at the end of the flow, at an address of its own: the browser is led there, and it is served once.
        case result(Page)
        /// The way to another address, in the same window.
        case redirect(String)
    }

    /// What is wrong with a visit of an address that the list of processes shows.
    public enum Misuse: Hashable, Sendable {
        /// A program of another user was refused.
        case refused(user: UInt32)
        /// It was opened a second time and led nowhere; whether the first visitor is known to be this user.
        case openedAgain(firstByUser: Bool)
    }

    /// No port of the list could be taken.
    public struct NoFreePort: Error, Hashable, Sendable {
        /// The ports that were tried, in order.
        public let ports: [UInt16]
    }

    /// Runs the work that keeps the listener open after the flow has ended, until the browser has the result page.
    public typealias Closing = @Sendable (_ work: @escaping @Sendable () async -> Void) async -> Void

    /// How long the browser has to follow to the result page.
    public static let usualPatience = Duration.seconds(10)

    /// Takes the first free port of `ports` on 127.0.0.1 and, where the machine has it, on ::1, listens while `body`
    /// runs, and frees the port when it ends. Port 0 takes any free one. Answers come in the query; with `acceptsForms`
    /// also in the body of a form. `user` is the one whose browser comes back; nil when unknown.
    ///
    /// If `body` has answered with a result page, the port stays open until the browser has fetched it, for `patience` at
    /// most. `closing` runs that work: without it this function waits; a command line prints its result meanwhile.
    public static func with<T: Sendable>(
        ports: [UInt16], paths: Set<String>, acceptsForms: Bool = false, user: UInt32? = nil,
        patience: Duration = usualPatience, closing: Closing = { await $0() },
        _ body: @escaping @Sendable (RedirectListener) async throws -> T
    ) async throws -> T {
        // A free port of one address may be busy on the other; then any other free one will do.
        for port in ports.flatMap({ port -> [UInt16] in port == 0 ? Array(repeating: 0, count: 10) : [port] }) {
            guard let sockets = try await LoopbackSockets.bind(port: port) else { continue }
            let (arrivals, continuation) = AsyncStream<Arrival>.makeStream()
            let (addresses, result) = (ShortAddresses(user: user), ResultPage())
            let listener = RedirectListener(port: sockets.port, arrivals: arrivals, shortAddresses: addresses)
            let router = RedirectRouter(
                paths: paths, acceptsForms: acceptsForms, shortAddresses: addresses, result: result,
                arrivals: continuation)
            return try await sockets.serve(router, patience, closing) { try await body(listener) }
        }
        throw NoFreePort(ports: ports)
    }

    /// The redirect address of a path, as it must be registered.
    public func redirectURI(path: String) -> String { "http://localhost:\(port)\(path)" }

    /// Makes a short address on this listener that leads to `url`, for the user's terminal: easy to open by hand, and
    /// known to no other user. With `once` it leads there once.
    public func printedAddress(for url: String, once: Bool) -> String {
        address(shortAddresses.add(url, once: once))
    }

    /// Makes a short address that leads to `url`, for the argument list of a program, which every user of this machine can
    /// read. It leads there once, and never a program of another user as far as the kernel tells whose it is. `report`
    /// gets what is wrong with a visit.
    public func argumentAddress(for url: String, report: @escaping @Sendable (Misuse) -> Void) -> String {
        address(shortAddresses.add(url, once: true, report: report))
    }

    /// Whether an address of an argument list was opened twice, the first time by an unknown user: the answer may be
    /// somebody else's.
    public var isExposed: Bool { shortAddresses.isExposed }

    /// Ends where the short addresses lead: the request behind them is answered.
    public func retireShortAddresses() { shortAddresses.retire() }

    private func address(_ path: String) -> String { "http://localhost:\(port)\(path)" }
}
