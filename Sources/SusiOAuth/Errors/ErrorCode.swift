/// A code of an error answer that a person may meet: one row of the one table that messages, `susi help error-codes` and
/// tests read.
///
/// The rows stand in three lists by who defines them. Services change their codes, so a code explains a refusal and the
/// OAuth error decides about one that is not listed.
public struct ErrorCode: Hashable, Sendable {
    /// `AADB2C90118`, `AADSTS50058`, `invalid_grant`.
    public let name: String
    /// What it means.
    public let meaning: String
    /// What the user does next.
    public let remedy: Remedy
    /// What follows for the program.
    public let consequence: Consequence

    /// What the user does next, in words.
    public var next: String { remedy.text }

    /// What the user does about an error.
    public struct Remedy: Hashable, Sendable, ExpressibleByStringLiteral {
        /// The remedy in words.
        public let text: String
        /// Whether a sign-in is enough; else it follows, if the consequence demands one.
        public let isSignIn: Bool

        /// Something else than a sign-in.
        public init(stringLiteral text: String) { self.init(text, isSignIn: false) }

        private init(_ text: String, isSignIn: Bool) {
            self.text = text
            self.isSignIn = isSignIn
        }

        /// A sign-in.
        static let signIn = signIn(text: "sign in")

        /// A sign-in with a hint.
        static func signIn(text: String) -> Remedy { Remedy(text, isSignIn: true) }
    }

    init(_ name: String, _ meaning: String, _ remedy: Remedy, _ consequence: Consequence) {
        self.name = name
        self.meaning = meaning
        self.remedy = remedy
        self.consequence = consequence
    }

    /// All rows: Azure AD B2C's, Microsoft Entra's, then those of OAuth and OpenID Connect.
    public static let table = b2c + entra + oauth

    /// The row of a name.
    public static func row(_ name: String) -> ErrorCode? { table.first { $0.name == name } }

    /// The service's code at the beginning of an error's description, whether or not it is in the table.
    public static func name(in description: String) -> String? {
        for prefix in ["AADB2C", "AADSTS"] where description.hasPrefix(prefix) {
            let digits = description.utf8.dropFirst(prefix.utf8.count).prefix { (0x30...0x39).contains($0) }
            return (1...9).contains(digits.count) ? prefix + String(decoding: digits, as: UTF8.self) : nil
        }
        return nil
    }
}
