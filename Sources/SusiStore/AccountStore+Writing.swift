internal import FoundationEssentials
public import SusiOAuth
internal import SusiPolicies
internal import SusiSQLite

extension AccountStore {
    /// Keeps what a sign-in through `scope` gave, in one transaction: tenant, person, account and tokens. `authority` is
    /// its base address. With `makeCurrent` the account becomes the current one of its policy there, and the old one the
    /// previous.
    ///
    /// `alone` are the scopes in which nobody else may have an account (a shared device): then it throws `.occupied`
    /// and keeps nothing. Otherwise it forgets there who else signed out before. The access token is stored for its own
    /// scopes and under each key of `alsoFor`.
    public func save(
        _ grant: TokenGrant, in scope: ApplicationScope, authority: String, makeCurrent: Bool,
        alone: Set<ApplicationScope> = [], alsoFor keys: Set<ScopeSet> = [], dropsAccessTokens: Bool = false
    ) throws(StoreError) {
        try write {
            if dropsAccessTokens { try deleteAccessTokens(of: try ids(of: grant.account).account, except: nil) }
            try keep(grant, in: scope, authority: authority, makeCurrent: makeCurrent, alone: alone, alsoFor: keys)
        }
        // The log would still hold what was forgotten.
        if !alone.isEmpty { _ = emptyLog() }
    }

    /// Keeps many grants in one transaction, none of them as current. Nothing but tests brings so many at once.
    package func save(_ grants: [TokenGrant], in scope: ApplicationScope, authority: String) throws(StoreError) {
        try write {
            for grant in grants { try keep(grant, in: scope, authority: authority, makeCurrent: false, alone: []) }
        }
    }

    /// The steps of `save`, inside a transaction.
    func keep(
        _ grant: TokenGrant, in scope: ApplicationScope, authority: String, makeCurrent: Bool,
        alone: Set<ApplicationScope>, alsoFor keys: Set<ScopeSet> = []
    ) throws {
        try refuseOthers(than: grant.account.person, in: alone)
        let (tenant, audience) = try saveTenant(grant, scope)
        try clearDeletions(grant)
        let person = try savePerson(grant, tenant: tenant)
        let account = try saveAccount(grant, authority: authority, of: person)
        try saveTokens(grant, account: account, alsoFor: keys)
        if makeCurrent { try replaceCurrent(with: account, tenant: tenant, audience: audience, grant.account) }
        try forgetSignOuts(in: alone, except: person.label)
        try dropImported(for: grant)
    }

    /// Keeps what a refresh gave, in one transaction. Current accounts stay as they are; without a new refresh token
    /// the old one stays, and without an id token so do the claims. An account that was removed meanwhile does not come
    /// back: that throws `.missing`. The access token is stored for its own scopes and under each key of `alsoFor`.
    public func refresh(
        _ grant: TokenGrant, in scope: ApplicationScope, alsoFor keys: Set<ScopeSet> = []
    ) throws(StoreError) {
        try write {
            let ids = try ids(of: grant.account)
            let (tenant, _) = try saveTenant(grant, scope)
            if let claims = grant.claims {
                try clearDeletions(grant)
                _ = try savePerson(grant, tenant: tenant)
                try updateAccount(grant, claims: claims, id: ids.account)
            }
            try saveTokens(grant, account: ids.account, alsoFor: keys)
        }
    }

    /// Makes an account the current one of its policy in a scope; the old one becomes the previous. Throws `.missing`
    /// when it is not stored, or when the scope does not reach it.
    public func makeCurrent(_ account: Account, in scope: ApplicationScope) throws(StoreError) {
        try write {
            let ids = try ids(of: account)
            let audience = try database.first(
                ScopeRowIDs.ofName + " AND m.tenant = ?",
                [.text(scope.origin), .text(scope.tenantName), .integer(ids.tenant)]
            ) { row in try row.integer(0) }
            guard let audience else { throw StoreError.missing(account, folder) }
            try replaceCurrent(with: ids.account, tenant: ids.tenant, audience: audience, account)
        }
    }

    // MARK: Steps

    /// Row ids of a stored account.
    func ids(of account: Account) throws -> (account: Int64, person: Int64, tenant: Int64) {
        let ids = try database.first(AccountQuery.ids, account.values) { row in
            (account: try row.integer(0), person: try row.integer(1), tenant: try row.integer(2))
        }
        guard let ids else { throw StoreError.missing(account, folder) }
        return ids
    }

    /// The newest answer wins. What it does not say stays: policies send different claims of the same person.
    func savePerson(_ grant: TokenGrant, tenant: Int64) throws -> SavedPerson {
        let profile = grant.profile
        let subject = Value.text(grant.account.person.subject)
        let emails = String(decoding: try JSONEncoder().encode(profile.emails), as: UTF8.self)
        try database.execute(
            """
            INSERT INTO persons
                (tenant, subject, label, name, given_name, family_name, emails, username, identity_provider, profile_on)
            VALUES (?1, ?2, ?2, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (tenant, subject) DO UPDATE SET
                name = coalesce(excluded.name, name),
                given_name = coalesce(excluded.given_name, given_name),
                family_name = coalesce(excluded.family_name, family_name),
                emails = iif(excluded.emails = '[]', emails, excluded.emails),
                username = coalesce(excluded.username, username),
                identity_provider = coalesce(excluded.identity_provider, identity_provider),
                profile_on = excluded.profile_on
            -- An answer that came a moment earlier does not undo a later one; a time far ahead is a clock that was wrong.
            WHERE excluded.profile_on >= profile_on OR profile_on > excluded.profile_on + 3600
            """,
            [
                .integer(tenant), subject, .text(orNull: profile.name), .text(orNull: profile.givenName),
                .text(orNull: profile.familyName), .text(emails), .text(orNull: profile.username),
                .text(orNull: profile.identityProvider), .integer(grant.receivedOn),
            ])
        return try renamePerson(tenant: tenant, grant.account.person.subject)
    }

    /// Brings the label and what the person is found by up to what the profile says now.
    private func renamePerson(tenant: Int64, _ subject: String) throws -> SavedPerson {
        let stored = try database.first(
            "SELECT id, name, emails, username FROM persons WHERE tenant = ? AND subject = ?",
            [.integer(tenant), .text(subject)]
        ) { row in
            let profile = Profile(
                name: try row.optionalText(1), emails: try emails(try row.text(2)),
                username: try row.optionalText(3))
            return (id: try row.integer(0), profile: profile)
        }
        guard let stored else { throw unwritten() }
        let label = stored.profile.label ?? subject
        try SearchTerms.label(stored.id, label, in: database)
        try SearchTerms(stored.profile, subject: subject).save(of: stored.id, tenant: tenant, in: database)
        return SavedPerson(id: stored.id, tenant: tenant, label: label)
    }

    func saveAccount(_ grant: TokenGrant, authority: String, of person: SavedPerson) throws -> Int64 {
        // An account is made of checked claims, never of a refresh that brought none.
        guard let text = grant.claims else { throw StoreError.missing(grant.account, folder) }
        let claims = try currentSeal().seal(text, .id(grant.account), column: .claims)
        return try rowID(
            """
            INSERT INTO accounts
                (person, tenant, client_id, policy_key, policy, home_uid, home_utid, authority, signed_in_on, claims_on,
                key_id, claims, home_term, label)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?9, ?9, ?, ?, ?, ?)
            ON CONFLICT (person, client_id, policy_key) DO UPDATE SET
                policy = excluded.policy, home_uid = excluded.home_uid, home_utid = excluded.home_utid,
                authority = excluded.authority, signed_in_on = excluded.signed_in_on, claims_on = excluded.claims_on,
                key_id = excluded.key_id, claims = excluded.claims, home_term = excluded.home_term
            RETURNING id
            """,
            [
                .integer(person.id), .integer(person.tenant), .text(grant.account.clientID),
                .text(grant.account.policy.lowercased), .text(grant.account.policy.spelling),
                .text(grant.homeAccountID.uid), .text(grant.homeAccountID.utid), .text(authority),
                .integer(grant.receivedOn), .blob(claims.keyID), .blob(claims.bytes),
                .text(SearchTerms.folded(grant.homeAccountID)), .text(person.label),
            ])
    }

    func updateAccount(_ grant: TokenGrant, claims: String, id: Int64) throws {
        let claims = try currentSeal().seal(claims, .id(grant.account), column: .claims)
        try database.execute(
            """
            UPDATE accounts SET home_uid = ?, home_utid = ?, home_term = ?, claims_on = ?, key_id = ?, claims = ?
            WHERE id = ?
            """,
            [
                .text(grant.homeAccountID.uid), .text(grant.homeAccountID.utid),
                .text(SearchTerms.folded(grant.homeAccountID)), .integer(grant.receivedOn), .blob(claims.keyID),
                .blob(claims.bytes), .integer(id),
            ])
    }

    private func saveTokens(_ grant: TokenGrant, account: Int64, alsoFor keys: Set<ScopeSet>) throws {
        let owner = grant.account
        if let token = grant.idToken {
            try saveToken(
                .id(owner), token, account: account, expiresOn: grant.idTokenExpiresOn, savedOn: grant.receivedOn)
        }
        if let token = grant.refreshToken {
            try saveToken(
                .refresh(owner), token.secret, account: account, expiresOn: token.expiresOn, savedOn: grant.receivedOn)
        }
        if let token = grant.accessToken {
            // A token is found by the scopes of a request, in one step: it is stored once for each.
            for scopes in keys.union([token.scopes]) {
                try saveToken(
                    .access(owner, scopes), token.secret, account: account, granted: token.granted,
                    expiresOn: token.expiresOn, refreshOn: token.refreshOn, savedOn: grant.receivedOn)
            }
        }
    }

    func saveToken(
        _ key: TokenKey, _ secret: String, account: Int64, granted: ScopeSet = ScopeSet([]), expiresOn: Int64?,
        refreshOn: Int64? = nil, savedOn: Int64
    ) throws {
        let sealed = try currentSeal().seal(secret, key, column: .secret)
        try database.execute(
            """
            INSERT INTO tokens (account, kind, scopes, granted, expires_on, refresh_on, saved_on, key_id, secret)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (account, kind, scopes) DO UPDATE SET
                granted = excluded.granted, expires_on = excluded.expires_on, refresh_on = excluded.refresh_on,
                saved_on = excluded.saved_on, key_id = excluded.key_id, secret = excluded.secret
            """,
            [
                .integer(account), .text(key.kind.rawValue), .text(key.scopes.description), .text(granted.description),
                .integer(orNull: expiresOn), .integer(orNull: refreshOn), .integer(savedOn),
                .blob(sealed.keyID), .blob(sealed.bytes),
            ])
    }

    private func replaceCurrent(with id: Int64, tenant: Int64, audience: Int64, _ account: Account) throws {
        let place: [Value] = [.integer(audience), .text(account.clientID), .text(account.policy.lowercased)]
        let here = " WHERE audience = ? AND client_id = ? AND policy_key = ?"
        let old = try database.first(
            "SELECT account FROM current_accounts\(here) AND role = 'current'", place
        ) { row in try row.integer(0) }
        if old == id { return }
        try database.execute("DELETE FROM sign_outs" + here, place)
        try database.execute("DELETE FROM current_accounts\(here) AND account = ?", place + [.integer(id)])
        if old != nil {
            try database.execute("DELETE FROM current_accounts\(here) AND role = 'previous'", place)
            try database.execute("UPDATE current_accounts SET role = 'previous'\(here)", place)
        }
        try database.execute(
            """
            INSERT INTO current_accounts (audience, client_id, policy_key, role, account, tenant)
            VALUES (?, ?, ?, 'current', ?, ?)
            """, place + [.integer(id), .integer(tenant)])
    }

    /// The one row id that a statement gives.
    func rowID(_ sql: String, _ values: [Value]) throws -> Int64 {
        guard let id = try database.first(sql, values, { row in try row.integer(0) }) else { throw unwritten() }
        return id
    }

    private func unwritten() -> StoreError {
        StoreError.damaged(folder, "a written row is missing", what: "nothing was saved")
    }
}

/// The row of a person, with what an account's row repeats of it.
struct SavedPerson {
    let id: Int64
    let tenant: Int64
    let label: String
}
