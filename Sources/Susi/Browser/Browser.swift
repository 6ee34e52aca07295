/// A browser that shows an address to the person.
public protocol Browser: Sendable {
    /// Whether the person cannot open the address in another way: then a failure ends the sign-in.
    var isOnlyWay: Bool { get }
    /// Whether it shows its pages in the terminal: then nothing else is printed there until the person leaves it.
    var occupiesTerminal: Bool { get }
    /// Opens the address; it may return before the person is done.
    func open(_ url: String) async throws(BrowserFailure)
}

extension Browser {
    /// By default `false`: most browsers have their own window.
    public var occupiesTerminal: Bool { false }
}

/// Why no browser opened the address.
public struct BrowserFailure: Error, Hashable, Sendable {
    /// What was tried and failed, for people: clauses without a full stop.
    public let reason: String

    /// Makes a failure.
    public init(reason: String) { self.reason = reason }
}
