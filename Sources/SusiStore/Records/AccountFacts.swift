import SusiOAuth
import SusiPolicies

/// The facts about an account and its person, except its identity and its secrets: columns of the tables `accounts` and
/// `persons`, and members of an export. Times are in seconds since 1970.
///
/// A new column is added to the schema, here, and to `AccountFacts+Columns.swift`.
struct AccountFacts: Codable {
    let homeUid: String
    let homeUtid: String
    let authority: String
    let signedInOn: Int64
    let claimsOn: Int64
    let name: String?
    let givenName: String?
    let familyName: String?
    let emails: [String]
    let username: String?
    let identityProvider: String?
    let profileOn: Int64

    /// Makes the facts; `mapTime` is applied to each time.
    init(
        home: HomeAccountID, authority: String, signedInOn: Int64, claimsOn: Int64, profile: Profile, profileOn: Int64,
        mapTime: (Int64) -> Int64 = { $0 }
    ) {
        (homeUid, homeUtid, self.authority) = (home.uid, home.utid, authority)
        (self.signedInOn, self.claimsOn, self.profileOn) = (
            mapTime(signedInOn), mapTime(claimsOn), mapTime(profileOn)
        )
        (name, givenName, familyName) = (profile.name, profile.givenName, profile.familyName)
        (emails, username) = (profile.emails, profile.username)
        identityProvider = profile.identityProvider
    }

    /// The handle that Microsoft's libraries use.
    var home: HomeAccountID { HomeAccountID(uid: homeUid, utid: homeUtid) }

    var profile: Profile {
        Profile(
            name: name, givenName: givenName, familyName: familyName, emails: emails, username: username,
            identityProvider: identityProvider)
    }

    /// The values to check. `now` is in seconds since 1970.
    func values(_ now: Int64) -> [TransferValue] {
        [
            .plain(homeUid, "account.homeUid"), .tenantID(homeUtid.lowercased(), "account.homeUtid"),
            .authority(authority, "account.authority"), .past(signedInOn, "account.signedInOn", now: now),
            .past(claimsOn, "account.claimsOn", now: now), .past(profileOn, "account.profileOn", now: now),
            .list("account.emails", "a list without empty addresses", isValid: !emails.contains("")),
        ]
    }
}

/// The role of an account under its policy.
enum CurrentRole: String, CaseIterable {
    case current
    case previous
}
