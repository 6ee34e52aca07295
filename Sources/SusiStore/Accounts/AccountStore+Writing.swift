package import SusiOAuth
internal import SusiPolicies
internal import SusiSQLite

extension AccountStore {
    /// Stores the result of a sign-in through `registration`, in one transaction: tenant, person, account and tokens. `authority` is
    /// its base address. With `makeCurrent` the account becomes the current one of its policy there, and the old one the
    /// previous.
    ///
    /// In a shared store, it throws `.occupied` and stores nothing if another person has an account. The access token is stored for
    /// its own scopes and under each key of `alsoFor`. An older refresh token is kept if it was for other scopes than the new
    /// one. Older tokens of the account are removed if `dropping` returns true for their scopes. `source` is the account at home
    /// whose refresh token brought the grant: both are one person. If it was removed meanwhile, it throws `.missing` and stores
    /// nothing.
    package func save(
        _ grant: TokenGrant, in registration: Registration, authority: String, makeCurrent: Bool,
        alsoFor keys: Set<ScopeSet> = [], broughtBy source: Account? = nil,
        dropping isOutdated: (ScopeSet) -> Bool = { _ in false }
    ) throws(StoreError) {
        try write {
            try replaceTokens(by: grant, dropping: isOutdated)
            try saveGrant(
                grant, in: registration, authority: authority, makeCurrent: makeCurrent, alsoFor: keys,
                broughtBy: source)
        }
    }

    /// Stores many grants in one transaction, none of them as current. For tests.
    package func save(_ grants: [TokenGrant], in registration: Registration, authority: String) throws(StoreError) {
        try write {
            for grant in grants { try saveGrant(grant, in: registration, authority: authority, makeCurrent: false) }
        }
    }

    /// The steps of `save`, inside a transaction.
    func saveGrant(
        _ grant: TokenGrant, in registration: Registration, authority: String, makeCurrent: Bool,
        alsoFor keys: Set<ScopeSet> = [], broughtBy source: Account? = nil
    ) throws {
        let home = try source.map { try self.home(of: $0) }
        try refuseOthers(than: home ?? self.home(of: grant.account.person))
        // An account needs checked claims, which a refresh without an ID token lacks.
        guard let claims = grant.claims else { throw StoreError(.noAccount(grant.account), folder.database) }
        let (tenant, group) = try saveTenant(grant.account.person.tenant, registration)
        try clearDeletions(grant)
        let person = try savePerson(
            grant.account.person, grant.profile, receivedOn: grant.receivedOn, tenant: tenant)
        if let home { try link(person, to: home) }
        let account = try saveAccount(of: grant, claims: claims, authority: authority, person: person, tenant: tenant)
        try saveTokens(grant, account: account, alsoFor: keys, refresh: .refresh(grant.account), of: grant.askedScopes)
        if makeCurrent { return try replaceCurrent(with: account, tenant: tenant, group: group, grant.account) }
        // Who has signed in again is not signed out, current or not.
        if let note = try signedOut(grant.account.policy, in: registration), note.label == grant.profile.label {
            try database.execute("DELETE FROM sign_outs" + Self.here, Self.place(group, grant.account))
        }
    }

    /// Stores the result of a refresh, in one transaction. Does not change current accounts. Keeps the old refresh
    /// token if the grant has none, and the old claims if it has no id token. Throws `.missing` if the account was
    /// removed meanwhile; it is not restored. The access token is stored for its own scopes and under each key of
    /// `alsoFor`. The new refresh token replaces the `redeemed` one, unless a sign-in has replaced that meanwhile; claims that a
    /// kept or replaced one brings are those of an older sign-in and are not stored. `source` is the account at home whose refresh token
    /// brought the grant, if it was not the account's own.
    package func refresh(
        _ grant: TokenGrant, in registration: Registration, redeeming redeemed: String? = nil,
        alsoFor keys: Set<ScopeSet> = [], broughtBy source: Account? = nil
    ) throws(StoreError) {
        try write {
            let ids = try ids(of: grant.account)
            let old = try redeemed.flatMap { try refreshToken($0, of: grant.account) }
            let isLatest = redeemed == nil || old?.scopes.isEmpty ?? false
            let grant = isLatest ? grant : grant.withoutClaims()
            if let source { try link(ids.person, to: home(of: source)) }
            let (tenant, _) = try saveTenant(grant.account.person.tenant, registration)
            if let claims = grant.claims {
                // Claims that a refresh repeats are older than what another policy has said since.
                if try !repeatsClaims(grant) {
                    try clearDeletions(grant, atRefresh: true)
                    _ = try savePerson(
                        grant.account.person, grant.profile, receivedOn: grant.receivedOn, tenant: tenant)
                }
                try database.update(
                    "accounts", id: ids.account,
                    columns(grant.account, claims: claims, home: grant.homeAccountID, on: grant.receivedOn))
            }
            let key = redeemed == nil ? .refresh(grant.account) : old?.key(of: grant.account)
            try saveTokens(
                grant, account: ids.account, alsoFor: keys, refresh: key, of: old?.granted ?? grant.askedScopes)
        }
    }

    /// Makes an account the current one of its policy in a registration; the old one becomes the previous. Throws `.missing`
    /// when it is not stored, or when it does not belong to the registration.
    package func makeCurrent(_ account: Account, in registration: Registration) throws(StoreError) {
        try write {
            let ids = try ids(of: account)
            let group = try database.integer(
                RegistrationRows.ofName + " AND m.tenant = ?",
                [.text(registration.origin), .text(registration.tenantName), .integer(ids.tenant)])
            guard let group else { throw StoreError(.noAccount(account), folder.database) }
            try replaceCurrent(with: ids.account, tenant: ids.tenant, group: group, account)
        }
    }

    // MARK: Steps

    // The person at home of an account whose refresh token brought a grant.
    private func home(of source: Account) throws -> Int64 {
        let person = try ids(of: source).person
        return try home(of: source.person) ?? person
    }

    func ids(of account: Account) throws -> (account: Int64, person: Int64, tenant: Int64) {
        let ids = try database.first(AccountQuery.ids, account.values) { row in
            (account: try row.integer("id"), person: try row.integer("person"), tenant: try row.integer("tenant"))
        }
        guard let ids else { throw StoreError(.noAccount(account), folder.database) }
        return ids
    }

    /// Stores a profile. The newest response wins. Members that it lacks are kept: policies send different claims of the
    /// same person. Returns the row id of the person.
    func savePerson(_ person: Person, _ profile: Profile, receivedOn: Int64, tenant: Int64) throws -> Int64 {
        let columns = ProfileColumn.all
        let changes = columns.map { column in
            let name = column.name
            return "\(name) = iif(excluded.\(name) IS \(column.absent), \(name), excluded.\(name))"
        }
        try database.execute(
            """
            INSERT INTO persons (tenant, subject, profile_on, \(columns.map(\.name).joined(separator: ", ")))
            VALUES (?1, ?2, ?3, \(columns.map { "coalesce(?, \($0.absent))" }.joined(separator: ", ")))
            ON CONFLICT (tenant, subject) DO UPDATE SET
                \(changes.joined(separator: ", ")), profile_on = excluded.profile_on
            -- An earlier response does not undo a later one; a time far ahead comes from a wrong clock.
            WHERE excluded.profile_on >= profile_on OR profile_on > excluded.profile_on + 3600
            """,
            [.integer(tenant), .text(person.subject), .integer(receivedOn)]
                + columns.map { $0.value(profile) ?? .null })
        return try rowID(
            "SELECT id FROM persons WHERE tenant = ? AND subject = ?", [.integer(tenant), .text(person.subject)])
    }

    // Stores the account of a sign-in without its person and its tokens. Returns its row id.
    private func saveAccount(
        of grant: TokenGrant, claims: String, authority: String, person: Int64, tenant: Int64
    ) throws -> Int64 {
        let account = grant.account
        let identity: ColumnValues = [
            "person": .integer(person), "tenant": .integer(tenant), "client_id": .text(account.clientID),
            "policy_key": .text(account.policy.lowercased), "policy": .text(account.policy.spelling),
            "authority": .text(authority), "signed_in_on": .integer(grant.receivedOn),
        ]
        return try upsert(
            "accounts", key: ["person", "client_id", "policy_key"],
            identity + columns(account, claims: claims, home: grant.homeAccountID, on: grant.receivedOn))
    }

    /// The columns of `accounts` that every response with an ID token writes.
    private func columns(
        _ account: Account, claims: String, home: HomeAccountID, on time: Int64
    ) throws -> ColumnValues {
        ["home_uid": .text(home.uid), "home_utid": .text(home.utid), "claims_on": .integer(time)]
            + (try currentSeal().seal(claims, .claims(of: account)).columns("claims"))
    }

    /// Removes tokens of an account, if it is stored, that a sign-in replaces. A refresh token that was for other scopes is kept
    /// for them: the new one may not cover them (RFC 6749 section 6).
    private func replaceTokens(by grant: TokenGrant, dropping isOutdated: (ScopeSet) -> Bool) throws {
        guard let id = try database.integer(AccountQuery.id, grant.account.values) else { return }
        let isNew = grant.refreshToken != nil
        if isNew, let old = try intactSecret(.refresh(grant.account)), !old.info.granted.isEmpty {
            let scopes = old.info.granted
            try saveToken(
                .refresh(grant.account, scopes), old.secret, account: id, granted: scopes,
                expiresOn: old.info.expiresOn, savedOn: old.info.savedOn)
        }
        let tokens = try database.rows(TokenQuery.ofAccount, [.integer(id)]) { row in try TokenQuery.info(row) }
        for token in tokens where token.kind == .access || !token.scopes.isEmpty {
            let isReplaced = isNew && token.kind == .refresh && grant.askedScopes.contains(token.scopes)
            guard isReplaced || isOutdated(token.scopes) else { continue }
            try database.execute(
                "DELETE FROM tokens WHERE account = ? AND kind = ? AND scopes = ?",
                [.integer(id), .text(token.kind.rawValue), .text(token.scopes.description)])
        }
    }

    /// Stores the tokens of a grant. The refresh token, of a sign-in for the scopes `asked`, is stored under the key `refresh`; for
    /// `nil` it is not.
    private func saveTokens(
        _ grant: TokenGrant, account: Int64, alsoFor keys: Set<ScopeSet>, refresh key: TokenKey?, of asked: ScopeSet
    ) throws {
        let owner = grant.account
        if let token = grant.idToken {
            try saveToken(
                .id(owner), token, account: account, expiresOn: grant.idTokenExpiresOn, savedOn: grant.receivedOn)
        }
        if let key, let token = grant.refreshToken {
            try saveToken(
                key, token.secret, account: account, granted: asked, expiresOn: token.expiresOn,
                savedOn: grant.receivedOn)
        }
        if let token = grant.accessToken {
            // A token is found by the scopes of a request in one lookup, so it is stored once for each set of scopes.
            for scopes in keys.union([token.scopes]) {
                try saveToken(
                    .access(owner, scopes), token.secret, account: account, granted: token.granted,
                    expiresOn: token.expiresOn, refreshOn: token.refreshOn, savedOn: grant.receivedOn)
            }
        }
    }

    private func saveToken(
        _ key: TokenKey, _ secret: String, account: Int64, granted: ScopeSet = ScopeSet([]), expiresOn: Int64?,
        refreshOn: Int64? = nil, savedOn: Int64
    ) throws {
        let sealed = try currentSeal().seal(secret, .token(key))
        let row: ColumnValues = [
            "account": .integer(account), "kind": .text(key.kind.rawValue), "scopes": .text(key.scopes.description),
            "granted": .text(granted.description), "expires_on": .integer(orNull: expiresOn),
            "refresh_on": .integer(orNull: refreshOn), "saved_on": .integer(savedOn),
        ]
        try upsert("tokens", key: ["account", "kind", "scopes"], row + sealed.columns("secret"))
    }

    private static let here = " WHERE tenant_group = ? AND client_id = ? AND policy_key = ?"

    private static func place(_ group: Int64, _ account: Account) -> [Value] {
        [.integer(group), .text(account.clientID), .text(account.policy.lowercased)]
    }

    private func replaceCurrent(with id: Int64, tenant: Int64, group: Int64, _ account: Account) throws {
        let (here, place) = (Self.here, Self.place(group, account))
        let old = try database.integer("SELECT account FROM current_accounts\(here) AND role = 'current'", place)
        if old == id { return }
        try database.execute("DELETE FROM sign_outs" + here, place)
        try database.execute("DELETE FROM current_accounts\(here) AND account = ?", place + [.integer(id)])
        if old != nil {
            try database.execute("DELETE FROM current_accounts\(here) AND role = 'previous'", place)
            try database.execute("UPDATE current_accounts SET role = 'previous'\(here)", place)
        }
        try database.execute(
            """
            INSERT INTO current_accounts (tenant_group, client_id, policy_key, role, account, tenant)
            VALUES (?, ?, ?, 'current', ?, ?)
            """, place + [.integer(id), .integer(tenant)])
    }

    /// Inserts a row, or updates the one with the same values in the columns `key`. Returns its row id.
    @discardableResult
    func upsert(_ table: String, key: [String], _ row: ColumnValues) throws -> Int64 {
        let changes = row.names.filter { !key.contains($0) }.map { "\($0) = excluded.\($0)" }
        return try rowID(
            """
            INSERT INTO \(table) (\(row.names.joined(separator: ", ")))
            VALUES (\(row.names.map { _ in "?" }.joined(separator: ", ")))
            ON CONFLICT (\(key.joined(separator: ", "))) DO UPDATE SET \(changes.joined(separator: ", "))
            RETURNING rowid
            """, row.values)
    }

    /// Returns the one row id of a statement's result.
    func rowID(_ sql: String, _ values: [Value]) throws -> Int64 {
        guard let id = try database.integer(sql, values) else {
            throw StoreError(.rowMissing, folder.database)
        }
        return id
    }
}
