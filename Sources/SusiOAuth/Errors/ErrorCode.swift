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
    /// What a person does next.
    public let next: String
    /// What follows for the program.
    public let consequence: Consequence

    init(_ name: String, _ meaning: String, _ next: String, _ consequence: Consequence) {
        self.name = name
        self.meaning = meaning
        self.next = next
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
