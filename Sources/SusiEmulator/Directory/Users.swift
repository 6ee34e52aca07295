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
    private static func user(_ row: borrowing Row) throws -> User {
        var user = try User(objectID: try row.text("object_id"), record: try row.text("record"))
        user.lockedUntil = try row.integer("locked_until")
        return user
    }

    private func user(where condition: String, _ values: [Value]) throws -> User? {
        try read { try user(where: condition, values, $0) }
    }

    private func user(where condition: String, _ values: [Value], _ connection: Connection) throws -> User? {
        try connection.first(
            "SELECT * FROM users WHERE tenant = ? AND \(condition)", [.text(tenant)] + values, Self.user)
    }

    /// The users that match a condition, whose parameters are numbered from `?2`.
    func users(where condition: String, _ values: [Value]) throws -> [User] {
        try read { connection in
            try connection.rows(
                "SELECT * FROM users WHERE tenant = ?1 AND \(condition)", [.text(tenant)] + values, Self.user)
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
            try connection.rows("SELECT * FROM users WHERE tenant = ? ORDER BY rowid", [.text(tenant)]) { row in
                var user = try Self.user(row)
                if user.identityProvider == nil {
                    user.passwordHash = PasswordHash(
                        salt: try row.blob("password_salt"), hash: try row.blob("password_hash"))
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
        let columns = try columns(of: user)
        return try connection.execute(
            """
            INSERT INTO users (tenant, object_id, password_salt, password_hash, \(columns.names))
            VALUES (?, ?, ?, ?, \(columns.marks)) ON CONFLICT DO NOTHING
            """,
            [
                .text(tenant), .text(user.objectID), password.map { .blob($0.salt) } ?? .null,
                password.map { .blob($0.hash) } ?? .null,
            ] + columns.map(\.value)) == 1
    }

    // The record, and what is searched or changed without it.
    private func columns(of user: User) throws -> KeyValuePairs<String, Value> {
        [
            "record": .text(user.record), "email": .text(orNull: user.email),
            "user_name": .text(orNull: user.userName), "display_name": .text(user.displayName),
            "home_tenant": .text(orNull: user.homeTenant), "identity_provider": .text(orNull: user.identityProvider),
            "locked_until": .integer(user.lockedUntil),
        ]
    }

    /// Changes a user in one step, without overwriting other changes since a page read the user. Returns `nil` if the user was
    /// deleted, or if the new email address or user name exists. The object id does not change. A new `password` unlocks the
    /// account, clears the demand for one unless `body` sets it, and ends the sessions and grants of the old one.
    @discardableResult
    func change(
        _ objectID: String, password: PasswordHash? = nil, _ body: @Sendable (inout User) throws -> Void = { _ in }
    ) throws -> User? {
        try write { connection in
            guard var user = try user(objectID: objectID, connection) else { return nil }
            if password != nil { user.mustResetPassword = false }
            try body(&user)
            if password != nil { user.lockedUntil = 0 }
            let columns = try columns(of: user)
            let isWritten =
                try connection.execute(
                    """
                    UPDATE OR IGNORE users SET (\(columns.names)) = (\(columns.marks))
                    WHERE tenant = ? AND object_id = ?
                    """, columns.map(\.value) + [.text(tenant), .text(objectID)]) == 1
            guard isWritten else { return nil }
            if let password { try set(password, of: objectID, connection) }
            return user
        }
    }

    /// Removes a user with their sessions and consents. Returns whether the user existed.
    func removeUser(objectID: String) throws -> Bool {
        try execute(
            "DELETE FROM users WHERE tenant = ? AND object_id = ?", [.text(tenant), .text(objectID)]) == 1
    }

    private func set(_ password: PasswordHash, of objectID: String, _ connection: Connection) throws {
        let key: [Value] = [.text(tenant), .text(objectID)]
        try connection.execute(
            """
            UPDATE users SET password_salt = ?, password_hash = ?, failures = 0
            WHERE tenant = ? AND object_id = ? AND identity_provider IS NULL
            """, [.blob(password.salt), .blob(password.hash)] + key)
        try connection.execute("UPDATE grants SET revoked = 1 WHERE tenant = ? AND object_id = ?", key)
        try connection.execute("DELETE FROM sessions WHERE tenant = ? AND object_id = ?", key)
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
