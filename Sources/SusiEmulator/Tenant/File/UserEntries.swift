import FoundationEssentials
import SusiPolicies

/// A user in a file. Missing values are derived from the email address or the user name.
struct WrittenUser: Sendable {
    var email: String?
    var userName: String?
    var phone: String?
    var factorEmail: String?
    var objectID: String?
    var password: String?
    var passwordHash: PasswordHash?
    var displayName: String?
    var givenName: String?
    var surname: String?
    var attributes: [String: String] = [:]
    var homeTenant: String?
    var mustResetPassword = false
    var isBlocked = false
    var identityProvider: String?

    /// The keys of a user in a tenant file and in a file with users.
    static let entries: [Entry<WrittenUser>] = [
        .text("email", \.email, as: .email, "the email address; required without a user name"),
        .text("userName", \.userName, as: .userName, "the user name, in addition to or instead of the email address"),
        .text("phone", \.phone, "the phone number for the second factor"),
        .text(
            "factorEmail", \.factorEmail, as: .email,
            "the email address registered for the second factor"),
        .text(
            "objectId", \.objectID, as: .guid, "the object ID; derived from the email address or user name by default"),
        .text("password", \.password, "the initial password; default: Passw0rd!"),
        .object(
            "passwordHash", \.passwordHash, PasswordHash.entries, usual: PasswordHash(salt: [], hash: []),
            "the password hash from an emulator's database, instead of password"),
        .text("displayName", \.displayName, "the display name"),
        .text("givenName", \.givenName, "the given name"),
        .text("surname", \.surname, "the surname"),
        .map("attributes", \.attributes, "further attributes, by claim name"),
        .text(
            "homeTenant", \.homeTenant, as: .name,
            "the ID of the user's home tenant, if it is a different tenant"),
        .flag(
            "mustResetPassword", \.mustResetPassword, "whether the user must choose a new password at the first sign-in"
        ),
        .flag("isBlocked", \.isBlocked, "whether sign-in is blocked for this user"),
        .text(
            "identityProvider", \.identityProvider, as: .name,
            "the identity provider that checks the password instead of the tenant, for example social.example"),
    ]

    init() {}

    /// Reads a user from a checked object.
    init(_ node: JSONNode, _ reader: TenantReader) throws(PolicyFileError) {
        try Self.entries.read(node, into: &self, reader)
        if let problem = problem(node) { throw reader.mistake(node, problem) }
    }

    // A key with an invalid value counts as present.
    private func problem(_ node: JSONNode) -> String? {
        if node["email"] == nil, node["userName"] == nil { return "“email” or “userName” is missing" }
        if password != nil, passwordHash != nil { return "“password” and “passwordHash” cannot be combined" }
        if let hash = passwordHash?.hash, hash.count != 32 { return "“hash” has \(hash.count) bytes, not 32" }
        guard let provider = identityProvider else { return nil }
        if node["email"] == nil { return "a user of “\(provider)” needs an “email”" }
        return password == nil && passwordHash == nil ? nil : "a user of “\(provider)” cannot have a password"
    }

    /// Describes a seeded user, or one from a database. Writes the password only without its hash.
    init(_ user: SeededUser) {
        email = user.email
        userName = user.userName
        phone = user.phone
        factorEmail = user.factorEmail
        objectID = user.objectID
        password = user.passwordHash == nil && user.identityProvider == nil ? user.password : nil
        passwordHash = user.passwordHash
        displayName = user.displayName
        givenName = user.givenName
        surname = user.surname
        attributes = user.attributes
        homeTenant = user.homeTenant
        mustResetPassword = user.mustResetPassword
        isBlocked = user.isBlocked
        identityProvider = user.identityProvider
    }

    /// The user who is seeded.
    var seeded: SeededUser {
        let name = email ?? userName ?? ""
        let local = String(name.prefix { $0 != "@" })
        let names = [givenName, surname].compactMap(\.self).joined(separator: " ")
        let source = identityProvider.map { "\($0) " } ?? ""
        let usual = passwordHash == nil && identityProvider == nil ? SeededUser.usualPassword : ""
        var user = SeededUser(
            objectID: objectID?.lowercased() ?? derivedGUID(source + name.lowercased()), email: email,
            userName: userName, password: password ?? usual,
            displayName: displayName ?? (names.isEmpty ? local : names), givenName: givenName ?? local,
            surname: surname ?? "", homeTenant: homeTenant)
        user.passwordHash = passwordHash
        user.phone = phone
        user.factorEmail = factorEmail
        user.attributes = attributes
        user.mustResetPassword = mustResetPassword
        user.isBlocked = isBlocked
        user.identityProvider = identityProvider
        return user
    }

    /// The value to write.
    var written: JSONNode { JSONNode(value: .object(Self.entries.written(self, usual: WrittenUser()))) }
}

extension PasswordHash {
    fileprivate static let entries: [Entry<PasswordHash>] = [
        .bytes("salt", \.salt, "the salt, in base64"),
        .bytes("hash", \.hash, "the hash, 32 bytes in base64"),
    ]
}

extension Entry {
    fileprivate static func bytes(
        _ name: String, _ path: Path<[UInt8]>, _ meaning: String
    ) -> Entry {
        property(
            path, SchemaNode.Field(name, .text(.base64), required: true, meaning),
            taken: { node, _ in node.string.flatMap { Data(base64Encoded: $0) }.map { Array($0) } },
            written: { .string(Data($0).base64EncodedString()) })
    }
}
