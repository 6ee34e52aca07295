package import SusiOAuth
package import SusiPolicies
internal import SusiSQLite

extension AccountStore {
    /// Decrypts the token of a key; `nil` if there is none. Throws `.sealBroken` if it cannot be decrypted.
    package func secret(_ key: TokenKey) throws(StoreError) -> StoredToken? {
        let values = key.account.values + [.text(key.kind.rawValue), .text(key.scopes.description)]
        return try guarded {
            try database.first(TokenQuery.exact, values) { row in
                try token(row, of: key.account)
            }
        }
    }

    /// Returns `nil` also for a token that cannot be decrypted.
    func intactSecret(_ key: TokenKey) throws(StoreError) -> StoredToken? {
        do { return try secret(key) } catch {
            guard error.kind == .sealBroken else { throw error }
            return nil
        }
    }

    /// Returns an account's refresh token with this text, the latest one or one that is kept.
    func refreshToken(_ text: String, of account: Account) throws -> StoredTokenInfo? {
        try self.account(account, throwingDamage: false)?.tokens.first { info in
            try info.kind == .refresh && intactSecret(info.key(of: account))?.secret == text
        }
    }

    /// Returns the access token for these scopes of a policy's current account, expired or not; `nil` if there is no current
    /// account or no such token. One query and one decryption, because this is the fast path.
    package func cachedAccessToken(
        current policy: PolicyName, in registration: Registration, scopes: ScopeSet
    ) throws(StoreError) -> (account: Account, token: StoredToken)? {
        let values = registration.values(policy) + [.text(scopes.description)]
        return try guarded {
            try database.first(TokenQuery.currentAccess, values) { row in
                let account = try AccountQuery.account(row)
                return (account: account, token: try token(row, of: account))
            }
        }
    }

    private func token(_ row: borrowing Row, of account: Account) throws -> StoredToken {
        let info = try TokenQuery.info(row)
        guard let secret = try unseal(try Seal.Sealed(row, "secret"), .token(info.key(of: account))) else {
            throw StoreError(.sealBroken("\(info.kind.rawValue) token", account), folder.database)
        }
        return StoredToken(secret: secret, info: info)
    }
}

extension TokenKey {
    static func of(_ kind: TokenKind, account: Account, scopes: ScopeSet) -> TokenKey {
        switch kind {
        case .access: .access(account, scopes)
        case .refresh: .refresh(account, scopes)
        case .id: .id(account)
        }
    }
}

extension StoredTokenInfo {
    package func key(of account: Account) -> TokenKey { .of(kind, account: account, scopes: scopes) }
}

enum TokenQuery {
    /// An account's tokens without their secrets.
    static let ofAccount = """
        SELECT kind, scopes, granted, expires_on, refresh_on, saved_on FROM tokens
        WHERE account = ? ORDER BY kind, scopes
        """

    /// One token by its whole key.
    static let exact = """
        SELECT k.*
        FROM tenants AS t
            JOIN persons AS p ON p.tenant = t.id
            JOIN accounts AS a ON a.person = p.id
            JOIN tokens AS k ON k.account = a.id
        WHERE t.origin = ? AND t.guid = ? AND p.subject = ? AND a.client_id = ? AND a.policy_key = ?
            AND k.kind = ? AND k.scopes = ?
        """

    /// An access token of the current account, with the account. CROSS JOIN fixes the order of the tables, because
    /// finding an order would take the planner a measurable part of the fast path.
    static let currentAccess = """
        SELECT \(AccountQuery.identity), k.*
        FROM tenant_group_names AS n
            CROSS JOIN current_accounts AS s ON s.tenant_group = n.tenant_group
            CROSS JOIN accounts AS a ON a.id = s.account
            CROSS JOIN persons AS p ON p.id = a.person
            CROSS JOIN tenants AS t ON t.id = a.tenant
            CROSS JOIN tokens AS k ON k.account = a.id
        WHERE n.origin = ? AND n.name = ? AND s.client_id = ? AND s.policy_key = ? AND s.role = 'current'
            AND k.kind = 'access' AND k.scopes = ?
        """

    static func info(_ row: borrowing Row) throws -> StoredTokenInfo {
        guard let kind = TokenKind(rawValue: try row.text("kind")) else {
            throw SQLiteError(
                extendedCode: SQLiteError.Code.mismatch.rawValue, meaning: "datatype mismatch",
                message: "a token has an unknown kind")
        }
        return StoredTokenInfo(
            kind: kind, scopes: ScopeSet(text: try row.text("scopes")),
            granted: ScopeSet(text: try row.text("granted")), expiresOn: try row.optionalInteger("expires_on"),
            refreshOn: try row.optionalInteger("refresh_on"), savedOn: try row.integer("saved_on"))
    }
}
