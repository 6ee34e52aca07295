public import SusiOAuth
public import SusiPolicies
internal import SusiSQLite

extension AccountStore {
    /// Keeps tokens of another library's cache, all in one transaction, and says of each what became of it.
    public func keepImported(
        _ tokens: [(token: ImportedToken, secret: String)]
    ) throws(StoreError) -> [ImportOutcome] {
        let outcomes = try write {
            try tokens.map { token, secret in
                let outcome = try importOutcome(token, secret)
                if outcome == .added || outcome == .replaced { try insert(token, secret) }
                return outcome
            }
        }
        if outcomes.contains(.replaced) { _ = emptyLog() }
        return outcomes
    }

    /// What `keepImported` would do with a token.
    public func outcomeOfImporting(_ token: ImportedToken, secret: String) throws(StoreError) -> ImportOutcome {
        try guarded { try importOutcome(token, secret) }
    }

    /// The imported tokens of a scope that wait for their first use, of one policy or of all, by label.
    public func imported(
        in scope: ApplicationScope, policy: PolicyName? = nil
    ) throws(StoreError) -> [ImportedToken] {
        try guarded {
            try database.rows(ImportQuery.list(onePolicy: policy != nil), ImportQuery.values(scope, policy)) { row in
                try ImportQuery.token(row, scope)
            }
        }
    }

    /// How many imported tokens of a policy wait for their first use.
    public func importedCount(in scope: ApplicationScope, policy: PolicyName) throws(StoreError) -> Int {
        try guarded {
            let count = try database.first(ImportQuery.count, ImportQuery.values(scope, policy)) { try $0.integer(0) }
            return Int(count ?? 0)
        }
    }

    /// The refresh token of an imported row, opened; nil when it is gone, because it was used or removed.
    public func importedSecret(_ key: ImportedToken.Key) throws(StoreError) -> String? {
        try guarded {
            try database.first(ImportQuery.secret, key.values) { row in
                let sealed = Seal.Sealed(keyID: try row.blob(0), bytes: try row.blob(1))
                guard let secret = try unseal(sealed, { $0.open(sealed, key) }) else {
                    throw StoreError.sealBroken(key, folder)
                }
                return secret
            }
        }
    }

    /// Puts the account of a checked grant in the place of the imported token that brought it, in one transaction.
    /// `alone` are the scopes in which nobody else may have an account, as in ``save(_:in:authority:makeCurrent:alone:)``.
    public func adopt(
        _ grant: TokenGrant, inPlaceOf key: ImportedToken.Key, authority: String, makeCurrent: Bool,
        alone: Set<ApplicationScope> = []
    ) throws(StoreError) {
        try write {
            // A sign-out may have been faster: what it removed does not come back.
            guard try importedSecret(key) != nil else { throw StoreError.missing(grant.account, folder) }
            try keep(grant, in: key.scope, authority: authority, makeCurrent: makeCurrent, alone: alone)
            try database.execute(ImportQuery.delete, key.values)
        }
        _ = emptyLog()
    }

    /// Removes an imported token; false when there is none. With `ifStill`, only while it is that one.
    @discardableResult
    public func removeImported(_ key: ImportedToken.Key, ifStill secret: String? = nil) throws(StoreError) -> Bool {
        let isGone = try write {
            folder.removeLeftovers()
            if let secret, try importedSecret(key) != secret { return false }
            return try database.execute(ImportQuery.delete, key.values) == 1
        }
        if isGone { _ = emptyLog() }
        return isGone
    }

    /// A sign-in brought the account that an imported token was for: the token has nothing left to do.
    func dropImported(for grant: TokenGrant) throws {
        let home = ImportedToken.Key.canonical(grant.homeAccountID)
        try database.execute(
            ImportQuery.deleteOfAccount,
            [
                .text(grant.scopeOrigin), .text(grant.tenantName), .text(grant.account.clientID),
                .text(grant.account.policy.lowercased), .text(grant.account.person.subject), .text(home.uid),
                .text(home.utid),
            ])
    }

    func importOutcome(_ token: ImportedToken, _ secret: String) throws -> ImportOutcome {
        if try hasRefreshToken(token) { return .known }
        do {
            guard let stored = try importedSecret(token.key) else { return .added }
            return stored == secret ? .unchanged : .replaced
        } catch  where error.kind == .sealBroken {
            // What cannot be opened any more is no loss.
            return .replaced
        }
    }

    // By the object id, which an index finds; a cache without one may name an account that is here already, and then
    // the first use shows it.
    private func hasRefreshToken(_ token: ImportedToken) throws -> Bool {
        let scope = token.key.scope
        let subjects = Set([token.subject, token.key.home.objectID].compactMap(\.self))
        return try subjects.contains { subject in
            try database.first(
                ImportQuery.known,
                [
                    .text(scope.origin), .text(scope.tenantName), .text(subject), .text(scope.clientID),
                    .text(token.key.policy.lowercased),
                ]
            ) { row in try row.integer(0) } != nil
        }
    }

    func insert(_ token: ImportedToken, _ secret: String) throws {
        let sealed = try currentSeal().seal(secret, token.key)
        try database.execute(
            ImportQuery.insert,
            token.key.values + [
                .text(token.key.policy.spelling), .text(orNull: token.subject), .text(token.label), .text(token.source),
                .integer(token.importedOn), .blob(sealed.keyID), .blob(sealed.bytes),
            ])
    }
}

extension ImportedToken.Key {
    /// The values of a query for exactly this one.
    fileprivate var values: [Value] {
        ImportQuery.values(scope, policy) + [.text(home.uid), .text(home.utid)]
    }
}

extension StoreError {
    static func sealBroken(_ key: ImportedToken.Key, _ folder: StoreFolder) -> StoreError {
        StoreError(
            .sealBroken, path: folder.database,
            what: "the imported token of \(key.home) under \(key.policy) cannot be decrypted",
            why: "it was changed, moved, or encrypted with another key",
            next: "import the cache again, or \(intent: .signIn(key.policy))")
    }
}

/// The queries over imported tokens.
enum ImportQuery {
    private static let here = " WHERE origin = ? AND tenant_name = ? AND client_id = ?"
    private static let exactly = here + " AND policy_key = ? AND home_uid = ? AND home_utid = ?"
    static let secret = "SELECT key_id, secret FROM imported" + exactly
    static let count = "SELECT count(*) FROM imported" + here + " AND policy_key = ?"
    static let delete = "DELETE FROM imported" + exactly
    static let deleteOfAccount =
        "DELETE FROM imported" + here + " AND policy_key = ? AND (subject = ? OR home_uid = ? AND home_utid = ?)"

    static let known = """
        SELECT 1
        FROM audience_names AS n
            JOIN audience_tenants AS m ON m.audience = n.audience
            JOIN persons AS p ON p.tenant = m.tenant
            JOIN accounts AS a ON a.person = p.id
            JOIN tokens AS k ON k.account = a.id AND k.kind = 'refresh'
        WHERE n.origin = ? AND n.name = ? AND p.subject = ? AND a.client_id = ? AND a.policy_key = ?
        """

    static let insert = """
        INSERT INTO imported
            (origin, tenant_name, client_id, policy_key, home_uid, home_utid, policy, subject, label, source, imported_on,
            key_id, secret)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (origin, tenant_name, client_id, policy_key, home_uid, home_utid) DO UPDATE SET
            policy = excluded.policy, subject = excluded.subject, label = excluded.label, source = excluded.source,
            imported_on = excluded.imported_on, key_id = excluded.key_id, secret = excluded.secret
        """

    static func list(onePolicy: Bool) -> String {
        "SELECT policy, home_uid, home_utid, subject, label, source, imported_on FROM imported" + here
            + (onePolicy ? " AND policy_key = ?" : "") + " ORDER BY label, home_uid, policy_key"
    }

    static func values(_ scope: ApplicationScope, _ policy: PolicyName?) -> [Value] {
        [.text(scope.origin), .text(scope.tenantName), .text(scope.clientID)]
            + (policy.map { [.text($0.lowercased)] } ?? [])
    }

    static func token(_ row: borrowing Row, _ scope: ApplicationScope) throws -> ImportedToken {
        ImportedToken(
            key: ImportedToken.Key(
                scope: scope, policy: PolicyName(try row.text(0)),
                home: HomeAccountID(uid: try row.text(1), utid: try row.text(2))),
            subject: try row.optionalText(3), label: try row.text(4), source: try row.text(5),
            importedOn: try row.integer(6))
    }
}
