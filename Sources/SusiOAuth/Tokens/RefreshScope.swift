package import SusiPolicies

/// The scopes of a refresh request, and those of its access token if the response names none (RFC 6749 sections 5.1 and
/// 6).
package struct RefreshScope: Hashable, Sendable {
    /// The scopes of the request; `nil` omits the parameter, which requests everything that was granted.
    package let asked: ScopeSet?
    /// The scopes of a response that names none.
    package let unsaid: ScopeSet

    /// Decides for an access token with the scopes `wanted`. `known` are the requested and the granted scopes of the
    /// account's access tokens.
    ///
    /// If a refresh token serves every API, the service returns an id token and the next refresh token only if their
    /// scopes are requested. Otherwise a refresh must not request more than was granted. Of the scopes of OpenID
    /// Connect, only `openid` is certain then, because the sign-in returned an id token; a request without scopes
    /// returns the others too.
    package init(_ wanted: ScopeSet, at kind: AuthorityKind, known: [(asked: ScopeSet, granted: ScopeSet)]) {
        if kind.traits.refreshServesEveryAPI {
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
