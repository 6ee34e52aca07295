internal import SusiPolicies

package enum TokenKind: String, CaseIterable, Sendable {
    case access
    case refresh
    case id
}

/// Everything that distinguishes two tokens: the key of the cache, and part of the additional data of an encrypted
/// token.
package struct TokenKey: Hashable, Sendable {
    /// The account: person, tenant, policy and client id.
    package let account: Account
    package let kind: TokenKind
    /// The requested scopes of an access token, or those that a refresh token is kept for; else empty.
    package let scopes: ScopeSet

    package static func access(_ account: Account, _ scopes: ScopeSet) -> TokenKey {
        TokenKey(account: account, kind: .access, scopes: scopes)
    }

    /// The key of the account's refresh token: of the latest one, or with `scopes` of one that is kept for them, because
    /// some services bind refresh tokens to the scopes of their sign-in (RFC 6749 section 6).
    package static func refresh(_ account: Account, _ scopes: ScopeSet = ScopeSet([])) -> TokenKey {
        TokenKey(account: account, kind: .refresh, scopes: scopes)
    }

    package static func id(_ account: Account) -> TokenKey {
        TokenKey(account: account, kind: .id, scopes: ScopeSet([]))
    }

    /// All parts, each after its length, so that different keys have different bytes.
    package var bytes: [UInt8] {
        let person = account.person
        return LengthPrefixed.bytes([
            "susi-token-1", person.tenant.origin, person.tenant.id, person.subject, account.policy.lowercased,
            account.clientID, kind.rawValue, scopes.description,
        ])
    }
}

/// Encodes texts so that different texts have different bytes.
package enum LengthPrefixed {
    /// Returns each part's UTF-8 after its length in four bytes.
    package static func bytes(_ parts: [String]) -> [UInt8] {
        parts.flatMap { part in
            let bytes = Array(part.utf8)
            return (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (24 - 8 * $0)) } + bytes
        }
    }
}
