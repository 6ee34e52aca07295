internal import FoundationEssentials
public import SusiOAuth
internal import SusiPolicies
internal import SusiSQLite

extension AccountStore {
    /// Keeps what a sign-in gave, in one transaction: tenant, person, account and tokens. `authority` is its base
    /// address. With `makeCurrent` the account becomes the current one of its policy, and the old one the previous.
    public func save(_ grant: TokenGrant, authority: String, makeCurrent: Bool) throws(StoreError) {
        try write { try keep(grant, authority: authority, makeCurrent: makeCurrent) }
    }

    /// The steps of `save`, inside a transaction.
    func keep(_ grant: TokenGrant, authority: String, makeCurrent: Bool) throws {
        let tenant = try saveTenant(grant)
        try clearDeletions(grant)
        let person = try savePerson(grant, tenant: tenant)
        let account = try saveAccount(grant, authority: authority, person: person, tenant: tenant)
        try saveTokens(grant, account: account)
        if makeCurrent { try replaceCurrent(with: account, tenant: tenant, grant.account) }
        try dropImported(for: grant)
    }

    /// Keeps what a refresh gave, in one transaction. Current accounts stay as they are; without a new refresh token
    /// the old one stays, and without an id token so do the claims. An account that was removed meanwhile does not come
    /// back: that throws `.missing`.
    public func refresh(_ grant: TokenGrant) throws(StoreError) {
        try write {
            let ids = try ids(of: grant.account)
            let tenant = try saveTenant(grant)
            if let claims = grant.claims {
                try clearDeletions(grant)
                _ = try savePerson(grant, tenant: tenant)
                try updateAccount(grant, claims: claims, id: ids.account)
            }
            try saveTokens(grant, account: ids.account)
        }
    }

    /// Makes an account the current one of its policy; the old one becomes the previous. Throws `.missing` when it is
    /// not stored.
    public func makeCurrent(_ account: Account) throws(StoreError) {
        try write {
            let ids = try ids(of: account)
            try replaceCurrent(with: ids.account, tenant: ids.tenant, account)
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

    private func saveTenant(_ grant: TokenGrant) throws -> Int64 {
        let tenant = grant.account.person.tenant
        let key: [Value] = [.text(tenant.origin), .text(tenant.id)]
        try database.execute("INSERT INTO tenants (origin, guid) VALUES (?, ?) ON CONFLICT DO NOTHING", key)
        let id = try rowID("SELECT id FROM tenants WHERE origin = ? AND guid = ?", key)
        // A domain may move to another tenant; a GUID names its own tenant and no other.
        for name in [grant.tenantName, tenant.id] {
            try database.execute(
                """
                INSERT INTO tenant_names (origin, name, tenant)
                SELECT t.origin, ?1, t.id FROM tenants AS t
                WHERE t.id = ?2
                    AND NOT EXISTS (SELECT 1 FROM tenants AS o WHERE o.origin = t.origin AND o.guid = ?1 AND o.id <> ?2)
                ON CONFLICT DO UPDATE SET tenant = excluded.tenant WHERE tenant <> excluded.tenant
                """, [.text(name), .integer(id)])
        }
        return id
    }

    /// The newest answer wins. What it does not say stays: policies send different claims of the same person.
    private func savePerson(_ grant: TokenGrant, tenant: Int64) throws -> Int64 {
        let profile = grant.profile
        let subject = Value.text(grant.account.person.subject)
        let emails = String(decoding: try JSONEncoder().encode(profile.emails), as: UTF8.self)
        try database.execute(
            """
            INSERT INTO persons
                (tenant, subject, label, name, given_name, family_name, emails, identity_provider, profile_on)
            VALUES (?1, ?2, ?2, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (tenant, subject) DO UPDATE SET
                name = coalesce(excluded.name, name),
                given_name = coalesce(excluded.given_name, given_name),
                family_name = coalesce(excluded.family_name, family_name),
                emails = iif(excluded.emails = '[]', emails, excluded.emails),
                identity_provider = coalesce(excluded.identity_provider, identity_provider),
                profile_on = excluded.profile_on
            -- An answer that came a moment earlier does not undo a later one; a time far ahead is a clock that was wrong.
            WHERE excluded.profile_on >= profile_on OR profile_on > excluded.profile_on + 3600
            """,
            [
                .integer(tenant), subject, .text(orNull: profile.name), .text(orNull: profile.givenName),
                .text(orNull: profile.familyName), .text(emails), .text(orNull: profile.identityProvider),
                .integer(grant.receivedOn),
            ])
        return try rowID(
            """
            UPDATE persons SET label = coalesce(json_extract(emails, '$[0]'), name, subject)
            WHERE tenant = ? AND subject = ? RETURNING id
            """, [.integer(tenant), subject])
    }

    private func saveAccount(_ grant: TokenGrant, authority: String, person: Int64, tenant: Int64) throws -> Int64 {
        // Only an account that was taken over from another program has none.
        let claims = try openedSeal().seal(grant.claims ?? "{}", .id(grant.account), column: .claims)
        return try rowID(
            """
            INSERT INTO accounts
                (person, tenant, client_id, policy_key, policy, home_uid, home_utid, authority, signed_in_on, claims_on,
                key_id, claims)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?9, ?9, ?, ?)
            ON CONFLICT (person, client_id, policy_key) DO UPDATE SET
                policy = excluded.policy, home_uid = excluded.home_uid, home_utid = excluded.home_utid,
                authority = excluded.authority, signed_in_on = excluded.signed_in_on, claims_on = excluded.claims_on,
                key_id = excluded.key_id, claims = excluded.claims
            RETURNING id
            """,
            [
                .integer(person), .integer(tenant), .text(grant.account.clientID),
                .text(grant.account.policy.lowercased), .text(grant.account.policy.spelling),
                .text(grant.homeAccountID.uid), .text(grant.homeAccountID.utid), .text(authority),
                .integer(grant.receivedOn), .blob(claims.keyID), .blob(claims.bytes),
            ])
    }

    private func updateAccount(_ grant: TokenGrant, claims: String, id: Int64) throws {
        let claims = try openedSeal().seal(claims, .id(grant.account), column: .claims)
        try database.execute(
            "UPDATE accounts SET home_uid = ?, home_utid = ?, claims_on = ?, key_id = ?, claims = ? WHERE id = ?",
            [
                .text(grant.homeAccountID.uid), .text(grant.homeAccountID.utid), .integer(grant.receivedOn),
                .blob(claims.keyID), .blob(claims.bytes), .integer(id),
            ])
    }

    private func saveTokens(_ grant: TokenGrant, account: Int64) throws {
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
            try saveToken(
                .access(owner, token.scopes), token.secret, account: account, granted: token.granted,
                expiresOn: token.expiresOn, refreshOn: token.refreshOn, savedOn: grant.receivedOn)
        }
    }

    private func saveToken(
        _ key: TokenKey, _ secret: String, account: Int64, granted: ScopeSet = ScopeSet([]), expiresOn: Int64?,
        refreshOn: Int64? = nil, savedOn: Int64
    ) throws {
        let sealed = try openedSeal().seal(secret, key, column: .secret)
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

    private func replaceCurrent(with id: Int64, tenant: Int64, _ account: Account) throws {
        let place: [Value] = [.integer(tenant), .text(account.clientID), .text(account.policy.lowercased)]
        let here = " WHERE tenant = ? AND client_id = ? AND policy_key = ? AND role = ?"
        let old = try database.first(
            "SELECT account FROM current_accounts" + here, place + [.text(CurrentRole.current.rawValue)]
        ) { row in try row.integer(0) }
        if old == id { return }
        try database.execute("DELETE FROM current_accounts WHERE account = ?", [.integer(id)])
        if let old {
            try database.execute(
                "DELETE FROM current_accounts" + here, place + [.text(CurrentRole.previous.rawValue)])
            try database.execute(
                "UPDATE current_accounts SET role = 'previous' WHERE account = ?", [.integer(old)])
        }
        try database.execute(
            """
            INSERT INTO current_accounts (tenant, client_id, policy_key, role, account)
            VALUES (?, ?, ?, 'current', ?)
            """, place + [.integer(id)])
    }

    /// The one row id that a statement gives.
    private func rowID(_ sql: String, _ values: [Value]) throws -> Int64 {
        guard let id = try database.first(sql, values, { row in try row.integer(0) }) else {
            throw StoreError(
                .damaged, path: folder.database, what: "Nothing was saved.",
                why: "A row that was written is not there.",
                next: "Move \(folder.database) away and sign in again.")
        }
        return id
    }
}
