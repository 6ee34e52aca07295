/// Something that takes a person to an address.
public protocol Browser: Sendable {
    /// Whether nobody else could open the address: a failure then ends the sign-in.
    var isOnlyWay: Bool { get }
    /// Whether it shows its pages on the terminal: the person then leaves it before anything else is said there.
    var occupiesTerminal: Bool { get }
    /// Opens the address; it may return before the person is done.
    func open(_ url: String) async throws(BrowserFailure)
}

extension Browser {
    /// Most have a window of their own.
    public var occupiesTerminal: Bool { false }
}

/// Why no browser took the address.
public struct BrowserFailure: Error, Hashable, Sendable {
    /// The reason, for a person.
    public let reason: String

    /// Makes a failure.
    public init(reason: String) { self.reason = reason }
}
