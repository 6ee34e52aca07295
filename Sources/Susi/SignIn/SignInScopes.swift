import SusiOAuth
import SusiPolicies
import SusiStore

/// The scopes of a sign-in. One that names more scopes than the file adds them to those that the account was granted before;
/// any other one starts again from the file.
struct SignInScopes: Sendable {
    // The scopes of the file and of the request.
    private let named: WantedScopes
    // The account that probably signs in, if its earlier scopes are requested too.
    private let known: StoredAccount?
    private let startsAgain: Bool

    /// The scopes of a request, for the account that probably signs in.
    init(_ target: TokenTarget, _ request: SignInRequest, of account: StoredAccount?) {
        named = WantedScopes(target, beside: request.scopes)
        startsAgain = request.scopes.isEmpty
        known = startsAgain ? nil : account
    }

    init(exactly scopes: ScopeSet) {
        (named, known, startsAgain) = (WantedScopes(own: scopes, all: scopes), nil, false)
    }

    var asked: ScopeSet { added.all }

    private var added: WantedScopes {
        WantedScopes(own: named.own, all: known.map { named.union(with: $0.tokens) } ?? named.all)
    }

    /// Returns the scopes that count for the account that signed in. Those that another one was granted before were not meant
    /// for it.
    func wanted(by account: Account) -> WantedScopes { account == known?.account ? added : named }

    /// Whether a stored token, by the scopes of its request, has more scopes than the file names. It would bring them back.
    func isOutdated(_ scopes: ScopeSet) -> Bool {
        startsAgain && !named.own.isEmpty && scopes != named.own && scopes.contains(named.own)
    }
}
