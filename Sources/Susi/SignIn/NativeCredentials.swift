public import SusiOAuth

/// What one person enters in a sign-in by native authentication. The server decides what it asks for.
public struct NativeCredentials: Sendable {
    package let username: String
    /// Returns the password; `nil` if there is none.
    package let password: (@Sendable () async throws -> String)?
    /// Returns the code that was sent, and is `nil` if codes cannot be read. `attempt` is 1 for the first code, more after a
    /// wrong one.
    package let code: (@Sendable (_ sent: NativeCode, _ attempt: Int) async throws -> String)?
    /// The number of codes that are tried after one was sent.
    package let attempts: Int

    /// The number of codes that a person can type.
    package static let usualAttempts = 3

    /// Makes credentials; the functions are called when the server asks. A ``SusiError`` that they throw is the error of the
    /// sign-in.
    public init(
        username: String, attempts: Int = 1, password: (@Sendable () async throws -> String)? = nil,
        code: (@Sendable (_ sent: NativeCode, _ attempt: Int) async throws -> String)? = nil
    ) {
        self.username = username
        self.attempts = attempts
        self.password = password
        self.code = code
    }

    package init(_ credentials: PasswordCredentials) {
        self.init(username: credentials.username, password: { credentials.password })
    }
}
