import SusiSQLite

extension PolicySettings.Identifier {
    /// The columns in which to look up a name, in this order.
    var columns: [String] {
        switch self {
        case .email: ["email"]
        case .userName: ["user_name"]
        case .either: ["email", "user_name"]
        }
    }
}

extension Database {
    private static let userColumns = """
        object_id, email, user_name, phone, display_name, given_name, surname, attributes, home_tenant, \
        identity_provider, must_reset, blocked, factor_email, locked_until, totp_secret
        """

    private static func user(_ row: borrowing Row) throws -> User {
        var user = User(
            objectID: try row.text(0), email: try row.optionalText(1), userName: try row.optionalText(2),
            displayName: try row.text(4), givenName: try row.text(5), surname: try row.text(6),
            homeTenant: try row.optionalText(8), identityProvider: try row.optionalText(9))
        user.phone = try row.optionalText(3)
        user.attributes = try attributes(try row.text(7))
        user.mustResetPassword = try row.integer(10) == 1
        user.isBlocked = try row.integer(11) == 1
        user.factorEmail = try row.optionalText(12)
        user.lockedUntil = try row.integer(13)
        user.totpSecret = try row.optionalText(14)
        return user
    }

    // Most users have no attributes.
    private static func attributes(_ text: String) throws -> [String: JSON] {
        text == "{}" ? [:] : try JSON(parsing: text.utf8).members ?? [:]
    }

    private func user(where condition: String, _ values: [Value]) throws -> User? {
        try read { try user(where: condition, values, $0) }
    }

    private func user(where condition: String, _ values: [Value], _ connection: Connection) throws -> User? {
        try connection.first(
            "SELECT \(Self.userColumns) FROM users WHERE tenant = ? AND \(condition)", [.text(tenant)] + values,
            Self.user)
    }

    /// The users that match a condition, whose parameters are numbered from `?2`.
    func users(where condition: String, _ values: [Value]) throws -> [User] {
        try read { connection in
            try connection.rows(
                "SELECT \(Self.userColumns) FROM users WHERE tenant = ?1 AND \(condition)", [.text(tenant)] + values,
                Self.user)
        }
    }

    func user(objectID: String) throws -> User? { try read { try user(objectID: objectID, $0) } }

    func users(objectIDs: [String]) throws -> [User] {
        let places = objectIDs.indices.map { "?\($0 + 2)" }.joined(separator: ", ")
        return try users(where: "object_id IN (\(places))", objectIDs.map(Value.text))
    }

    /// The same within a transaction.
    func user(objectID: String, _ connection: Connection) throws -> User? {
        try user(where: "object_id = ?", [.text(objectID)], connection)
    }

    /// The user with that email address, ignoring case, of this tenant or another identity provider.
    func user(email: String, of provider: String? = nil) throws -> User? {
        try user(where: "email = ? AND ifnull(identity_provider, '') = ?", [.text(email), .text(provider ?? "")])
    }

    /// The local account with that sign-in name, ignoring case.
    func user(signInName: String, _ identifier: PolicySettings.Identifier) throws -> User? {
        for column in identifier.columns {
            let found = try user(where: "\(column) = ? AND identity_provider IS NULL", [.text(signInName)])
            if let found { return found }
        }
        return nil
    }

    /// The first users whose email address, user name, name or object id contains `text`, ignoring case, sorted by email address;
    /// those without one come last.
    func users(matching text: String = "", limit: Int = 100) throws -> [User] {
        try users(
            where: """
                (?2 = '' OR instr(
                    lower(ifnull(email, '') || ' ' || ifnull(user_name, '') || ' ' || display_name || ' ' || object_id),
                    lower(?2)) > 0)
                ORDER BY email NULLS LAST, user_name LIMIT ?3
                """, [.text(text), .int(limit)])
    }

    /// All users in the order of their creation, with the hashes of their passwords.
    func usersWithHashes() throws -> [User] {
        try read { connection in
            try connection.rows(
                "SELECT \(Self.userColumns), password_salt, password_hash FROM users WHERE tenant = ? ORDER BY rowid",
                [.text(tenant)]
            ) { row in
                var user = try Self.user(row)
                if let salt = try row.optionalBlob(15), let hash = try row.optionalBlob(16) {
                    user.passwordHash = PasswordHash(salt: salt, hash: hash)
                }
                return user
            }
        }
    }

    /// The first users of another identity provider, sorted by email address.
    func users(of provider: String, limit: Int) throws -> [User] {
        try users(where: "identity_provider = ?2 ORDER BY email LIMIT ?3", [.text(provider), .int(limit)])
    }

    /// Adds a user, with a password unless another provider checks it. Returns `false` if the object id, the email address or the
    /// user name exists.
    func add(_ user: User, password: PasswordHash?) throws -> Bool {
        try write { try insert(user, password: password, $0) }
    }

    @discardableResult
    private func insert(_ user: User, password: PasswordHash?, _ connection: Connection) throws -> Bool {
        try connection.execute(
            """
            INSERT INTO users (tenant, \(Self.userColumns), password_salt, password_hash)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            [.text(tenant), .text(user.objectID)] + (try values(of: user))
                + [password.map { .blob($0.salt) } ?? .null, password.map { .blob($0.hash) } ?? .null]) == 1
    }

    // The columns after the object id, in their order.
    private func values(of user: User) throws -> [Value] {
        [
            .text(orNull: user.email), .text(orNull: user.userName), .text(orNull: user.phone),
            .text(user.displayName), .text(user.givenName), .text(user.surname),
            .text(String(decoding: try JSON.object(user.attributes).encoded(), as: UTF8.self)),
            .text(orNull: user.homeTenant), .text(orNull: user.identityProvider),
            .integer(user.mustResetPassword ? 1 : 0), .integer(user.isBlocked ? 1 : 0), .text(orNull: user.factorEmail),
            .integer(user.lockedUntil), .text(orNull: user.totpSecret),
        ]
    }

    /// Changes a user in one step, without overwriting other changes since a page read the user. Returns `nil` if the user was
    /// deleted, or if the new email address or user name exists. Object id and password do not change.
    @discardableResult
    func change(_ objectID: String, _ body: @Sendable (inout User) throws -> Void) throws -> User? {
        try write { connection in
            guard var user = try user(objectID: objectID, connection) else { return nil }
            try body(&user)
            let isWritten =
                try connection.execute(
                    """
                    UPDATE OR IGNORE users SET (\(Self.userColumns.dropFirst("object_id, ".count))) =
                        (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE tenant = ? AND object_id = ?
                    """, try values(of: user) + [.text(tenant), .text(objectID)]) == 1
            return isWritten ? user : nil
        }
    }

    /// Removes a user with their sessions and consents. Returns whether the user existed.
    func removeUser(objectID: String) throws -> Bool {
        try execute(
            "DELETE FROM users WHERE tenant = ? AND object_id = ?", [.text(tenant), .text(objectID)]) == 1
    }

    /// Changes a user's password, unlocks the account, clears the demand for a new password, and ends the sessions and grants of
    /// the old one.
    func setPassword(_ password: PasswordHash, of objectID: String) throws {
        try write { connection in
            try connection.execute(
                """
                UPDATE users SET password_salt = ?, password_hash = ?, must_reset = 0, failures = 0, locked_until = 0
                WHERE tenant = ? AND object_id = ? AND identity_provider IS NULL
                """, [.blob(password.salt), .blob(password.hash), .text(tenant), .text(objectID)])
            try connection.execute(
                "UPDATE grants SET revoked = 1 WHERE tenant = ? AND object_id = ?", [.text(tenant), .text(objectID)])
            try connection.execute(
                "DELETE FROM sessions WHERE tenant = ? AND object_id = ?", [.text(tenant), .text(objectID)])
        }
    }

    /// Adds a seeded user, unless the user exists. Throws `SeededTwice` if the existing user is `after` that row,
    /// because the list then has a duplicate.
    func seed(_ seeded: User, hashes: SharedHashes, after last: Int64 = .max, _ connection: Connection) throws {
        var user = seeded
        user.objectID = seeded.objectID.lowercased()
        let refuse = { [user] (known: Int64?) throws(SeededTwice) in
            if let known, known > last { throw SeededTwice(name: user.signInName) }
        }
        let same = try connection.first(
            "SELECT rowid FROM users WHERE tenant = ? AND object_id = ?", [.text(tenant), .text(user.objectID)]
        ) { row in try row.integer(0) }
        guard same == nil else { return try refuse(same) }
        let isLocal = user.identityProvider == nil
        let password = isLocal ? try user.passwordHash ?? hashes.hash(user.password) : nil
        if try !insert(user, password: password, connection) { try refuse(try namesake(of: user, connection)) }
    }

    // The row of the user with the same email address or user name.
    private func namesake(of user: User, _ connection: Connection) throws -> Int64? {
        try connection.first(
            """
            SELECT max(rowid) FROM users WHERE tenant = ?
                AND (email = ? AND ifnull(identity_provider, '') = ifnull(?, '') OR user_name = ?)
            """,
            [
                .text(tenant), .text(orNull: user.email), .text(orNull: user.identityProvider),
                .text(orNull: user.userName),
            ]
        ) { row in try row.optionalInteger(0) } ?? nil
    }
}

/// A duplicate user in a list.
struct SeededTwice: Error {
    let name: String
}
