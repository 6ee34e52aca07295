import NIOCore
import NIOHTTP1
import NIOPosix
import SusiBase
package import SusiPolicies

/// Listens on the loopback interface for the redirect of the browser (RFC 8252 section 7.3).
///
/// Each request waits for its response, so that the page in the browser can show the result of the sign-in.
package struct RedirectListener: Sendable {
    package let port: UInt16
    private let host: RedirectHost
    /// The requests to one of the redirect paths, in order.
    package let arrivals: AsyncStream<Arrival>
    private let shortAddresses: ShortAddresses

    /// A request to a redirect path, waiting for its response.
    package struct Arrival: Sendable {
        package let path: String
        /// The form-encoded parameters: the query without the question mark, or the body of a form.
        package let fields: String
        /// The details of a posted form; `nil` for a query.
        package let form: FormPost?
        let reply: AsyncStream<Response>.Continuation
        let written: AsyncStream<Never>

        /// Responds, once, and returns when the response is written or the browser has disconnected.
        package func respond(_ response: Response) async {
            reply.yield(response)
            reply.finish()
            for await _ in written {}
        }
    }

    /// A form that the browser posted for a page (OAuth 2.0 Form Post Response Mode).
    package struct FormPost: Hashable, Sendable {
        /// The page's origin in the request (RFC 6454 section 7): `null` if the page hides its address, `nil` without
        /// the header.
        package let origin: String?
    }

    package enum Response: Hashable, Sendable {
        /// A page at the requested address.
        case page(Page)
        /// The page at the end of the flow: the browser is redirected to its own address, where it is served once.
        case result(Page)
        /// A redirect in the same window.
        case redirect(String)
    }

    /// A suspicious request for a short address that the list of processes shows.
    package enum Misuse: Hashable, Sendable {
        /// A program of another user was refused.
        case refused(user: UInt32)
        /// It was opened a second time and refused; the value tells whether the first visitor is known to be this user.
        case openedAgain(firstByUser: Bool)
    }

    package struct NoFreePort: Error, Hashable, Sendable {
        /// The ports in the order in which they were tried.
        package let ports: [UInt16]
    }

    /// This machine lacks the loopback address of the redirect host.
    package struct MissingAddress: Error, Hashable, Sendable { package let host: RedirectHost }

    /// Runs the work that keeps the listener open after the flow until the browser has the result page.
    package typealias Closing = @Sendable (_ work: @escaping @Sendable () async -> Void) async -> Void

    /// The time limit for the browser to load the result page.
    package static let usualPatience = Duration.seconds(10)

    /// Binds the first free port of `ports` on the addresses of `host`, of which ::1 may be missing for `localhost`, listens
    /// while `body` runs, and then frees the port. Port 0 is any free one. Responses are accepted in the query; with `acceptsForms` also in the
    /// body of a form. `user` is the user of the browser, if known.
    ///
    /// If `body` responded with a result page, the port stays open until the browser has loaded it, for at most
    /// `patience`. `closing` runs that work; by default this function waits. A command prints its result meanwhile.
    /// `noteNoResponse` is called after each request to a redirect path without a response.
    package static func with<T: Sendable>(
        ports: [UInt16], host: RedirectHost = .name, paths: Set<String>, acceptsForms: Bool = false,
        user: UInt32? = nil,
        patience: Duration = usualPatience, closing: Closing = { await $0() },
        noteNoResponse: @escaping @Sendable () -> Void = {},
        _ body: (RedirectListener) async throws -> T
    ) async throws -> T {
        // A port that is free on one address may be in use on the other; then another one is tried.
        for port in ports.flatMap({ port -> [UInt16] in port == 0 ? Array(repeating: 0, count: 10) : [port] }) {
            guard let sockets = try await LoopbackSockets.bind(port: port, host: host) else { continue }
            let (arrivals, continuation) = AsyncStream<Arrival>.makeStream()
            let (addresses, result) = (ShortAddresses(user: user), ResultPage())
            let listener = RedirectListener(
                port: sockets.port, host: host, arrivals: arrivals, shortAddresses: addresses)
            let router = RedirectRouter(
                paths: paths, acceptsForms: acceptsForms, shortAddresses: addresses, result: result,
                arrivals: continuation, noteNoResponse: noteNoResponse)
            return try await sockets.serve(router, patience: patience, closing: closing) { try await body(listener) }
        }
        throw NoFreePort(ports: ports)
    }

    /// Returns the redirect address of a path, as it must be registered.
    package func redirectURI(path: String) -> String { address(path) }

    /// Makes a short address that redirects to `url`, for the user's terminal: easy to type and unknown to other users.
    /// With `once` it redirects once.
    package func printedAddress(for url: String, once: Bool) -> String {
        address(shortAddresses.add(url, once: once))
    }

    /// Makes a short address that redirects to `url`, for the argument list of a program, which every user of this
    /// machine can read. It redirects once, and not for a program of another user if the kernel identifies it. `report`
    /// receives suspicious requests.
    package func argumentAddress(for url: String, report: @escaping @Sendable (Misuse) -> Void) -> String {
        address(shortAddresses.add(url, once: true, report: report))
    }

    /// Whether an address in an argument list was opened twice, the first time by an unknown user, so that the response
    /// may be from another person.
    package var isExposed: Bool { shortAddresses.isExposed }

    /// Whether a browser followed a short address.
    package var isOpened: Bool { shortAddresses.isOpened }

    /// Disables the short addresses after the response to their request.
    package func retireShortAddresses() { shortAddresses.retire() }

    private func address(_ path: String) -> String { "http://\(host.rawValue):\(port)\(path)" }
}
