/// The result of a request for scopes.
public struct ScopeOutcome: Hashable, Sendable, CustomStringConvertible {
    /// The granted scopes, as the server spells them.
    public let granted: ScopeSet
    /// The requested scopes that were not granted, as requested.
    public let declined: ScopeSet

    package init(asked: ScopeSet, granted: ScopeSet) {
        self.init(granted: granted, declined: asked.declined(granted: granted))
    }

    package init(granted: ScopeSet, declined: ScopeSet) {
        self.granted = granted
        self.declined = declined
    }

    /// Whether no scope was granted except those of OpenID Connect.
    package func leavesNothing(of asked: ScopeSet) -> Bool {
        !declined.isEmpty && asked.subtracting(declined).subtracting(.openID).isEmpty
    }

    /// Both lists on one line.
    public var description: String {
        "declined: \(declined); granted: \(granted.isEmpty ? "none" : granted.description)"
    }
}
