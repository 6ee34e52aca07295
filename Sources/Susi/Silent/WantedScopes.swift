package import SusiOAuth
import SusiPolicies
import SusiStore

/// The scopes of a requested access token.
package struct WantedScopes: Hashable, Sendable {
    /// The scopes of the API or the policy alone.
    let own: ScopeSet
    /// These scopes and those that the caller added.
    let all: ScopeSet

    init(own: ScopeSet, all: ScopeSet) {
        self.own = own
        self.all = all
    }

    package init(exactly scopes: ScopeSet) { self.init(own: scopes, all: scopes) }

    /// The scopes of a target and `more`; the target's fallback if both are empty.
    init(_ target: TokenTarget, beside more: [String] = []) {
        let scopes = target.scopes + more
        self.init(own: ScopeSet(target.scopes), all: ScopeSet(scopes.isEmpty ? target.fallbackScopes : scopes))
    }

    /// Returns the scopes under which a token is also stored: those of the request, and the API's own scopes if the token has
    /// all of them. Then the API's next request gets this token.
    func keys(for token: TokenGrant.AccessToken) -> Set<ScopeSet> {
        !own.isEmpty && token.serves(own) ? [all, own] : [all]
    }

    /// Returns whether a request had more scopes than the API's own.
    func isExceeded(by scopes: ScopeSet) -> Bool { !own.isEmpty && scopes != own && scopes.contains(own) }

    /// Returns the scopes of a refresh: the wanted ones, and those that were requested for the same API before. Only scopes that
    /// the API's latest token has count, so that fewer are requested after a consent was withdrawn.
    func union(with tokens: [StoredTokenInfo]) -> ScopeSet {
        let access = tokens.filter { $0.kind == .access }
        guard !own.isEmpty, let latest = access.first(where: { $0.scopes == own }) else { return all }
        return access.filter { $0.scopes.contains(own) && latest.serves($0.scopes) }.reduce(all) { $0.union($1.scopes) }
    }
}

extension Application {
    /// The name of the API with these scopes; `nil` if several have them, or none.
    func api(of scopes: ScopeSet) -> String? {
        let found = apis.filter { !$0.scopes.isEmpty && ScopeSet($0.scopes) == scopes }
        return found.count == 1 ? found.first?.name : nil
    }
}

extension StoredTokenInfo {
    /// Whether none of the wanted scopes of an API was granted.
    func leavesNothing(of wanted: ScopeSet) -> Bool {
        ScopeOutcome(asked: wanted, granted: granted).leavesNothing(of: wanted)
    }

    func serves(_ wanted: ScopeSet) -> Bool { granted.serves(wanted, asked: scopes) }
}
