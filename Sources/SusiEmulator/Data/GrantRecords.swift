import FoundationEssentials
import SusiPolicies
import SusiSQLite

/// One sign-in of one application, from which its tokens come.
struct GrantRecord: Sendable {
    /// What only some tokens of a grant need.
    struct Details: Codable, Sendable {
        /// What the `claims` parameter asked (OpenID Connect Core section 5.5), as JSON.
        var claims: String?
        /// Parameters of the authorization request that become claims.
        var parameters: [String: String]?
        /// Whether the time of the sign-in was asked by `max_age`.
        var isTimed: Bool?
    }

    var id: Int64 = 0
    let clientID: String
    let policy: String
    let objectID: String
    let scope: String
    let nonce: String?
    let authTime: Int64
    let isNewUser: Bool
    var isRevoked = false
    /// When the last refresh token of this sign-in ends.
    var expires: Int64
    var details = Details()
}

/// A code as it was issued.
struct CodeRecord: Sendable {
    let grant: GrantRecord
    let redirectURI: String
    let challenge: PKCEChallenge
    let issued: Int64
    let expires: Int64
    let isUsed: Bool
}

/// A refresh token as it was issued.
struct RefreshRecord: Sendable {
    let grant: GrantRecord
    /// Whose it is; nil when the user is gone.
    let user: User?
    let issued: Int64
    let expires: Int64
}

extension Database {
    private static let grantColumns = """
        grants.id, client_id, policy, object_id, scope, nonce, auth_time, new_user, revoked, grants.expires, details
        """

    private static func grant(_ row: borrowing Row) throws -> GrantRecord {
        GrantRecord(
            id: try row.integer(0), clientID: try row.text(1), policy: try row.text(2), objectID: try row.text(3),
            scope: try row.text(4), nonce: try row.optionalText(5), authTime: try row.integer(6),
            isNewUser: try row.integer(7) == 1, isRevoked: try row.integer(8) == 1, expires: try row.integer(9),
            details: try details(try row.text(10)))
    }

    // Most grants have none.
    private static func details(_ text: String) throws -> GrantRecord.Details {
        text == "{}" ? .init() : try JSONDecoder().decode(GrantRecord.Details.self, from: Data(text.utf8))
    }

    /// Keeps a grant and returns it with its id.
    func add(_ grant: GrantRecord, now: Int64) throws -> GrantRecord {
        let details = String(decoding: try JSONEncoder().encode(grant.details), as: UTF8.self)
        var kept = grant
        kept.id = try write { connection in
            try ExpiringTable.grants.removeExpired(now: now, in: connection)
            try connection.execute(
                """
                INSERT INTO grants
                    (tenant, client_id, policy, object_id, scope, nonce, auth_time, new_user, expires, details)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    .text(tenant), .text(grant.clientID), .text(grant.policy), .text(grant.objectID),
                    .text(grant.scope), .text(orNull: grant.nonce), .integer(grant.authTime),
                    .integer(grant.isNewUser ? 1 : 0), .integer(grant.expires), .text(details),
                ])
            return connection.lastInsertedID
        }
        return kept
    }

    /// The grant with that id.
    func grant(_ id: Int64) throws -> GrantRecord? {
        try read { connection in
            try connection.first(
                "SELECT \(Self.grantColumns) FROM grants WHERE tenant = ? AND id = ?", [.text(tenant), .integer(id)],
                Self.grant)
        }
    }

    /// Keeps a code of a grant and returns it.
    func issueCode(
        _ grant: GrantRecord, redirectURI: String, challenge: PKCEChallenge, now: Int64, lifetime: Int64
    ) throws -> String {
        let code = randomSecret()
        try write { connection in
            try ExpiringTable.codes.removeExpired(now: now, in: connection)
            try connection.execute(
                """
                INSERT INTO codes (hash, grant_id, redirect_uri, challenge, method, issued, expires)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
                [
                    .blob(sha256(code)), .integer(grant.id), .text(redirectURI), .text(challenge.text),
                    .text(challenge.method.rawValue), .integer(now), .integer(now + lifetime),
                ])
            return ()
        }
        return code
    }

    /// The record of a code.
    func code(_ code: String) throws -> CodeRecord? {
        try read { connection in
            try connection.first(
                """
                SELECT \(Self.grantColumns), redirect_uri, challenge, method, issued, codes.expires, used
                FROM codes JOIN grants ON grants.id = grant_id WHERE hash = ? AND tenant = ?
                """, [.blob(sha256(code)), .text(tenant)]
            ) { row in
                CodeRecord(
                    grant: try Self.grant(row), redirectURI: try row.text(11),
                    challenge: PKCEChallenge(
                        method: .init(rawValue: try row.text(13)) ?? .s256, text: try row.text(12)),
                    issued: try row.integer(14), expires: try row.integer(15), isUsed: try row.integer(16) == 1)
            }
        }
    }

    /// Marks a code as used; false when it was already, however close the two came.
    func use(code: String) throws -> Bool {
        try execute("UPDATE codes SET used = 1 WHERE hash = ? AND used = 0", [.blob(sha256(code))]) == 1
    }

    /// Keeps a new refresh token of a grant. Where it `isStrict`, the one that was redeemed for it is marked as used in the
    /// same step; false when it was before, however close the two came: then all that came from the sign-in is revoked
    /// (RFC 9700 section 4.14.2).
    func keep(
        refreshToken new: String?, expires: Int64, replacing old: String?, isStrict: Bool, of grant: GrantRecord,
        now: Int64
    ) throws -> Bool {
        guard new != nil || old != nil else { return true }
        return try write { connection in
            if let old, isStrict {
                let isFirstUse =
                    try connection.execute(
                        "UPDATE refresh_tokens SET used = 1 WHERE hash = ? AND used = 0", [.blob(sha256(old))]) == 1
                guard isFirstUse else {
                    try revoke(grant, connection)
                    return false
                }
            }
            guard let new else { return true }
            try ExpiringTable.refresh_tokens.removeExpired(now: now, in: connection)
            try connection.execute(
                "INSERT INTO refresh_tokens (hash, grant_id, issued, expires) VALUES (?, ?, ?, ?)",
                [.blob(sha256(new)), .integer(grant.id), .integer(now), .integer(expires)])
            return true
        }
    }

    /// The record of a refresh token.
    func refreshToken(_ token: String) throws -> RefreshRecord? {
        try read { connection in
            try connection.first(
                """
                SELECT \(Self.grantColumns), issued, refresh_tokens.expires
                FROM refresh_tokens JOIN grants ON grants.id = grant_id WHERE hash = ? AND tenant = ?
                """, [.blob(sha256(token)), .text(tenant)]
            ) { row in
                let grant = try Self.grant(row)
                return RefreshRecord(
                    grant: grant, user: try user(objectID: grant.objectID, connection), issued: try row.integer(11),
                    expires: try row.integer(12))
            }
        }
    }

    /// Lets a grant end as the record says.
    func shorten(_ grant: GrantRecord) throws {
        try execute(
            "UPDATE grants SET expires = ? WHERE id = ?", [.integer(grant.expires), .integer(grant.id)])
    }

    /// Revokes everything that came from one sign-in.
    func revoke(_ grant: GrantRecord) throws { try write { try revoke(grant, $0) } }

    private func revoke(_ grant: GrantRecord, _ connection: Connection) throws {
        try connection.execute("UPDATE grants SET revoked = 1 WHERE id = ?", [.integer(grant.id)])
    }
}
