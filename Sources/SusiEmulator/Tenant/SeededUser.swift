/// A user who exists from the emulator's first start.
public struct SeededUser: Hashable, Sendable {
    /// The object id: a GUID in lower case.
    public var objectID: String
    /// The address that the user signs in with.
    public var email: String
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

    /// Makes a user.
    public init(
        objectID: String, email: String, password: String, displayName: String, givenName: String, surname: String,
        homeTenant: String? = nil
    ) {
        self.objectID = objectID
        self.email = email
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
        displayName: "Dee Novak", givenName: "Dee", surname: "Novak", homeTenant: EntraShape.consumers)
}
