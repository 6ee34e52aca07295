internal import SusiOAuth
internal import SusiPolicies
internal import SusiSQLite

/// What a change of the key did.
public struct KeyChange: Sendable {
    /// How many values were sealed anew.
    public internal(set) var resealed = 0
    /// How many values did not open and were removed.
    public internal(set) var dropped = 0
    /// The first of those: what it was, and whose.
    public internal(set) var droppedNames: [String] = []
    /// What the store's key was before; nil when that is not known any more.
    public internal(set) var old: KeyRecord?
    /// Whether no copy of what the old key sealed stays in the store's files, as in ``Removal/isErased``.
    public internal(set) var isErased = false
}

extension AccountStore {
    /// Seals everything with a new key, in one transaction. The caller has put the key where its record says.
    ///
    /// Whenever the process dies, the store opens afterwards, with the old key or with the new one. What does not open makes
    /// it throw `.sealBroken` and change nothing; with `droppingDamaged` it is removed, and an account without claims goes
    /// as a whole. Memory does not grow with the number of rows.
    public func rekey(to new: NewKey, droppingDamaged: Bool = false) throws(StoreError) -> KeyChange {
        var change = try write {
            // First: in a copy of the store the old key's seals would stay.
            folder.removeLeftovers()
            _ = try keys.settle(database)
            let old: Seal?
            do { old = try currentSeal() } catch  where droppingDamaged && Self.isLoss(error) { old = nil }
            let change = try Resealing(database: database, old: old, new: Seal(key: new.key)).run()
            if !droppingDamaged, let first = change.droppedNames.first {
                throw StoreError.refusesRekey(first, count: change.dropped, folder)
            }
            try keys.prepare(new, database)
            return change
        }
        use(new.key)
        // Should it fail, the next opening moves the file; until then `key.new` is found.
        change.old = try? write { try keys.settle(database) }
        change.isErased = erase()
        return change
    }

    private static func isLoss(_ error: any Error) -> Bool {
        guard let error = error as? StoreError else { return false }
        return [.keyMissing, .keyDamaged, .otherKey].contains(error.kind)
    }
}

extension StoreError {
    static func refusesRekey(_ first: String, count: Int, _ folder: StoreFolder) -> StoreError {
        let others = count == 1 ? "" : " and \(count - 1) more"
        return StoreError(
            .sealBroken, path: folder.database, what: "the key was not changed",
            why: "not everything can be decrypted: \(first)\(others)",
            next: "sign in again, or remove what cannot be decrypted: \(Self.dropDamaged)")
    }
}

/// Goes through all that is sealed, row by row. What does not open is removed, which the caller may take back.
private struct Resealing {
    let database: Connection
    /// Nil when the key is lost.
    let old: Seal?
    let new: Seal
    /// So many names are kept of what does not open.
    private static let mostNames = 20

    func run() throws -> KeyChange {
        var change = KeyChange()
        try accounts(&change)
        try tokens(&change)
        try imported(&change)
        return change
    }

    private static let who = """
        SELECT t.origin, t.guid, p.subject, a.policy, a.client_id, %
        FROM accounts AS a JOIN persons AS p ON p.id = a.person JOIN tenants AS t ON t.id = p.tenant
        """

    private func accounts(_ change: inout KeyChange) throws {
        let query = Self.query("a.id, a.key_id, a.claims") + " WHERE a.id > ? ORDER BY a.id LIMIT 1"
        try each(query, &change) { row in
            let account = try AccountQuery.account(row)
            let sealed = Seal.Sealed(keyID: try row.blob(6), bytes: try row.blob(7))
            let claims = old?.open(sealed, .id(account), column: .claims)
            return Value(
                id: try row.integer(5), name: "the account \(Self.name(account))",
                sealed: try claims.map { try new.seal($0, .id(account), column: .claims) },
                update: "UPDATE accounts SET key_id = ?, claims = ? WHERE id = ?",
                delete: "DELETE FROM accounts WHERE id = ?")
        }
        try database.execute("DELETE FROM persons WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE person = persons.id)")
    }

    private func tokens(_ change: inout KeyChange) throws {
        let query =
            Self.query("k.id, k.key_id, k.secret, k.kind, k.scopes") + " JOIN tokens AS k ON k.account = a.id"
            + " WHERE k.id > ? ORDER BY k.id LIMIT 1"
        try each(query, &change) { row in
            let account = try AccountQuery.account(row)
            let kind = TokenKind(rawValue: try row.text(8))
            let key = kind.map { [scopes = try row.text(9)] in TokenKey.of($0, account, ScopeSet(text: scopes)) }
            let sealed = Seal.Sealed(keyID: try row.blob(6), bytes: try row.blob(7))
            let secret = key.flatMap { old?.open(sealed, $0, column: .secret) }
            return Value(
                id: try row.integer(5), name: "the \(kind?.rawValue ?? "unknown") token of \(Self.name(account))",
                sealed: try zip(key, secret).map { try new.seal($1, $0, column: .secret) },
                update: "UPDATE tokens SET key_id = ?, secret = ? WHERE id = ?",
                delete: "DELETE FROM tokens WHERE id = ?")
        }
    }

    private func imported(_ change: inout KeyChange) throws {
        let query = """
            SELECT origin, tenant_name, client_id, policy, home_uid, home_utid, id, key_id, secret
            FROM imported WHERE id > ? ORDER BY id LIMIT 1
            """
        try each(query, &change) { row in
            let key = try ImportedToken.Key(row: row)
            let secret = old?.open(Seal.Sealed(keyID: try row.blob(7), bytes: try row.blob(8)), key)
            return Value(
                id: try row.integer(6), name: "the imported token of \(key.home) under \(key.policy)",
                sealed: try secret.map { try new.seal($0, key) },
                update: "UPDATE imported SET key_id = ?, secret = ? WHERE id = ?",
                delete: "DELETE FROM imported WHERE id = ?")
        }
    }

    /// One sealed value: `sealed` is nil when it did not open.
    private struct Value {
        let id: Int64
        let name: String
        let sealed: Seal.Sealed?
        let update: String
        let delete: String
    }

    // One row at a time, by its id: no statement reads a table while another writes it.
    private func each(
        _ query: String, _ change: inout KeyChange, _ read: (borrowing Row) throws -> Value
    ) throws {
        var last: Int64 = .min
        while let value = try database.first(query, [.integer(last)], read) {
            last = value.id
            if let sealed = value.sealed {
                try database.execute(value.update, [.blob(sealed.keyID), .blob(sealed.bytes), .integer(value.id)])
                change.resealed += 1
            } else {
                try database.execute(value.delete, [.integer(value.id)])
                change.dropped += 1
                if change.droppedNames.count < Self.mostNames { change.droppedNames.append(value.name) }
            }
        }
    }

    private static func query(_ columns: String) -> String { who.replacing("%", with: columns) }

    private static func name(_ account: Account) -> String { "\(account.person.subject) under \(account.policy)" }

    private func zip<A, B>(_ first: A?, _ second: B?) -> (A, B)? {
        guard let first, let second else { return nil }
        return (first, second)
    }
}
