import FoundationEssentials
import SusiBase
import SusiPolicies

extension User {
    /// The keys of a user in a tenant file and in a file with users.
    static let entries: [Entry<User>] = [
        .init("email", \.email, .text(.email), "the email address; required without a user name"),
        .init(
            "userName", \.userName, .text(.userName), "the user name, in addition to or instead of the email address"),
        .init("phone", \.phone, .text(), "the phone number for the second factor"),
        .init(
            "factorEmail", \.factorEmail, .text(.email),
            "the email address registered for the second factor"),
        .init(
            "totpSecret", \.totpSecret, .text(.base32), "the secret of the authenticator app for the second factor"),
        .init(
            "objectId", \.objectID, .text(.guid),
            "the object ID; derived from the tenant's ID and the email address or user name by default"),
        .init("password", \.password, .text(), "the initial password; default: Passw0rd!"),
        .init(
            "passwordHash", \.passwordHash, .object(PasswordHash.entries, usual: PasswordHash(salt: [], hash: [])),
            "the password hash from an emulator's database, instead of password"),
        .init("displayName", \.displayName, .text(), "the display name"),
        .init("givenName", \.givenName, .text(), "the given name"),
        .init("surname", \.surname, .text(), "the surname"),
        .init("attributes", \.attributes, .attributes, "further attributes, by claim name"),
        .init(
            "homeTenant", \.homeTenant, .text(.name),
            "the ID of the user's home tenant, if it is a different tenant"),
        .init(
            "mustResetPassword", \.mustResetPassword, .flag,
            "whether the user must choose a new password at the first sign-in"
        ),
        .init("isBlocked", \.isBlocked, .flag, "whether sign-in is blocked for this user"),
        .init(
            "identityProvider", \.identityProvider, .text(.name),
            "the identity provider that checks the password instead of the tenant, for example social.example; in a tenant of the kind entra or external, the ID of the tenant whose guest the user is"
        ),
    ]

    /// Reads a user from a checked object. Derives missing values from the email address or the user name.
    init(_ node: JSONNode, of tenant: TenantConfiguration, _ reader: FileReader) throws(PolicyFileError) {
        let text = { (key: String) in node[key]?.string }
        let name = text("email") ?? text("userName") ?? ""
        let local = String(name.prefix { $0 != "@" })
        let names = [text("givenName"), text("surname")].compactMap(\.self).joined(separator: " ")
        let source = text("identityProvider").map { "\($0) " } ?? ""
        self.init(
            objectID: derivedGUID("\(tenant.id.lowercased()) \(source)\(name.lowercased())"),
            displayName: names.isEmpty ? local : names)
        try Self.entries.read(node, into: &self, reader)
        if let attributes = node["attributes"] {
            do throws(PolicyFileError) { try tenant.checkAttributes(attributes, reader) } catch {
                throw error.under("attributes")
            }
        }
        objectID = objectID.lowercased()
        if let problem = problem(node) { throw reader.mistake(node, problem) }
        let needsPassword = passwordHash == nil && identityProvider == nil
        if needsPassword, text("password") == nil { password = Self.usualPassword }
    }

    // A key with an invalid value counts as present.
    private func problem(_ node: JSONNode) -> String? {
        let hasPassword = node["password"]?.string != nil
        if node["email"] == nil, node["userName"] == nil { return "“email” or “userName” is missing" }
        if hasPassword, passwordHash != nil { return "“password” and “passwordHash” cannot be combined" }
        if let hash = passwordHash?.hash, hash.count != 32 { return "“hash” has \(hash.count) bytes, not 32" }
        guard let provider = identityProvider else { return nil }
        if node["email"] == nil { return "a user of “\(provider)” needs an “email”" }
        return !hasPassword && passwordHash == nil ? nil : "a user of “\(provider)” cannot have a password"
    }

    /// The value to write: the password only where it counts, what a missing value would be derived for always.
    var written: JSONNode {
        let isLocal = passwordHash == nil && identityProvider == nil
        let entries = Self.entries.filter { isLocal || $0.field.name != "password" }
        // No text equals this one, so that every text is written.
        let other = "\u{0}"
        let usual = User(objectID: other, password: other, displayName: other)
        return entries.written(self, usual: usual)
    }
}

/// A user in a row of a database, and as the admin API shows it.
extension User {
    private static let recorded = entries.filter { !["objectId", "password", "passwordHash"].contains($0.field.name) }

    static let lock = SchemaNode.Field(
        "lockedUntil", .integer(EmulatorClock.times), "the end of the lock after wrong passwords, in epoch seconds")

    /// A user as the admin API shows it.
    static let shown = SchemaNode.object(
        recorded.map(\.field) + [.init("objectId", .text(.guid), required: true, "the object ID"), lock])

    private var members: [String: JSON] {
        JSON(Self.recorded.written(self)).members ?? [:]
    }

    /// All members but the object ID and the password.
    var record: String { JSON.object(members).text }

    init(objectID: String, record: String) throws {
        self.init(objectID: objectID)
        try Self.recorded.read(try JSONNode(parsing: record.utf8), into: &self, .none)
    }

    func json(now: Int64) -> JSON {
        var json = members
        json["objectId"] = .string(objectID)
        json["lockedUntil"] = lockEnd(now: now).map(JSON.integer)
        return .object(json)
    }
}

extension PasswordHash {
    fileprivate static let entries: [Entry<PasswordHash>] = [
        .init("salt", \.salt, .bytes, required: true, "the salt, in base64"),
        .init("hash", \.hash, .bytes, required: true, "the hash, 32 bytes in base64"),
    ]
}

extension EntryValue where Value == [UInt8] {
    fileprivate static var bytes: Self {
        Self(
            schema: .text(.base64),
            read: { (node, _) throws(PolicyFileError) in
                node.string.flatMap { Data(base64Encoded: $0) }.map { Array($0) }
            }, write: { .string(Data($0).base64EncodedString()) })
    }
}
