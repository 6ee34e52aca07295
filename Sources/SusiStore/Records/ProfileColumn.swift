import SusiBase
import SusiOAuth
import SusiSQLite

/// A column of `persons` that holds a part of a profile.
struct ProfileColumn {
    let name: String
    /// The SQL literal for an absent value.
    let absent: String
    /// Whether it names the person. A refresh may lack it although nothing was deleted: a custom policy's journey for refresh
    /// tokens returns what its author put there.
    let isName: Bool
    /// Returns the value to store; `nil` if the profile has none.
    let value: @Sendable (Profile) -> Value?

    private init(
        _ name: String, absent: String = "NULL", isName: Bool = false,
        _ value: @escaping @Sendable (Profile) -> Value?
    ) {
        self.name = name
        self.absent = absent
        self.isName = isName
        self.value = value
    }

    static let all = [
        ProfileColumn("name", isName: true) { $0.name.map(Value.text) },
        ProfileColumn("given_name") { $0.givenName.map(Value.text) },
        ProfileColumn("family_name") { $0.familyName.map(Value.text) },
        ProfileColumn("emails", absent: "'[]'", isName: true) {
            $0.emails.isEmpty ? nil : .text(JSON.list($0.emails).text)
        },
        ProfileColumn("username", isName: true) { $0.username.map(Value.text) },
        ProfileColumn("identity_provider") { $0.identityProvider.map(Value.text) },
    ]

}

extension Profile {
    /// Reads the profile from a row of `persons`; `nil` if the email addresses cannot be read.
    init?(_ row: borrowing Row) throws {
        let text = try row.text("emails")
        guard let emails = try? JSONNode(parsing: text.utf8).strings else { return nil }
        try self.init(row, emails: emails)
    }

    /// Reads the profile from a row of `persons`, whose email addresses were decoded.
    init(_ row: borrowing Row, emails: [String]) throws {
        self.init(
            name: try row.optionalText("name"), givenName: try row.optionalText("given_name"),
            familyName: try row.optionalText("family_name"), emails: emails,
            username: try row.optionalText("username"), identityProvider: try row.optionalText("identity_provider"))
    }

    /// Reads the label of a row of `persons`. Addresses that cannot be read are reported when the person is.
    static func label(_ row: borrowing Row) throws -> String {
        let subject = try row.text("subject")
        if let profile = try Profile(row) { return profile.label ?? subject }
        return try Profile(row, emails: []).label ?? subject
    }
}
