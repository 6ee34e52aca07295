package import Susi

/// One side of a comparison: an account with the content of its stored tokens, without the tokens themselves.
package struct ComparedAccount: Sendable {
    package let account: StoredAccount
    package let application: Application
    /// The address of the OpenID configuration, by the rules of the authority's kind.
    package let configuration: Endpoint
    /// The address of the signing keys from the stored configuration; `nil` if none is stored.
    package let keys: Endpoint?
    /// The newest ID token; `nil` if none is stored.
    package let idToken: DecodedToken?
    /// The newest access token, expired or not; `nil` if none is stored.
    package let accessToken: DecodedToken?
}

/// The stored tokens of two accounts side by side, and what programs that read the first account's tokens have to change for
/// those of the second one.
///
/// It is made of stored values alone: nothing is requested, and no signature is checked.
package struct AccountComparison: Sendable {
    package let first: ComparedAccount
    package let second: ComparedAccount
    package let idTokens: TokenComparison
    /// The newest access tokens.
    package let accessTokens: TokenComparison
    /// The rules that an API which accepts the first account's tokens has to change for those of the second one.
    package let rules: [APIRule]

    package init(_ first: ComparedAccount, _ second: ComparedAccount) {
        self.first = first
        self.second = second
        idTokens = TokenComparison(first.idToken, second.idToken)
        accessTokens = TokenComparison(first.accessToken, second.accessToken)
        rules = Self.rules(first, second)
    }

    /// Whether no claim that counts is different. Tokens that cannot be read on both sides are not compared.
    package var isSame: Bool { idTokens.isSame && accessTokens.isSame }
}

/// Two tokens of the same kind side by side.
package struct TokenComparison: Hashable, Sendable {
    package let first: DecodedToken?
    package let second: DecodedToken?
    /// The claims by name, those that count first; `nil` unless both tokens can be read.
    package let claims: [ClaimComparison]?

    init(_ first: DecodedToken?, _ second: DecodedToken?) {
        (self.first, self.second) = (first, second)
        guard case .signed(_, let claims) = first, case .signed(_, let others) = second else {
            self.claims = nil
            return
        }
        let rows = Set((claims.members + others.members).map(\.name)).sorted().map { name in
            let value = { (node: JSONNode) in node.members.first { $0.name == name }?.node }
            return ClaimComparison(name: name, first: value(claims), second: value(others))
        }
        self.claims = rows.filter(\.counts) + rows.filter { !$0.counts }
    }

    /// Whether no claim that counts is different. A token that can be read differs from one that cannot.
    package var isSame: Bool {
        claims.map { $0.allSatisfy { $0.isSame || !$0.counts } } ?? (first?.form == second?.form)
    }
}

extension DecodedToken {
    /// What can be read of the token: `jwt`, of an `encrypted` one only the header, of an `opaque` one nothing.
    package var form: String {
        switch self {
        case .signed: "jwt"
        case .encrypted: "encrypted"
        case .opaque: "opaque"
        }
    }
}
