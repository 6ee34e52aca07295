internal import SusiPolicies

/// What a stored token is.
public enum TokenKind: String, CaseIterable, Sendable {
    case access
    case refresh
    case id
}

/// Everything that tells two tokens apart: the key of the cache, and part of what a sealed token is bound to.
public struct TokenKey: Hashable, Sendable {
    /// Whose it is: person, tenant, policy and client id.
    public let account: Account
    /// What it is.
    public let kind: TokenKind
    /// The scopes of an access token; none for the other kinds.
    public let scopes: ScopeSet

    /// The key of an access token.
    public static func access(_ account: Account, _ scopes: ScopeSet) -> TokenKey {
        TokenKey(account: account, kind: .access, scopes: scopes)
    }

    /// The key of the account's refresh token. It is bound to the policy, not to scopes.
    public static func refresh(_ account: Account) -> TokenKey {
        TokenKey(account: account, kind: .refresh, scopes: ScopeSet([]))
    }

    /// The key of the account's id token.
    public static func id(_ account: Account) -> TokenKey {
        TokenKey(account: account, kind: .id, scopes: ScopeSet([]))
    }

    /// All parts, each with its length before it, so that no two keys share their bytes.
    public var bytes: [UInt8] {
        let person = account.person
        return LengthPrefixed.bytes([
            "susi-token-1", person.tenant.origin, person.tenant.id, person.subject, account.policy.lowercased,
            account.clientID, kind.rawValue, scopes.description,
        ])
    }
}

/// Texts as bytes that no other texts give.
public enum LengthPrefixed {
    /// Each part's UTF-8 with its length before it, in four bytes.
    public static func bytes(_ parts: [String]) -> [UInt8] {
        parts.flatMap { part in
            let bytes = Array(part.utf8)
            return (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (24 - 8 * $0)) } + bytes
        }
    }
}
