import SusiBase

/// An error code of a server. Messages, `susi explain`, `susi help error-codes` and tests read the table of these rows.
///
/// The rows are in lists, by who defines them. Services change their codes, so a code explains a refusal, and the
/// OAuth error decides about a code that is not listed.
package struct ErrorCode: Hashable, Sendable {
    /// `AADB2C90118`, `AADSTS50058`, `IDX10214`, `invalid_grant`.
    package let name: String
    package let meaning: String
    package let remedy: Remedy
    package let consequence: Consequence

    /// A remedy for an error: what the user does.
    package struct Remedy: Hashable, Sendable {
        package let text: String
        /// Whether the remedy is a sign-in. Any other remedy is followed by one if the consequence demands it.
        package private(set) var isSignIn = false
        /// The parameter of the authorization request that the text is about, by its name in the protocol.
        package private(set) var parameter: String?

        static func signIn(text: String) -> Remedy { Remedy(text: text, isSignIn: true) }

        static func check(parameter: String) -> Remedy { Remedy(text: "check", parameter: parameter) }

        static let signIn = signIn(text: "sign in")
        static let tryAgain: Remedy = "try again"
        static let administrator: Remedy = "ask the administrator of the tenant"
        static let policy: Remedy = "ask the author of the tenant's custom policies"
        static let registration: Remedy = "fix the registration of the application"
        package static let scopes: Remedy = "check the API's scopes"
        package static let redirectAddress: Remedy = "register the redirect address"
        static let clientsMistake: Remedy = "report this as a bug in susi"
    }

    /// The suberror of a client that may not use native authentication. The number beside it is that of another error.
    static let nativeDisabled = "nativeauthapi_disabled"

    init(_ name: String, _ meaning: String, _ remedy: Remedy, _ consequence: Consequence) {
        self.name = name
        self.meaning = meaning
        self.remedy = remedy
        self.consequence = consequence
    }

    /// The rows by who defines their codes.
    package static let lists: [(origin: String, rows: [ErrorCode])] = [
        ("Azure AD B2C", b2c), ("Microsoft Entra", entra), ("API with Microsoft.Identity.Web", api),
        ("OAuth, OpenID Connect", oauth),
    ]

    package static let table = lists.flatMap(\.rows)

    package static func row(_ name: String) -> ErrorCode? { table.first { $0.name == name } }

    /// The prefixes of the services' own codes.
    static let services = ["AADB2C", "AADSTS"]
    /// The prefixes of the codes of libraries that check tokens in an API.
    static let libraries = ["IDX", "IDW"]

    /// Whether it is a code of a library that checks tokens in an API, and not of a server.
    package var isOfAPI: Bool { Self.libraries.contains(where: name.hasPrefix) }

    /// Returns the service's code at the start of an error's description, even if it is not in the table.
    package static func name(in description: String) -> String? { name(in: description, of: services) }

    /// Returns the code with one of the prefixes at the start of a text.
    static func name(in description: String, of prefixes: [String]) -> String? {
        for prefix in prefixes where description.hasPrefix(prefix) {
            let digits = description.utf8.dropFirst(prefix.utf8.count).prefix { (0x30...0x39).contains($0) }
            // A longer word is a custom policy's own code.
            let isWord = description.utf8[digits.endIndex...].first.map { $0.isAlphanumeric || $0 == UInt8(ascii: "_") }
            guard (1...9).contains(digits.count), isWord != true else { return nil }
            return prefix + String(decoding: digits, as: UTF8.self)
        }
        return nil
    }
}

extension ErrorCode.Remedy: ExpressibleByStringLiteral {
    /// A remedy that is not a sign-in.
    package init(stringLiteral text: String) { self.init(text: text) }
}

/// The way a program continues after a refusal.
package enum Consequence: String, CaseIterable, Sendable {
    /// Run the password-reset policy, then the sign-in again.
    case resetPassword
    case cancelled
    /// The refresh token will never be accepted again: sign in.
    case signIn
    /// A page is needed this time; the refresh token may be used again afterwards.
    case interact
    /// The person or an administrator has not consented yet; the consent page asks.
    case consent
    /// Only an administrator can consent.
    case adminConsent
    /// The person has not decided yet: poll again (RFC 8628 3.5).
    case pending
    /// The registration or the configuration is wrong.
    case misconfigured
    /// Wait and try again.
    case retryLater
    /// A mistake of this program or of the server.
    case failed
}
