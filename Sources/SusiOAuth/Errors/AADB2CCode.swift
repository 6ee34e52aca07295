/// The codes of Azure AD B2C that a person may meet: one row each, read by messages, by documentation and by tests.
public struct AADB2CCode: Hashable, Sendable {
    /// The number behind `AADB2C`.
    public let number: Int
    /// What it means.
    public let meaning: String
    /// What a person does next.
    public let next: String
    /// What follows for the program.
    public let consequence: Consequence

    /// The ways in which a program goes on.
    public enum Consequence: String, Sendable {
        /// Run the password-reset policy, then the sign-in again.
        case resetPassword
        /// The person cancelled.
        case cancelled
        /// Only a page helps.
        case signIn
        /// The registration or the configuration is wrong.
        case misconfigured
        /// Wait and try again.
        case retryLater
        /// A mistake of this program or of the server.
        case failed
    }

    /// The row of a number.
    public static func row(_ number: Int) -> AADB2CCode? { table.first { $0.number == number } }

    /// The code named at the beginning of an error's description, whether or not it is in the table.
    public static func number(in description: String) -> Int? {
        guard description.hasPrefix("AADB2C") else { return nil }
        return Int(description.dropFirst(6).prefix { $0.isASCII && $0.isNumber })
    }

    /// All rows, by number.
    public static let table: [AADB2CCode] = [
        row(90006, "the redirect address is not registered", "register exactly this address", .misconfigured),
        row(90035, "the service is busy", "wait and try again", .retryLater),
        row(90055, "no resource was named", "check the API's scopes", .misconfigured),
        row(90077, "there is no session, and no page was allowed", "sign in", .signIn),
        row(90080, "the refresh token has expired", "sign in", .signIn),
        row(90085, "the service failed, or the grant is stale", "sign in", .signIn),
        row(
            90086, "the grant type is not supported", "check the application's type in its registration", .misconfigured
        ),
        row(90088, "the grant belongs to another policy", "report this as a mistake of the client", .failed),
        row(90091, "the person cancelled on the page", "nothing was changed", .cancelled),
        row(90117, "a scope is not supported", "check the API's scopes", .misconfigured),
        row(90118, "the person forgot the password", "run the password-reset policy", .resetPassword),
        row(90128, "the account is gone", "sign in", .signIn),
        row(90129, "the grant was revoked", "sign in", .signIn),
        row(90146, "scopes of two resources were asked", "ask one API for each token", .misconfigured),
        row(90182, "the code verifier is missing or wrong", "report this as a mistake of the client", .failed),
        row(90183, "the code verifier does not fit", "report this as a mistake of the client", .failed),
        row(90184, "the challenge method is not supported", "report this as a mistake of the client", .failed),
        row(90205, "the application has no permission on the API", "grant it in the registration", .misconfigured),
        row(90244, "there are too many requests", "wait and try again", .retryLater),
        row(90273, "the person cancelled at the social provider", "nothing was changed", .cancelled),
        row(99002, "the user does not exist", "sign up first", .signIn),
    ]

    private static func row(
        _ number: Int, _ meaning: String, _ next: String, _ consequence: Consequence
    ) -> AADB2CCode {
        AADB2CCode(number: number, meaning: meaning, next: next, consequence: consequence)
    }
}
