public import SusiOAuth
public import SusiPolicies

/// A stored account, without secrets. Times are in seconds since 1970.
public struct StoredAccount: Hashable, Sendable {
    /// Person, policy and client id.
    package let account: Account
    /// The same person in the home tenant, if that sign-in's refresh token created this account.
    var home: Person?
    /// The handle that Microsoft's libraries use.
    public let homeAccountID: HomeAccountID
    /// The person's profile from signed claims, the newest under any policy.
    public let profile: Profile
    /// The claims of the newest ID token under this policy, as the JSON text that was signed. Empty if they cannot be
    /// decrypted, which only lists and removals accept.
    public package(set) var claims = ""
    /// The authority's base address.
    package let authority: String
    /// The time of the last sign-in.
    public let signedInOn: Int64
    package let claimsOn: Int64
    /// Whether this is the current account of its policy.
    public package(set) var isCurrent: Bool
    /// The stored tokens, sorted by kind and scopes.
    package var tokens: [StoredTokenInfo] = []
    /// The reason why the claims cannot be decrypted; `nil` if they can.
    package var damage: StoreError?

    /// Who signed in.
    public var person: Person { account.person }

    /// The policy of the sign-in.
    public var policy: PolicyName { account.policy }

    /// The label of the account: an address, else a user name, else a name, else the person's identifier.
    public var label: String { profile.label ?? account.person.subject }

    /// The person in the own tenant, as far as it is proved: two accounts with the same one belong to one person.
    package var personAtHome: Person { home ?? account.person }

    /// Whether the tenant is the person's own. A guest's is not.
    package var isAtHome: Bool { homeAccountID.utid.lowercased() == account.person.tenant.id }
}

/// The role of an account under its policy.
enum CurrentRole: String {
    case current
    case previous
}

package struct Removal: Hashable, Sendable {
    /// The account before the removal.
    package let account: StoredAccount
    /// Whether it was a current account of its policy; no other becomes current.
    package let wasCurrent: Bool
    /// Whether the person was removed too, because this was the last account.
    package let personGone: Bool
    package let tokens: [StoredTokenInfo]
    /// Whether no copy of the encrypted tokens is left in the store's files. A damaged file that a repair kept may hold one,
    /// and while another process reads, the write-ahead log keeps some until it is next emptied.
    package let isErased: Bool
}

/// The last sign-out under a policy.
package struct SignOutNote: Hashable, Sendable {
    package let label: String
    /// The time, in seconds since 1970.
    package let on: Int64
}
