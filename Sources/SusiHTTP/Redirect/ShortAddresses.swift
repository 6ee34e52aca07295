import Synchronization

/// The short addresses of a listener. Each has a random path and redirects to one long address: other users of this
/// machine can reach the port, and could sign in there as another person.
final class ShortAddresses: Sendable {
    private struct Entry {
        /// The target; `nil` after it was used.
        var url: String?
        let servesOnce: Bool
        /// Receives suspicious requests; `nil` for an address that only the user's terminal shows.
        let report: (@Sendable (RedirectListener.Misuse) -> Void)?
        private var hasRefused = false
        /// Whether the first visitor was a program of this user; `nil` before the first visit.
        private(set) var wasOpenedByUser: Bool?
        private var wasOpenedAgain = false

        init(url: String, servesOnce: Bool, report: (@Sendable (RedirectListener.Misuse) -> Void)?) {
            (self.url, self.servesOnce, self.report) = (url, servesOnce, report)
        }

        /// Decides on the response and on a report; each kind is reported once. Root is not refused, because it may be
        /// a service that connects a remote browser to this machine.
        mutating func visit(by owner: ConnectionOwner, of user: UInt32?) -> (
            RedirectListener.Response, RedirectListener.Misuse?
        ) {
            if report != nil, let user, case .user(let visitor) = owner, visitor != user, visitor != 0 {
                defer { hasRefused = true }
                return (.page(.anotherUser), hasRefused ? nil : .refused(user: visitor))
            }
            // A client that has disconnected must not use up the address.
            if report != nil, owner == .closed { return (.page(.notFound), nil) }
            if let url {
                if servesOnce { self.url = nil }
                wasOpenedByUser = user.map { owner == .user($0) } ?? false
                return (.redirect(url), nil)
            }
            guard report != nil, let wasOpenedByUser, !wasOpenedAgain else { return (.page(.openedAlready), nil) }
            wasOpenedAgain = true
            return (.page(.openedAlready), .openedAgain(firstByUser: wasOpenedByUser))
        }
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var isExposed = false
    }

    private let user: UInt32?
    private let state = Mutex(State())

    /// Makes addresses for the programs of one user, if known.
    init(user: UInt32?) { self.user = user }

    /// Whether an address that the list of processes shows was opened twice, the first time by an unknown user.
    var isExposed: Bool { state.withLock { $0.isExposed } }

    /// Whether a visitor was redirected.
    var isOpened: Bool { state.withLock { $0.entries.values.contains { $0.wasOpenedByUser != nil } } }

    func add(
        _ url: String, once: Bool, report: (@Sendable (RedirectListener.Misuse) -> Void)? = nil
    ) -> String {
        let path = "/go/" + RandomPath.make()
        state.withLock { $0.entries[path] = Entry(url: url, servesOnce: once, report: report) }
        return path
    }

    /// Disables all addresses; their pages say so.
    func retire() {
        state.withLock { state in
            for path in state.entries.keys { state.entries[path]?.url = nil }
        }
    }

    /// Returns the response at a path and the report to send after it, which may end the listener; `nil` for any other
    /// path. `owner` finds the user at the other end of the connection.
    func visit(
        _ path: String, owner: () -> ConnectionOwner
    ) -> (response: RedirectListener.Response, report: @Sendable () -> Void)? {
        let report = state.withLock { $0.entries[path]?.report }
        let visitor = report == nil ? .unknown : owner()
        let outcome = state.withLock { state in
            let outcome = state.entries[path]?.visit(by: visitor, of: user)
            if case .openedAgain(firstByUser: false) = outcome?.1 { state.isExposed = true }
            return outcome
        }
        guard let (response, misuse) = outcome else { return nil }
        return (response, { if let misuse { report?(misuse) } })
    }
}

/// A random path component: 40 bits, easy to type.
enum RandomPath {
    private static let letters = Array("abcdefghjkmnpqrstuvwxyz23456789")

    static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return String((0..<8).compactMap { _ in letters.randomElement(using: &generator) })
    }
}
