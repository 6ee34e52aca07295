import SusiOAuth
import SusiPolicies
public import SusiStore

/// The person who must sign in.
public enum ExpectedPerson: Hashable, Sendable {
    /// The person of a stored account, compared by tenant and subject and by nothing else.
    case account(StoredAccount)
    /// The person of an account at home, in another tenant, where the person has another subject that no sign-in has shown yet: compared
    /// by the addresses and user names in the signed claims, and refused if the response names another home account.
    case home(StoredAccount)
    /// Somebody who is not stored, by an address, a user name or the subject.
    case named(String)

    /// The name in messages.
    var label: String {
        switch self {
        case .account(let account), .home(let account): account.label
        case .named(let text): text
        }
    }

    /// The login hint; `nil` if only an identifier is known. A page would fill it into its field for an address.
    package var hint: String? {
        switch self {
        case .account(let account), .home(let account): account.profile.hint
        case .named(let text): text.contains("@") ? text : nil
        }
    }

    /// Whether the person has an account in another tenant only.
    var isAtHome: Bool { if case .home = self { true } else { false } }

    /// The person as a shared store compares it.
    var newcomer: AccountStore.Newcomer {
        switch self {
        case .account(let account), .home(let account): .stored(account.account.person)
        case .named(let text): .named(text)
        }
    }

    /// Returns whether a sign-in brought this person.
    func isPerson(of grant: TokenGrant) -> Bool {
        switch self {
        case .account(let account): grant.account.person == account.account.person
        case .home(let home):
            grant.account.person == home.account.person
                || grant.homeAccountID.isSame(as: home.homeAccountID) && grant.profile.sharesName(with: home.profile)
        case .named(let text): grant.profile.matches(text, subject: grant.account.person.subject)
        }
    }
}

extension AccountFinder {
    /// Returns the name by which a sign-in demands an expected person.
    func name(of person: ExpectedPerson) -> String {
        switch person {
        case .account(let account): reference(to: account).text
        case .home(let account): account.label
        case .named(let text): text
        }
    }

}
