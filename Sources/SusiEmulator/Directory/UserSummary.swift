import SusiSQLite

package struct UserSummary: Hashable, Sendable {
    package let count: Int
    /// The sign-in names of the first users, in the order of their creation.
    package let first: [String]
    /// Whether all local users still have the same initial password.
    package let sharesPassword: Bool
}

extension RunningEmulator {
    /// The current users of a tenant, `limit` of them by name; nil for a tenant that is not served.
    package func users(of tenant: TenantConfiguration, limit: Int) throws -> UserSummary? {
        try site.tenants.first { $0.configuration == tenant }?.database.summary(naming: limit)
    }
}

extension Database {
    // A shared password is hashed once. Hashes are counted for a few users only.
    fileprivate func summary(naming limit: Int) throws -> UserSummary {
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
            return UserSummary(count: count ?? 0, first: first, sharesPassword: hashes == 1 && count ?? 0 <= 1_000)
        }
    }
}
