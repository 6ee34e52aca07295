package import SusiBase

package struct User: Hashable, Sendable {
    /// The object ID: a GUID in lower case.
    package var objectID: String
    /// The email address; required without a user name.
    package var email: String?
    /// The user name; required without an email address.
    package var userName: String?
    /// The telephone number for the code of a second factor.
    package var phone: String?
    /// The email address that is registered for the code of a second factor. Without one pages send the code to `email`, and
    /// native authentication lets the user register one.
    package var factorEmail: String?
    /// The secret of the user's authenticator app, in base32.
    package var totpSecret: String?
    /// The password at the first start; empty for users of another provider and for users from a database.
    package var password: String
    /// The hash of the password, as in an emulator's database; replaces `password`.
    package var passwordHash: PasswordHash?
    package var displayName: String
    package var givenName: String
    package var surname: String
    /// The ID of the user's home tenant, if it is a different one.
    package var homeTenant: String?
    /// Further claims by name: `city`, `extension_Loyalty`, `roles`… Each is a string, a Boolean, a whole number or a list of
    /// strings.
    package var attributes: [String: JSON] = [:]
    /// Whether the next sign-in requires a new password.
    package var mustResetPassword = false
    package var isBlocked = false
    /// The end of the last lock after too many wrong passwords or codes, in epoch seconds; 0 if there was none.
    package var lockedUntil: Int64 = 0
    /// The provider that checks the password: nil for the tenant itself, `social.example` for the emulator's simulated social
    /// provider. A user of another provider has an email address and no password here.
    package var identityProvider: String?

    /// Whether the next sign-in requires a new password, which only a local account has.
    var owesPassword: Bool { mustResetPassword && identityProvider == nil }

    /// The end of the lock in epoch seconds; `nil` if the account is not locked.
    func lockEnd(now: Int64) -> Int64? { lockedUntil > now ? lockedUntil : nil }

    /// The sign-in name: the email address, else the user name.
    package var signInName: String { email ?? userName ?? objectID }

    /// Creates a user with an email address, a user name or both.
    package init(
        objectID: String, email: String? = nil, userName: String? = nil, password: String = "",
        displayName: String = "",
        givenName: String = "", surname: String = "", homeTenant: String? = nil, identityProvider: String? = nil
    ) {
        self.objectID = objectID
        self.email = email
        self.userName = userName
        self.password = password
        self.displayName = displayName
        self.givenName = givenName
        self.surname = surname
        self.homeTenant = homeTenant
        self.identityProvider = identityProvider
    }

    static let usualPassword = "Passw0rd!"

    /// Ana, Ben and Chi, with the password `Passw0rd!`.
    package static let standard: [User] = [
        User(
            objectID: "a0a0a0a0-0000-4000-8000-000000000001", email: "ana@contoso.example", password: usualPassword,
            displayName: "Ana Lima", givenName: "Ana", surname: "Lima"),
        User(
            objectID: "b0b0b0b0-0000-4000-8000-000000000002", email: "ben@contoso.example", password: usualPassword,
            displayName: "Ben Okoro", givenName: "Ben", surname: "Okoro"),
        User(
            objectID: "c0c0c0c0-0000-4000-8000-000000000003", email: "chi@contoso.example", password: usualPassword,
            displayName: "Chi Tanaka", givenName: "Chi", surname: "Tanaka"),
    ]

    /// Dee, with a personal account, for `/common` and `/consumers` of a workforce tenant.
    package static let personal = User(
        objectID: "00000000-0000-0000-d0d0-d0d0d0d0d0d0", email: "dee@outlook.example", password: usualPassword,
        displayName: "Dee Novak", givenName: "Dee", surname: "Novak", homeTenant: EntraDialect.consumers)
}
