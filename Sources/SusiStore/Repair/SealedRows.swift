import SusiOAuth
import SusiPolicies
import SusiSQLite

/// Every encrypted value of a database, one row at a time, with whether it can be decrypted.
struct SealedRows {
    let database: Connection
    let seal: Seal

    /// An account's claims.
    struct Claims {
        let id: Int64
        let account: Account
        let label: String
        /// Nil when they do not open.
        let text: String?
    }

    /// A token of an account.
    struct Token {
        let id: Int64
        let account: Int64
        let kind: TokenKind
        /// Whose it is, for a person.
        let owner: String
        let opens: Bool
    }

    /// A token of another library's cache.
    struct Imported {
        let id: Int64
        let label: String
        let opens: Bool
    }

    /// Whether anything opens; nil when nothing is sealed.
    func opensAnything() throws -> Bool? {
        struct Found: Error {}
        var answer: Bool?
        let look = { (opens: Bool) throws in
            answer = opens
            if opens { throw Found() }
        }
        do {
            try forEachClaims { try look($0.text != nil) }
            try forEachToken { try look($0.opens) }
            try forEachImported { try look($0.opens) }
        } catch is Found {}
        return answer
    }

    private static let owners = """
        JOIN persons AS p ON p.id = a.person
        JOIN tenants AS t ON t.id = p.tenant
        """

    /// Hands every account to `body`.
    func forEachClaims(_ body: (Claims) throws -> Void) throws {
        let sql = """
            SELECT t.origin, t.guid, p.subject, a.policy, a.client_id, a.id, p.label, a.key_id, a.claims
            FROM accounts AS a \(Self.owners) ORDER BY a.id
            """
        try database.forEach(sql) { row in
            let account = try AccountQuery.account(row)
            let sealed = Seal.Sealed(keyID: try row.blob(7), bytes: try row.blob(8))
            try body(
                Claims(
                    id: try row.integer(5), account: account, label: try row.text(6),
                    text: seal.open(sealed, .id(account), column: .claims)))
        }
    }

    /// Hands every token to `body`.
    func forEachToken(_ body: (Token) throws -> Void) throws {
        let sql = """
            SELECT t.origin, t.guid, p.subject, a.policy, a.client_id, a.id, p.label, k.id, k.kind, k.scopes, k.key_id,
                k.secret
            FROM tokens AS k JOIN accounts AS a ON a.id = k.account \(Self.owners) ORDER BY k.id
            """
        try database.forEach(sql) { row in
            let account = try AccountQuery.account(row)
            let kind = TokenKind(rawValue: try row.text(8)) ?? .access
            let sealed = Seal.Sealed(keyID: try row.blob(10), bytes: try row.blob(11))
            let key = TokenKey.of(kind, account, ScopeSet(text: try row.text(9)))
            try body(
                Token(
                    id: try row.integer(7), account: try row.integer(5), kind: kind,
                    owner: "\(try row.text(6)) under \(account.policy)",
                    opens: seal.open(sealed, key, column: .secret) != nil))
        }
    }

    /// Hands every imported token to `body`.
    func forEachImported(_ body: (Imported) throws -> Void) throws {
        try database.forEach(
            """
            SELECT origin, tenant_name, client_id, policy, home_uid, home_utid, id, label, key_id, secret
            FROM imported ORDER BY id
            """
        ) { row in
            let key = try ImportedToken.Key(row: row)
            let sealed = Seal.Sealed(keyID: try row.blob(8), bytes: try row.blob(9))
            try body(
                Imported(
                    id: try row.integer(6), label: "\(try row.text(7)) under \(key.policy)",
                    opens: seal.open(sealed, key) != nil))
        }
    }
}

extension ImportedToken.Key {
    /// The key in a row's first columns: origin, tenant, client id, policy and the two parts of the handle.
    init(row: borrowing Row) throws {
        self.init(
            scope: ApplicationScope(
                origin: try row.text(0), tenantName: try row.text(1), clientID: try row.text(2)),
            policy: PolicyName(try row.text(3)),
            home: HomeAccountID(uid: try row.text(4), utid: try row.text(5)))
    }
}
