import SusiSQLite

package struct UserSummary: Hashable, Sendable {
    package let count: Int
    /// The sign-in names of the first users, in the order of their creation.
    package let first: [String]
    /// Whether all local users still have the same initial password.
    package let sharesPassword: Bool
    /// The number of configured users who are stored with other values: changed here, or later in the tenant file.
    package let changed: Int
}

extension RunningEmulator {
    /// The current users of a tenant, `limit` of them by name; nil for a tenant that is not served.
    package func users(of tenant: TenantConfiguration, limit: Int) throws -> UserSummary? {
        try site.tenants.first { $0.configuration == tenant }?.database.summary(of: tenant.users, naming: limit)
    }
}

extension Database {
    // A shared password is hashed once. Hashes are counted for a few users only.
    fileprivate func summary(of configured: [User], naming limit: Int) throws -> UserSummary {
        try read { connection in
            let count = try connection.first("SELECT count(*) FROM users WHERE tenant = ?", [.text(tenant)]) {
                Int(try $0.integer(0))
            }
            let first = try connection.rows(
                "SELECT coalesce(email, user_name, object_id) FROM users WHERE tenant = ? ORDER BY rowid LIMIT ?",
                [.text(tenant), .int(limit)]
            ) { try $0.text(0) }
            let hashes = try connection.first(
                """
                SELECT count(DISTINCT password_salt || password_hash) FROM
                    (SELECT password_salt, password_hash FROM users WHERE tenant = ? LIMIT 1000)
                """, [.text(tenant)]
            ) { Int(try $0.integer(0)) }
            return UserSummary(
                count: count ?? 0, first: first, sharesPassword: hashes == 1 && count ?? 0 <= 1_000,
                changed: try changed(configured.prefix(1_000), connection))
        }
    }

    private func changed(_ configured: ArraySlice<User>, _ connection: Connection) throws -> Int {
        // Hashing is slow: a shared password is compared once, and a few others.
        var (known, comparisons): ([PasswordHash: String], Int) = ([:], 5)
        return try configured.count { user in
            let stored = try connection.first(
                "SELECT record, password_salt, password_hash FROM users WHERE tenant = ? AND object_id = ?",
                [.text(tenant), .text(user.objectID.lowercased())]
            ) { row in
                let isLocal = user.identityProvider == nil
                let hash = isLocal ? PasswordHash(salt: try row.blob(1), hash: try row.blob(2)) : nil
                return (record: try row.text(0), hash: hash)
            }
            guard let stored else { return false }
            guard stored.record == user.record else { return true }
            guard let hash = stored.hash else { return false }
            if let given = user.passwordHash { return given != hash }
            guard known[hash] != user.password, comparisons > 0 else { return false }
            comparisons -= 1
            guard try hash.matches(user.password) else { return true }
            known[hash] = user.password
            return false
        }
    }
}
