import SusiSQLite

/// A user of the tenant, without the password.
struct User: Sendable {
    var objectID: String
    var email: String
    var displayName: String
    var givenName: String
    var surname: String
    /// The tenant that the user belongs to, when it is another than the one that serves.
    var homeTenant: String?
}

extension Database {
    private static let userColumns = "object_id, email, display_name, given_name, surname, home_tenant"

    private static func user(_ row: borrowing Row) throws -> User {
        User(
            objectID: try row.text(0), email: try row.text(1), displayName: try row.text(2),
            givenName: try row.text(3), surname: try row.text(4), homeTenant: try row.optionalText(5))
    }

    /// The user with that object id.
    func user(objectID: String) throws -> User? {
        try read { connection in
            try connection.first(
                "SELECT \(Self.userColumns) FROM users WHERE tenant = ? AND object_id = ?",
                [.text(tenant), .text(objectID)], Self.user)
        }
    }

    /// The user with that address, without regard to case.
    func user(email: String) throws -> User? {
        try read { connection in
            try connection.first(
                "SELECT \(Self.userColumns) FROM users WHERE tenant = ? AND email = ?",
                [.text(tenant), .text(email)], Self.user)
        }
    }

    /// All users, in the order of their addresses.
    func users() throws -> [User] {
        try read { connection in
            try connection.rows(
                "SELECT \(Self.userColumns) FROM users WHERE tenant = ? ORDER BY email LIMIT 100", [.text(tenant)],
                Self.user)
        }
    }

    /// The user whose address and password these are. Takes as long for an unknown address as for a wrong password.
    func user(email: String, password: String) throws -> User? {
        let kept = try read { connection in
            try connection.first(
                "SELECT password_salt, password_hash FROM users WHERE tenant = ? AND email = ?",
                [.text(tenant), .text(email)]
            ) { row in PasswordHash(salt: try row.blob(0), hash: try row.blob(1)) }
        }
        let matches = try (kept ?? .nobody).matches(password)
        return kept != nil && matches ? try user(email: email) : nil
    }

    /// Adds a user; false when the address is taken.
    func add(_ user: User, password: PasswordHash) throws -> Bool {
        try write { try insert(user, password, $0) }
    }

    @discardableResult
    private func insert(_ user: User, _ password: PasswordHash, _ connection: Connection) throws -> Bool {
        try connection.execute(
            "INSERT OR IGNORE INTO users VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                .text(tenant), .text(user.objectID), .text(user.email), .text(user.displayName),
                .text(user.givenName), .text(user.surname), .text(orNull: user.homeTenant), .blob(password.salt),
                .blob(password.hash),
            ]) == 1
    }

    /// Changes a user's names.
    func update(_ user: User) throws {
        try write { connection in
            try connection.execute(
                "UPDATE users SET display_name = ?, given_name = ?, surname = ? WHERE tenant = ? AND object_id = ?",
                [
                    .text(user.displayName), .text(user.givenName), .text(user.surname), .text(tenant),
                    .text(user.objectID),
                ])
            return ()
        }
    }

    /// Changes a user's password.
    func setPassword(_ password: PasswordHash, of objectID: String) throws {
        try write { connection in
            try connection.execute(
                "UPDATE users SET password_salt = ?, password_hash = ? WHERE tenant = ? AND object_id = ?",
                [.blob(password.salt), .blob(password.hash), .text(tenant), .text(objectID)])
            return ()
        }
    }

    /// Adds a seeded user who is absent.
    func seed(_ user: SeededUser, _ hashes: SharedHashes, _ connection: Connection) throws {
        let id = user.objectID.lowercased()
        let isThere = try connection.first(
            "SELECT 1 FROM users WHERE tenant = ? AND object_id = ?", [.text(tenant), .text(id)]
        ) { _ in true }
        guard isThere == nil else { return }
        try insert(
            User(
                objectID: id, email: user.email, displayName: user.displayName, givenName: user.givenName,
                surname: user.surname, homeTenant: user.homeTenant),
            try user.passwordHash ?? hashes.hash(user.password), connection)
    }
}
