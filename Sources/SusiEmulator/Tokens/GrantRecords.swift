import SusiBase
import SusiJourneys
import SusiPolicies
import SusiSQLite

/// A sign-in to an application, from which its tokens are issued.
struct GrantRecord: Sendable {
    /// Optional parameters of a grant.
    struct Details: Codable, Sendable {
        /// The `claims` parameter (OpenID Connect Core section 5.5), as JSON.
        var claims: String?
        /// Parameters of the authorization request that become claims.
        var parameters: [String: String]?
        /// Whether the request had `max_age`.
        var isTimed: Bool?
        /// The type of the redirect address.
        var redirectType: RedirectType?
        /// The user's claims at the sign-in, as JSON, if a refresh repeats them.
        var userClaims: String?
        /// The claims that the developer's code gave for the tokens of the sign-in, as JSON.
        var codeClaims: String?
        /// What the journey of a custom policy issued.
        var journey: JourneyClaims?

        /// The user with these claims.
        func adding(to user: User) throws -> User {
            try codeClaims.map { user.adding(try JSON(parsing: $0.utf8).members ?? [:]) } ?? user
        }
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
    /// When the last refresh token of this sign-in expires.
    var expires: Int64
    var details = Details()
}

/// The claims that a journey issued for the tokens of a sign-in, and those that its refresh starts from (spec §9).
struct JourneyClaims: Codable, Sendable {
    private let text: String
    let subject: String?
    let stored: ClaimsBag

    init(_ issued: IssuedClaims) {
        text = JSON.object(issued.claims.mapValues { JSON($0) }).text
        (subject, stored) = (issued.subject, issued.stored)
    }

    var claims: JSON { (try? JSON(parsing: text.utf8)) ?? [:] }
}

struct CodeRecord: Sendable {
    let grant: GrantRecord
    let redirectURI: String
    let challenge: PKCEChallenge
    let issued: Int64
    let expires: Int64
    let isUsed: Bool
}

struct RefreshRecord: Sendable {
    let grant: GrantRecord
    /// Its user; nil if the user was deleted.
    let user: User?
    let issued: Int64
    let expires: Int64
}

extension Database {
    private static func grant(_ row: borrowing Row) throws -> GrantRecord {
        GrantRecord(
            id: try row.integer("id"), clientID: try row.text("client_id"), policy: try row.text("policy"),
            objectID: try row.text("object_id"), scope: try row.text("scope"), nonce: try row.optionalText("nonce"),
            authTime: try row.integer("auth_time"), isNewUser: try row.integer("new_user") == 1,
            isRevoked: try row.integer("revoked") == 1, expires: try row.integer("expires"),
            details: try details(try row.text("details")))
    }

    // Most grants have no details.
    private static func details(_ text: String) throws -> GrantRecord.Details {
        text == "{}" ? .init() : try value(GrantRecord.Details.self, text)
    }

    /// Stores a grant and returns it with its id.
    func add(_ grant: GrantRecord, now: Int64) throws -> GrantRecord {
        var kept = grant
        kept.id = try insert(
            into: .grants,
            [
                "tenant": .text(tenant), "client_id": .text(grant.clientID), "policy": .text(grant.policy),
                "object_id": .text(grant.objectID), "scope": .text(grant.scope), "nonce": .text(orNull: grant.nonce),
                "auth_time": .integer(grant.authTime), "new_user": .integer(grant.isNewUser ? 1 : 0),
                "expires": .integer(grant.expires), "details": .text(try Self.json(grant.details)),
            ], now: now)
        return kept
    }

    func grant(_ id: Int64) throws -> GrantRecord? {
        try read { connection in
            try connection.first(
                "SELECT * FROM grants WHERE tenant = ? AND id = ?", [.text(tenant), .integer(id)], Self.grant)
        }
    }

    func issueCode(
        _ grant: GrantRecord, redirectURI: String, challenge: PKCEChallenge, now: Int64, lifetime: Int64
    ) throws -> String {
        let code = RandomBytes.text()
        try insert(
            into: .codes,
            [
                "hash": .blob(sha256(code)), "grant_id": .integer(grant.id), "redirect_uri": .text(redirectURI),
                "challenge": .text(challenge.text), "method": .text(challenge.method.rawValue),
                "issued": .integer(now), "expires": .integer(now + lifetime),
            ], now: now)
        return code
    }

    func code(_ code: String) throws -> CodeRecord? {
        try read { connection in
            try connection.first(
                """
                SELECT grants.*, redirect_uri, challenge, method, issued, codes.expires AS ends, used
                FROM codes JOIN grants ON grants.id = grant_id WHERE hash = ? AND tenant = ?
                """, [.blob(sha256(code)), .text(tenant)]
            ) { row in
                CodeRecord(
                    grant: try Self.grant(row), redirectURI: try row.text("redirect_uri"),
                    challenge: PKCEChallenge(
                        method: .init(rawValue: try row.text("method")) ?? .s256, text: try row.text("challenge")),
                    issued: try row.integer("issued"), expires: try row.integer("ends"),
                    isUsed: try row.integer("used") == 1)
            }
        }
    }

    /// Marks a code as used. Returns `false` if it was used before, also by a request at the same time.
    func use(code: String) throws -> Bool {
        try execute("UPDATE codes SET used = 1 WHERE hash = ? AND used = 0", [.blob(sha256(code))]) == 1
    }

    /// Stores a new refresh token of a grant. With `isStrict` it also marks the redeemed one as used. If that was used before, it
    /// revokes everything from the sign-in and returns `false` (RFC 9700 section 4.14.2).
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
            try insert(
                into: .refresh_tokens,
                [
                    "hash": .blob(sha256(new)), "grant_id": .integer(grant.id), "issued": .integer(now),
                    "expires": .integer(expires),
                ], now: now, connection)
            return true
        }
    }

    func refreshToken(_ token: String) throws -> RefreshRecord? {
        try read { connection in
            try connection.first(
                """
                SELECT grants.*, issued, refresh_tokens.expires AS ends
                FROM refresh_tokens JOIN grants ON grants.id = grant_id WHERE hash = ? AND tenant = ?
                """, [.blob(sha256(token)), .text(tenant)]
            ) { row in
                let grant = try Self.grant(row)
                return RefreshRecord(
                    grant: grant, user: try user(objectID: grant.objectID, connection),
                    issued: try row.integer("issued"), expires: try row.integer("ends"))
            }
        }
    }

    /// Stores the expiry of a grant.
    func shorten(_ grant: GrantRecord) throws {
        try execute(
            "UPDATE grants SET expires = ? WHERE id = ?", [.integer(grant.expires), .integer(grant.id)])
    }

    /// Revokes everything that was issued from one sign-in.
    func revoke(_ grant: GrantRecord) throws { try write { try revoke(grant, $0) } }

    private func revoke(_ grant: GrantRecord, _ connection: Connection) throws {
        try connection.execute("UPDATE grants SET revoked = 1 WHERE id = ?", [.integer(grant.id)])
    }
}
