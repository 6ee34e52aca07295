package import SusiOAuth

/// Facts about a stored token, without its secret. Times are in seconds since 1970.
package struct StoredTokenInfo: Hashable, Sendable {
    package let kind: TokenKind
    /// The requested scopes, or those that a refresh token is kept for; part of the key. Empty for the latest refresh token
    /// and the ID token.
    package let scopes: ScopeSet
    /// The granted scopes, or those that the sign-in of a refresh token requested. Empty for ID tokens.
    package let granted: ScopeSet
    /// The expiry time; `nil` if the server did not send it.
    package let expiresOn: Int64?
    /// The time from which the server recommends a refresh; `nil` if it did not send it.
    package let refreshOn: Int64?
    /// The time of the response.
    package let savedOn: Int64

    /// The times that ``SilentPlan`` decides by; `nil` for a token without an expiry time.
    package var facts: SilentPlan.AccessFacts? {
        expiresOn.map { SilentPlan.AccessFacts(expiresOn: $0, refreshOn: refreshOn) }
    }

    /// Whether it is a refresh token that may bring an access token with these scopes: the latest one, or one that is kept for
    /// them.
    package func refreshes(_ wanted: ScopeSet) -> Bool {
        kind == .refresh && (scopes.isEmpty || !wanted.isEmpty && scopes.contains(wanted))
    }

    /// The requested scopes that were not granted.
    package var declined: ScopeSet { scopes.declined(granted: granted) }
}

/// A decrypted token.
package struct StoredToken: Hashable, Sendable {
    package let secret: String
    package let info: StoredTokenInfo
}
