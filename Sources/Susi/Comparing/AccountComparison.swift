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
    /// What a web API has to change.
    package let changes: [APIChange]

    package init(_ first: ComparedAccount, _ second: ComparedAccount) {
        self.first = first
        self.second = second
        idTokens = TokenComparison(first.idToken, second.idToken)
        accessTokens = TokenComparison(first.accessToken, second.accessToken)
        changes = APIChange.all(from: first, to: second)
    }

    /// Whether no claim that counts is different. Tokens that cannot be read on both sides are not compared.
    package var isSame: Bool { idTokens.isSame && accessTokens.isSame }
}

/// Two tokens of the same kind side by side.
package struct TokenComparison: Hashable, Sendable {
    package let first: ComparedToken
    package let second: ComparedToken
    /// The fields of the headers and the claims, each sorted by name; empty unless both tokens can be read.
    package let rows: [ClaimComparison]

    package init(_ first: ComparedToken, _ second: ComparedToken) {
        self.first = first
        self.second = second
        guard case .signed(let header, let claims) = first.content,
            case .signed(let otherHeader, let otherClaims) = second.content
        else {
            rows = []
            return
        }
        rows =
            ClaimComparison.rows(header, otherHeader, isHeader: true) + ClaimComparison.rows(claims, otherClaims)
    }

    package var isReadable: Bool { first.claims != nil && second.claims != nil }

    /// Whether no field that counts is different. A token that can be read differs from one that cannot.
    package var isSame: Bool {
        guard isReadable else { return first.form == second.form }
        return rows.allSatisfy { $0.state == .same || !$0.counts }
    }
}

extension ComparedToken {
    /// What can be read of a token.
    package enum Form: String, CaseIterable, Sendable {
        case missing
        /// Header and claims (RFC 7515).
        case jwt
        /// Only the header (RFC 7516).
        case encrypted
        /// Nothing: only the issuer and the audience can read it.
        case opaque
    }

    package var form: Form {
        switch content {
        case nil: .missing
        case .signed: .jwt
        case .encrypted: .encrypted
        case .opaque: .opaque
        }
    }
}
