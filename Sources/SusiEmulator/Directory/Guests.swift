import SusiPolicies
import SusiSQLite

/// Guests of a tenant. A guest has an object ID of the tenant's own; the home tenant, which the same emulator may
/// serve, knows the password.
extension User {
    /// The ID of a guest's home tenant; nil for everyone else.
    var guestOf: String? { identityProvider.flatMap { SchemaNode.Text.guid.allows($0) ? $0.lowercased() : nil } }

    func principalName(in tenant: String) -> String {
        guestOf == nil ? signInName : "\(signInName.replacing("@", with: "_"))#EXT#@\(tenant)"
    }
}

/// A refresh token that another tenant issued.
struct ForeignRefreshToken: Sendable {
    let record: RefreshRecord
    let homeTenantID: String
    /// The user in the home tenant; nil if the user was deleted.
    let home: User?
}

extension Database {
    /// The guests with that email address, ignoring case.
    func guests(email: String) throws -> [User] {
        // In the words of the index by email.
        try users(where: "email = ?2 AND ifnull(identity_provider, '') <> ''", [.text(email)])
            .filter { $0.guestOf != nil }
    }

    /// The guest's account in the home tenant; nil if this emulator does not have it.
    func home(of guest: User) throws -> User? {
        try guest.email.flatMap { email in try homeRows(of: guest)?.user(email: email) }
    }

    /// The rows with the guest's account in the home tenant. A personal account is in the rows of a tenant that serves it.
    func homeRows(of guest: User) throws -> Database? {
        guard let home = guest.guestOf, let email = guest.email else { return nil }
        let key = try read { connection in
            try connection.first(
                """
                SELECT tenant FROM users
                WHERE tenant = ?2 AND email = ?1 AND ifnull(identity_provider, '') = '' AND home_tenant IS NULL
                UNION ALL
                SELECT tenant FROM users
                WHERE email = ?1 AND identity_provider IS NULL AND home_tenant = ?3 AND substr(tenant, 1, length(?4)) = ?4
                """, [.text(email), .text(homePrefix + home), .text(home), .text(homePrefix)]
            ) { row in try row.text(0) }
        }
        return key.map { Database(file: file, tenant: $0) }
    }

    /// The account here of a user of another tenant, or of this one.
    func user(home: User, of tenantID: String) throws -> User? {
        if tenantID == self.tenantID { return try user(objectID: home.objectID) }
        return try home.email.flatMap { try guests(email: $0).first { $0.guestOf == tenantID } }
    }

    /// A refresh token that another tenant of the same kind issued.
    func foreignRefreshToken(_ token: String) throws -> ForeignRefreshToken? {
        let issuer = try read { connection in
            try connection.first(
                """
                SELECT tenant FROM refresh_tokens JOIN grants ON grants.id = grant_id
                WHERE hash = ? AND tenant <> ? AND substr(tenant, 1, length(?3)) = ?3
                """, [.blob(sha256(token)), .text(tenant), .text(prefix)]
            ) { row in try row.text(0) }
        }
        guard let issuer else { return nil }
        let database = Database(file: file, tenant: issuer)
        guard let record = try database.refreshToken(token) else { return nil }
        let user = record.user
        let guestOf = user?.guestOf
        return ForeignRefreshToken(
            record: record, homeTenantID: guestOf ?? user?.homeTenant ?? database.tenantID,
            home: guestOf == nil ? user : try user.flatMap { try database.home(of: $0) })
    }

    /// Whether users here have that home tenant, which the emulator does not serve.
    func isHome(_ id: String) -> Bool {
        guard SchemaNode.Text.guid.allows(id) else { return false }
        let found = try? read { connection in
            try connection.first(
                """
                SELECT 1 FROM users WHERE tenant = ?1 AND home_tenant = ?2
                AND NOT EXISTS (SELECT 1 FROM users WHERE tenant = ?3)
                """, [.text(tenant), .text(id), .text(prefix + id)]
            ) { _ in true }
        }
        return found.flatMap(\.self) ?? false
    }

    // The home tenant of a guest may be of another kind.
    private var homePrefix: String {
        AuthorityKind(rawValue: String(prefix.dropLast()))?.dialect.traits.guestsOf.map { "\($0.rawValue)/" } ?? prefix
    }

    // The key of a tenant is its kind and its ID.
    private var prefix: String { String(tenant.prefix { $0 != "/" }) + "/" }
    private var tenantID: String { String(tenant.dropFirst(prefix.count)) }
}
