/// A user who exists from the emulator's first start.
public struct SeededUser: Hashable, Sendable {
    /// The object id: a GUID in lower case.
    public var objectID: String
    /// The address; whoever has none has a user name.
    public var email: String?
    /// The user name, where the user has one.
    public var userName: String?
    /// The telephone number to which a second factor's code is sent.
    public var phone: String?
    /// The address that is registered for the code of a second factor; nil where none is. Pages send the code to `email`
    /// then, native authentication lets the user register one.
    public var factorEmail: String?
    /// The password at the first start.
    public var password: String
    /// The password as an emulator's database holds it, which then counts in place of `password`.
    public var passwordHash: PasswordHash?
    /// The name that is shown.
    public var displayName: String
    /// The given name.
    public var givenName: String
    /// The family name.
    public var surname: String
    /// The id of the tenant that the user belongs to, when it is another than the one that serves.
    public var homeTenant: String?
    /// What else is known, by the names of the claims: `city`, `extension_Loyalty`…
    public var attributes: [String: String] = [:]
    /// Whether the first sign-in begins with a new password.
    public var mustResetPassword = false
    /// Whether nobody may sign in as this user.
    public var isBlocked = false
    /// Who knows the password: nil is the tenant itself, `social.example` the emulator's pretended social provider. A user
    /// of another provider has an address, and no password here.
    public var identityProvider: String?

    /// What the person calls the account: the address, else the user name.
    public var signInName: String { email ?? userName ?? objectID }

    /// Makes a user, who has an address, a user name or both. What is not given here is set afterwards.
    public init(
        objectID: String, email: String? = nil, userName: String? = nil, password: String, displayName: String,
        givenName: String, surname: String, homeTenant: String? = nil
    ) {
        self.objectID = objectID
        self.email = email
        self.userName = userName
        self.password = password
        self.displayName = displayName
        self.givenName = givenName
        self.surname = surname
        self.homeTenant = homeTenant
    }

    static let usualPassword = "Passw0rd!"

    /// Ana, Ben and Chi; the password of all is `Passw0rd!`.
    public static let standard: [SeededUser] = [
        SeededUser(
            objectID: "a0a0a0a0-0000-4000-8000-000000000001", email: "ana@contoso.example", password: usualPassword,
            displayName: "Ana Lima", givenName: "Ana", surname: "Lima"),
        SeededUser(
            objectID: "b0b0b0b0-0000-4000-8000-000000000002", email: "ben@contoso.example", password: usualPassword,
            displayName: "Ben Okoro", givenName: "Ben", surname: "Okoro"),
        SeededUser(
            objectID: "c0c0c0c0-0000-4000-8000-000000000003", email: "chi@contoso.example", password: usualPassword,
            displayName: "Chi Tanaka", givenName: "Chi", surname: "Tanaka"),
    ]

    /// Dee, who has a personal account: `/common` and `/consumers` of a workforce tenant know her.
    public static let personal = SeededUser(
        objectID: "00000000-0000-0000-d0d0-d0d0d0d0d0d0", email: "dee@outlook.example", password: usualPassword,
        displayName: "Dee Novak", givenName: "Dee", surname: "Novak", homeTenant: EntraDialect.consumers)
}
