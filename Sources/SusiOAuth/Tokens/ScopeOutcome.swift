/// What became of the scopes that were asked for.
public struct ScopeOutcome: Hashable, Sendable, CustomStringConvertible {
    /// The scopes that were granted, as the server names them.
    public let granted: ScopeSet
    /// The asked scopes that were not granted, as they were asked.
    public let declined: ScopeSet

    /// Compares what was asked with what was granted.
    public init(asked: ScopeSet, granted: ScopeSet) {
        self.init(granted: granted, declined: asked.declined(granted: granted))
    }

    /// Takes both lists.
    public init(granted: ScopeSet, declined: ScopeSet) {
        self.granted = granted
        self.declined = declined
    }

    /// Whether nothing is left of what was asked, but for the scopes of OpenID Connect.
    public func leavesNothing(of asked: ScopeSet) -> Bool {
        !declined.isEmpty && asked.subtracting(declined).subtracting(.openID).isEmpty
    }

    /// Both lists on one line.
    public var description: String {
        "declined: \(declined); granted: \(granted.isEmpty ? "none" : granted.description)"
    }
}
