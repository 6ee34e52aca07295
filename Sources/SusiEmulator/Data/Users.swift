import FoundationEssentials
import SusiSQLite

/// A user of the tenant, without the password.
struct User: Sendable {
    var objectID: String
    /// An address, a user name, or both: one of them is there.
    var email: String?
    var userName: String?
    /// The number to which a second factor's code is sent.
    var phone: String?
    var displayName: String
    var givenName: String
    var surname: String
    /// What else is known, by the names of the claims: `city`, `extension_Loyalty`…
    var attributes: [String: String] = [:]
    /// The tenant that the user belongs to, when it is another than the one that serves.
    var homeTenant: String?
    /// Who knows the password: nil is this tenant, else for instance `social.example`.
    var identityProvider: String?
    /// Whether the next sign-in begins with a new password.
    var mustResetPassword = false
    /// Whether the next sign-in begins with a new password: only who has one can change it.
    var owesPassword: Bool { mustResetPassword && identityProvider == nil }
    /// Whether nobody may sign in as this user.
    var isBlocked = false
    /// The address that was registered for the code of a second factor.
    var factorEmail: String?

    /// What the person calls the account.
    var signInName: String { email ?? userName ?? objectID }
}

extension User {
    /// The user that a seeded one becomes.
    init(_ seeded: SeededUser) {
        self.init(
            objectID: seeded.objectID.lowercased(), email: seeded.email, userName: seeded.userName,
            phone: seeded.phone, displayName: seeded.displayName, givenName: seeded.givenName,
            surname: seeded.surname, attributes: seeded.attributes, homeTenant: seeded.homeTenant,
            identityProvider: seeded.identityProvider, mustResetPassword: seeded.mustResetPassword,
            isBlocked: seeded.isBlocked, factorEmail: seeded.factorEmail)
    }
}

extension PolicySettings.Identifier {
    /// The columns in which a name is looked up, in this order.
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
        identity_provider, must_reset, blocked, factor_email
        """

    private static func user(_ row: borrowing Row) throws -> User {
        User(
            objectID: try row.text(0), email: try row.optionalText(1), userName: try row.optionalText(2),
            phone: try row.optionalText(3), displayName: try row.text(4), givenName: try row.text(5),
            surname: try row.text(6), attributes: try attributes(try row.text(7)), homeTenant: try row.optionalText(8),
            identityProvider: try row.optionalText(9), mustResetPassword: try row.integer(10) == 1,
            isBlocked: try row.integer(11) == 1, factorEmail: try row.optionalText(12))
    }

    // Most users have none.
    private static func attributes(_ text: String) throws -> [String: String] {
        text == "{}" ? [:] : try JSONDecoder().decode([String: String].self, from: Data(text.utf8))
    }

    private static func text(_ attributes: [String: String]) throws -> String {
        attributes.isEmpty
            ? "{}" : String(decoding: try JSON.object(attributes.mapValues(JSON.string)).encoded(), as: UTF8.self)
    }

    private func user(where condition: String, _ values: [Value]) throws -> User? {
        try read { try user(where: condition, values, $0) }
    }

    private func user(where condition: String, _ values: [Value], _ connection: Connection) throws -> User? {
        try connection.first(
            "SELECT \(Self.userColumns) FROM users WHERE tenant = ? AND \(condition)", [.text(tenant)] + values,
            Self.user)
    }

    /// The users that a condition picks; its own parameters begin at the second one.
    func users(where condition: String, _ values: [Value]) throws -> [User] {
        try read { connection in
            try connection.rows(
                "SELECT \(Self.userColumns) FROM users WHERE tenant = ?1 AND \(condition)", [.text(tenant)] + values,
                Self.user)
        }
    }

    /// The user with that object id.
    func user(objectID: String) throws -> User? { try read { try user(objectID: objectID, $0) } }

    /// The users with these object ids.
    func users(objectIDs: [String]) throws -> [User] {
        let places = objectIDs.indices.map { "?\($0 + 2)" }.joined(separator: ", ")
        return try users(where: "object_id IN (\(places))", objectIDs.map(Value.text))
    }

    /// The same within a transaction.
    func user(objectID: String, _ connection: Connection) throws -> User? {
        try user(where: "object_id = ?", [.text(objectID)], connection)
    }

    /// The user with that address, without regard to case: of this tenant itself, or of another identity provider.
    func user(email: String, of provider: String? = nil) throws -> User? {
        try user(where: "email = ? AND ifnull(identity_provider, '') = ?", [.text(email), .text(provider ?? "")])
    }

    /// The local account that signs in with that name, without regard to case.
    func user(signInName: String, _ identifier: PolicySettings.Identifier) throws -> User? {
        for column in identifier.columns {
            let found = try user(where: "\(column) = ? AND identity_provider IS NULL", [.text(signInName)])
            if let found { return found }
        }
        return nil
    }

    /// The first users whose address, user name, name or object id holds `text`, without regard to case, in the order of
    /// their addresses; those without one come last.
    func users(matching text: String = "", limit: Int = 100) throws -> [User] {
        try read { connection in
            try connection.rows(
                """
                SELECT \(Self.userColumns) FROM users WHERE tenant = ?1 AND (?2 = '' OR instr(
                    lower(ifnull(email, '') || ' ' || ifnull(user_name, '') || ' ' || display_name || ' ' || object_id),
                    lower(?2)) > 0)
                ORDER BY email NULLS LAST, user_name LIMIT ?3
                """, [.text(tenant), .text(text), .int(limit)], Self.user)
        }
    }

    /// All users as a file describes them, in the order in which they came, each with the hash of the password.
    func seededUsers() throws -> [SeededUser] {
        try read { connection in
            try connection.rows(
                "SELECT \(Self.userColumns), password_salt, password_hash FROM users WHERE tenant = ? ORDER BY rowid",
                [.text(tenant)]
            ) { row in
                let user = try Self.user(row)
                var seeded = SeededUser(
                    objectID: user.objectID, email: user.email, userName: user.userName, password: "",
                    displayName: user.displayName, givenName: user.givenName, surname: user.surname,
                    homeTenant: user.homeTenant)
                if let salt = try row.optionalBlob(13), let hash = try row.optionalBlob(14) {
                    seeded.passwordHash = PasswordHash(salt: salt, hash: hash)
                }
                seeded.phone = user.phone
                seeded.factorEmail = user.factorEmail
                seeded.attributes = user.attributes
                seeded.mustResetPassword = user.mustResetPassword
                seeded.isBlocked = user.isBlocked
                seeded.identityProvider = user.identityProvider
                return seeded
            }
        }
    }

    /// The first users of another identity provider, in the order of their addresses.
    func users(of provider: String, limit: Int) throws -> [User] {
        try read { connection in
            try connection.rows(
                """
                SELECT \(Self.userColumns) FROM users WHERE tenant = ? AND identity_provider = ?
                ORDER BY email LIMIT ?
                """, [.text(tenant), .text(provider), .int(limit)], Self.user)
        }
    }

    /// Adds a user, with a password unless another provider knows it; false when the object id, the address or the user
    /// name is taken.
    func add(_ user: User, password: PasswordHash?) throws -> Bool {
        try write { try insert(user, password, $0) }
    }

    @discardableResult
    private func insert(_ user: User, _ password: PasswordHash?, _ connection: Connection) throws -> Bool {
        try connection.execute(
            """
            INSERT INTO users (tenant, \(Self.userColumns), password_salt, password_hash)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            [.text(tenant), .text(user.objectID)] + (try values(of: user))
                + [password.map { .blob($0.salt) } ?? .null, password.map { .blob($0.hash) } ?? .null]) == 1
    }

    // In the order of the columns, after the object id.
    private func values(of user: User) throws -> [Value] {
        [
            .text(orNull: user.email), .text(orNull: user.userName), .text(orNull: user.phone),
            .text(user.displayName), .text(user.givenName), .text(user.surname), .text(try Self.text(user.attributes)),
            .text(orNull: user.homeTenant), .text(orNull: user.identityProvider),
            .integer(user.mustResetPassword ? 1 : 0), .integer(user.isBlocked ? 1 : 0), .text(orNull: user.factorEmail),
        ]
    }

    /// Changes a user as they are now, in one step: what somebody else has changed since a page read them stays. Nil when the
    /// user is gone, or when the new address or user name is taken; what `body` throws leaves all as it was. The object id
    /// and the password do not change.
    @discardableResult
    func change(_ objectID: String, _ body: @Sendable (inout User) throws -> Void) throws -> User? {
        try write { connection in
            let found = try connection.first(
                "SELECT \(Self.userColumns) FROM users WHERE tenant = ? AND object_id = ?",
                [.text(tenant), .text(objectID)], Self.user)
            guard var user = found else { return nil }
            try body(&user)
            let isWritten =
                try connection.execute(
                    """
                    UPDATE OR IGNORE users SET (\(Self.userColumns.dropFirst("object_id, ".count))) =
                        (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE tenant = ? AND object_id = ?
                    """, try values(of: user) + [.text(tenant), .text(objectID)]) == 1
            return isWritten ? user : nil
        }
    }

    /// Removes a user with their sessions and consents; false when there is none.
    func removeUser(objectID: String) throws -> Bool {
        try execute(
            "DELETE FROM users WHERE tenant = ? AND object_id = ?", [.text(tenant), .text(objectID)]) == 1
    }

    /// Changes a user's password, which ends a lock and whatever demanded a new one.
    func setPassword(_ password: PasswordHash, of objectID: String) throws {
        try execute(
            """
            UPDATE users SET password_salt = ?, password_hash = ?, must_reset = 0, failures = 0, locked_until = 0
            WHERE tenant = ? AND object_id = ? AND identity_provider IS NULL
            """, [.blob(password.salt), .blob(password.hash), .text(tenant), .text(objectID)])
    }

    /// Adds a seeded user who is absent. One who was there before stays as they are; one who came `after` that row is in the
    /// same list, and twice in it.
    func seed(
        _ seeded: SeededUser, _ hashes: SharedHashes, after last: Int64 = .max, _ connection: Connection
    ) throws {
        let user = User(seeded)
        let refuse = { (known: Int64?) throws(SeededTwice) in
            if let known, known > last { throw SeededTwice(name: user.signInName) }
        }
        let same = try connection.first(
            "SELECT rowid FROM users WHERE tenant = ? AND object_id = ?", [.text(tenant), .text(user.objectID)]
        ) { row in try row.integer(0) }
        guard same == nil else { return try refuse(same) }
        let isLocal = seeded.identityProvider == nil
        let password = isLocal ? try seeded.passwordHash ?? hashes.hash(seeded.password) : nil
        if try !insert(user, password, connection) { try refuse(try namesake(of: user, connection)) }
    }

    // The row of who has the user's address or user name.
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

/// A user who stands twice in one list.
struct SeededTwice: Error {
    let name: String
}
