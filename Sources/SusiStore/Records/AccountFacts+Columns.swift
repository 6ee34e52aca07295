import FoundationEssentials
import SusiOAuth
import SusiSQLite

extension AccountFacts {
    /// Reads the facts from a row with the columns of ``AccountQuery/all``.
    init(_ row: borrowing Row, profile: Profile) throws {
        self.init(
            home: HomeAccountID(uid: try row.text("home_uid"), utid: try row.text("home_utid")),
            authority: try row.text("authority"), signedInOn: try row.integer("signed_in_on"),
            claimsOn: try row.integer("claims_on"), profile: profile, profileOn: try row.integer("profile_on"))
    }

    /// The columns of `accounts` that only a sign-in writes.
    var signInColumns: ColumnValues {
        ["authority": .text(authority), "signed_in_on": .integer(signedInOn)]
    }

    /// The columns of `accounts` that every response with an ID token writes.
    static func responseColumns(_ home: HomeAccountID, claimsOn: Int64) -> ColumnValues {
        [
            "home_uid": .text(home.uid), "home_utid": .text(home.utid), "home_term": .text(SearchTerms.folded(home)),
            "claims_on": .integer(claimsOn),
        ]
    }
}

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
        ProfileColumn("emails", absent: "'[]'", isName: true) { $0.emails.isEmpty ? nil : .text(json($0.emails)) },
        ProfileColumn("username", isName: true) { $0.username.map(Value.text) },
        ProfileColumn("identity_provider") { $0.identityProvider.map(Value.text) },
    ]

    // An array of texts is always encodable.
    private static func json(_ texts: [String]) -> String {
        String(decoding: (try? JSONEncoder().encode(texts)) ?? Data("[]".utf8), as: UTF8.self)
    }
}

extension Profile {
    /// Reads the profile from a row of `persons`; `nil` if the email addresses cannot be read.
    init?(_ row: borrowing Row) throws {
        guard let emails = try? JSONDecoder().decode([String].self, from: Data(try row.text("emails").utf8)) else {
            return nil
        }
        try self.init(row, emails: emails)
    }

    /// Reads the profile from a row of `persons`, whose email addresses were decoded.
    init(_ row: borrowing Row, emails: [String]) throws {
        self.init(
            name: try row.optionalText("name"), givenName: try row.optionalText("given_name"),
            familyName: try row.optionalText("family_name"), emails: emails,
            username: try row.optionalText("username"), identityProvider: try row.optionalText("identity_provider"))
    }
}
