import SusiOAuth
import SusiPolicies
import SusiStore

/// The scopes of an access token that is asked for.
struct WantedScopes: Hashable, Sendable {
    /// The scopes of the API or the policy alone.
    let own: ScopeSet
    /// All of them, with those that were asked for beside.
    let all: ScopeSet

    init(own: ScopeSet, all: ScopeSet) {
        self.own = own
        self.all = all
    }

    /// The scopes of a target, with `more` beside; the target's fallback if both are empty.
    init(_ target: TokenTarget, beside more: [String] = []) {
        let scopes = target.scopes + more
        self.init(own: ScopeSet(target.scopes), all: ScopeSet(scopes.isEmpty ? target.fallbackScopes : scopes))
    }

    /// What a token is stored under beside its own key: the request that it answers, and the API's own scopes where it has
    /// them all. So the API's next token is the larger one.
    func keys(for token: TokenGrant.AccessToken) -> Set<ScopeSet> {
        !own.isEmpty && token.serves(own) ? [all, own] : [all]
    }

    /// What a refresh asks for: what is wanted, and what was asked for the same API before. Only what the API's latest token
    /// was granted counts, so that a sign-in after a withdrawn consent asks for less again.
    func union(with tokens: [StoredTokenInfo]) -> ScopeSet {
        let access = tokens.filter { $0.kind == .access }
        guard !own.isEmpty, let latest = access.first(where: { $0.scopes == own }) else { return all }
        return access.filter { $0.scopes.contains(own) && latest.serves($0.scopes) }.reduce(all) { $0.union($1.scopes) }
    }
}

extension StoredTokenInfo {
    /// Whether the token serves a request for these scopes.
    func serves(_ wanted: ScopeSet) -> Bool { granted.serves(wanted, asked: scopes) }
}
