import SusiSQLite

/// Who a tenant knows, in few words.
public struct UserSummary: Hashable, Sendable {
    /// How many users it has.
    public let count: Int
    /// What the first ones sign in with, in the order in which they came.
    public let first: [String]
    /// Whether all who have a password here were given the same one and none has changed it since.
    public let sharesPassword: Bool
}

extension RunningEmulator {
    /// The users that a tenant has now, of whom `limit` are named; nil for a tenant that is not served.
    public func users(of tenant: TenantConfiguration, limit: Int) throws -> UserSummary? {
        try site.tenants.first { $0.configuration == tenant }?.database.summary(naming: limit)
    }
}

extension Database {
    // A password that many share is hashed once; how many hashes there are is counted for a few users only.
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
