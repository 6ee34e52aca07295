public import SusiOAuth

/// Facts about a stored token, without its secret. Times are in seconds since 1970.
public struct StoredTokenInfo: Hashable, Sendable {
    /// What it is.
    public let kind: TokenKind
    /// The scopes that were asked: the key. None for refresh and id tokens.
    public let scopes: ScopeSet
    /// The scopes that were granted. None for refresh and id tokens.
    public let granted: ScopeSet
    /// When it ends; nil when the server did not say.
    public let expiresOn: Int64?
    /// When the server would like it to be refreshed; nil when it did not say.
    public let refreshOn: Int64?
    /// When it was received.
    public let savedOn: Int64

    /// The times that ``SilentPlan`` decides by; `nil` for a token without an expiry time.
    public var facts: SilentPlan.AccessFacts? {
        expiresOn.map { SilentPlan.AccessFacts(expiresOn: $0, refreshOn: refreshOn) }
    }

    /// The requested scopes that were not granted.
    public var declined: ScopeSet { scopes.declined(granted: granted) }
}

/// A stored token, opened.
public struct StoredToken: Hashable, Sendable {
    /// The token.
    public let secret: String
    /// What is known of it.
    public let info: StoredTokenInfo
}
