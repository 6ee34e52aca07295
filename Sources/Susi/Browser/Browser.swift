/// A browser that shows an address to the person.
public protocol Browser: Sendable {
    /// Whether the person cannot open the address in another way: then a failure ends the sign-in.
    var isOnlyWay: Bool { get }
    /// Opens the address; it may return before the person is done. Throws what was tried and why it failed, for instance
    /// with ``SusiError/Code/failed``.
    func open(_ url: String) async throws(SusiError)
}

extension Browser {
    /// Whether it shows its pages in the terminal: then nothing else is printed there until the person leaves it.
    package var occupiesTerminal: Bool { (self as? SystemBrowser)?.isTextBrowser ?? false }
}
