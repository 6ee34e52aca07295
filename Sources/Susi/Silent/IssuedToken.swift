public import SusiOAuth
package import SusiPolicies
public import SusiStore

/// Conditions on a token.
public struct TokenRequestOptions: Hashable, Sendable {
    /// Seconds for which it must still be valid; `nil` refreshes shortly before its end if that is possible.
    package var minimum: Int64?
    /// Whether the cache is skipped.
    package var forcesRefresh: Bool
    /// Scopes that the token must have in addition to those of the API.
    package var scopes: [String]
    /// The requested token: an access token or an ID token.
    var kind = TokenKind.access

    /// Makes options; by default a cached token is used until shortly before its end.
    public init(minimum: Int64? = nil, forcesRefresh: Bool = false, scopes: [String] = []) {
        self.minimum = minimum
        self.forcesRefresh = forcesRefresh
        self.scopes = scopes
    }
}

/// An access token, or an ID token, with its account.
public struct IssuedToken: Sendable {
    /// The token. It is a secret.
    public let secret: String
    /// Its requested scopes and its times.
    package let info: StoredTokenInfo
    /// The expiry time in seconds since 1970; `nil` if the server did not send it.
    public var expiresOn: Int64? { info.expiresOn }
    /// The account that it was issued for.
    public let account: StoredAccount
    /// The policy under which it was issued.
    package let policy: Policy
    /// The granted scopes, and the requested ones that were declined.
    public let scopes: ScopeOutcome
    let wanted: WantedScopes
}

/// A description of what a token request would do.
package struct TokenPreview: Sendable {
    package let account: StoredAccount
    package let policy: Policy
    package let plan: SilentPlan
    /// The token in the store, expired or not.
    package let cached: StoredTokenInfo?
}
