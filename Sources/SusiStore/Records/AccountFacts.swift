import SusiOAuth

/// The facts about an account and its person, except its identity and its secrets: columns of the tables `accounts` and
/// `persons`. Times are in seconds since 1970.
///
/// A new column is added to the schema, here, and to `AccountFacts+Columns.swift`.
struct AccountFacts {
    /// The handle that Microsoft's libraries use.
    let home: HomeAccountID
    let authority: String
    let signedInOn: Int64
    let claimsOn: Int64
    let profile: Profile
    let profileOn: Int64
}

/// The role of an account under its policy.
enum CurrentRole: String {
    case current
    case previous
}
