/// A user name with its password. It is a secret.
public struct PasswordCredentials: Hashable, Sendable {
    /// The user name in the tenant.
    package let username: String
    package let password: String

    /// Makes credentials.
    public init(username: String, password: String) {
        self.username = username
        self.password = password
    }
}
