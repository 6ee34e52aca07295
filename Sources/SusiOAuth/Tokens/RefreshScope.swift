public import SusiPolicies

/// What a refresh asks, and what its access token may do when the answer does not say (RFC 6749 sections 5.1 and 6).
public struct RefreshScope: Hashable, Sendable {
    /// The scopes of the request; nil leaves them out, which asks for all that was granted.
    public let asked: ScopeSet?
    /// The scopes that an answer without any grants.
    public let unsaid: ScopeSet

    /// Decides for an access token of the scopes `wanted`. `known` are the account's access tokens: what each was asked
    /// for, and what it was granted.
    ///
    /// Microsoft's services give an id token and the next refresh token only when these are asked for, and one refresh
    /// token serves every API of the application. Elsewhere nothing may be asked that the sign-in was not granted. Of that,
    /// `openid` alone is certain, since an id token came; what else there is of its kind comes back when nothing is asked.
    public init(_ wanted: ScopeSet, at kind: AuthorityKind, known: [(asked: ScopeSet, granted: ScopeSet)]) {
        if kind.refreshServesEveryAPI {
            (asked, unsaid) = (wanted.union(.openID), wanted)
            return
        }
        let granted = known.first { $0.asked == wanted }?.granted
        unsaid = granted ?? wanted
        // One token may be stored for several requests.
        let isAll = wanted.isEmpty || granted != nil && known.allSatisfy { $0.granted == granted }
        asked = isAll ? nil : unsaid.union(ScopeSet(["openid"]))
    }
}
