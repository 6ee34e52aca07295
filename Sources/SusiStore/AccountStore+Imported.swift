package import SusiOAuth
package import SusiPolicies
internal import SusiSQLite

extension AccountStore {
    /// Stores tokens of another library's cache, all in one transaction. Returns the outcome for each.
    package func keepImported(
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

    /// Returns the outcome that `keepImported` would have for a token.
    package func outcomeOfImporting(_ token: ImportedToken, secret: String) throws(StoreError) -> ImportOutcome {
        try guarded { try importOutcome(token, secret) }
    }

    /// Returns the imported tokens of a scope that were not used yet, of one policy or of all, sorted by label.
    package func imported(
        in scope: ApplicationScope, policy: PolicyName? = nil
    ) throws(StoreError) -> [ImportedToken] {
        try guarded {
            try database.rows(ImportQuery.list(onePolicy: policy != nil), ImportQuery.values(scope, policy)) { row in
                try ImportedToken(row, scope: scope)
            }
        }
    }

    /// Decrypts the refresh token of an imported row; `nil` if it was used or removed. Throws `.sealBroken` if it cannot be
    /// decrypted.
    package func importedSecret(_ key: ImportedToken.Key) throws(StoreError) -> String? {
        try guarded {
            try database.first(ImportQuery.secret, key.values) { row in
                guard let secret = try unseal(try Seal.Sealed(row, "secret"), .imported(key)) else {
                    throw StoreError.sealBroken(key, folder)
                }
                return secret
            }
        }
    }

    /// Replaces an imported token with the account of the checked grant that it was redeemed for, in one transaction.
    /// `alone` are the accounts that no other person may have, as in ``save(_:in:authority:makeCurrent:alone:)``.
    package func adopt(
        _ grant: TokenGrant, inPlaceOf key: ImportedToken.Key, authority: String, makeCurrent: Bool,
        alone: ExclusiveAccounts = .none
    ) throws(StoreError) {
        try write {
            // A token that a sign-out removed meanwhile is not restored.
            guard try importedSecret(key) != nil else { throw StoreError.missing(grant.account, folder) }
            try keep(grant, in: key.scope, authority: authority, makeCurrent: makeCurrent, alone: alone)
            try database.execute(ImportQuery.delete, key.values)
        }
        _ = emptyLog()
    }

    /// Removes an imported token; with `ifStill`, only if it has this secret. Returns whether a token was removed.
    @discardableResult
    package func removeImported(_ key: ImportedToken.Key, ifStill secret: String? = nil) throws(StoreError) -> Bool {
        let isGone = try write {
            folder.removeLeftovers()
            if let secret, try importedSecret(key) != secret { return false }
            return try database.execute(ImportQuery.delete, key.values) == 1
        }
        if isGone { _ = emptyLog() }
        return isGone
    }

    /// Removes the imported token of an account that has signed in.
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
            // A token that cannot be decrypted is no loss.
            return .replaced
        }
    }

    // Searches by the object id, which has an index. A cache without one may name an account that exists already; the first
    // use of the token shows that.
    private func hasRefreshToken(_ token: ImportedToken) throws -> Bool {
        let scope = token.key.scope
        let subjects = Set([token.subject, token.key.home.objectID].compactMap(\.self))
        return try subjects.contains { subject in
            try database.hasRow(
                ImportQuery.known,
                [
                    .text(scope.origin), .text(scope.tenantName), .text(subject), .text(scope.clientID),
                    .text(token.key.policy.lowercased),
                ])
        }
    }

    func insert(_ token: ImportedToken, _ secret: String) throws {
        let (key, sealed) = (token.key, try currentSeal().seal(secret, .imported(token.key)))
        let row: ColumnValues =
            [
                "origin": .text(key.scope.origin), "tenant_name": .text(key.scope.tenantName),
                "client_id": .text(key.scope.clientID), "policy_key": .text(key.policy.lowercased),
                "home_uid": .text(key.home.uid), "home_utid": .text(key.home.utid),
                "policy": .text(key.policy.spelling), "subject": .text(orNull: token.subject),
                "label": .text(token.label), "source": .text(token.source), "imported_on": .integer(token.importedOn),
            ]
        try upsert(
            "imported", key: ["origin", "tenant_name", "client_id", "policy_key", "home_uid", "home_utid"],
            row + sealed.columns("secret"))
    }
}

extension ImportedToken.Key {
    /// The values of a query for exactly this token.
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

    static func list(onePolicy: Bool) -> String {
        "SELECT * FROM imported" + here
            + (onePolicy ? " AND policy_key = ?" : "") + " ORDER BY label, home_uid, policy_key"
    }

    static func values(_ scope: ApplicationScope, _ policy: PolicyName?) -> [Value] {
        [.text(scope.origin), .text(scope.tenantName), .text(scope.clientID)]
            + (policy.map { [.text($0.lowercased)] } ?? [])
    }
}

extension ImportedToken {
    /// Reads the token from a row, without its secret. `scope` has more facts about the scope than the row.
    init(_ row: borrowing Row, scope: ApplicationScope? = nil) throws {
        let scope =
            try scope
            ?? ApplicationScope(
                origin: row.text("origin"), tenantName: row.text("tenant_name"), clientID: row.text("client_id"))
        self.init(
            key: Key(
                scope: scope, policy: PolicyName(try row.text("policy")),
                home: HomeAccountID(uid: try row.text("home_uid"), utid: try row.text("home_utid"))),
            subject: try row.optionalText("subject"), label: try row.text("label"), source: try row.text("source"),
            importedOn: try row.integer("imported_on"))
    }
}
