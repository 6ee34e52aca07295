public import SusiOAuth

/// An account as the store holds it, without secrets. Times are in seconds since 1970.
public struct StoredAccount: Hashable, Sendable {
    /// Person, policy and client id.
    public let account: Account
    /// The handle that Microsoft's libraries use.
    public let homeAccountID: HomeAccountID
    /// The person's profile from signed claims, the newest under any policy.
    public let profile: Profile
    /// The newest id token's claims under this policy, as the JSON text that was signed.
    /// Empty when the seal is broken, which only lists and removals let pass.
    public let claims: String
    /// The authority's base address.
    public let authority: String
    /// When the person last signed in.
    public let signedInOn: Int64
    /// When the claims came.
    public let claimsOn: Int64
    /// Whether this is the current account of its policy.
    public let isCurrent: Bool
    /// What is stored beside, by kind and scopes.
    public let tokens: [StoredTokenInfo]
    /// Why the claims could not be opened; nil when all is well.
    public let damage: StoreError?

    /// What to call the account: an address, else a user name, else a name, else the person's identifier.
    public var label: String { profile.label ?? account.person.subject }
}

/// What the fast path needs of an account.
public struct StoredAccountSummary: Hashable, Sendable {
    /// Person, policy and client id.
    public let account: Account
    /// What to call it: an address, else a name, else the person's identifier.
    public let label: String
    /// Whether this is the current account of its policy.
    public let isCurrent: Bool
}

/// What was removed.
public struct Removal: Hashable, Sendable {
    /// The account as it was.
    public let account: StoredAccount
    /// Whether it was a current account of its policy; no other takes its place.
    public let wasCurrent: Bool
    /// Whether the person is gone too, because this was the last account.
    public let personGone: Bool
    /// The tokens that went with it.
    public let tokens: [StoredTokenInfo]
    /// Whether no copy of the encrypted tokens is left in the store's files. A damaged file that a repair kept may hold one,
    /// and while another process reads, the write-ahead log keeps some until it is next emptied.
    public let isErased: Bool
}

/// Who signed out last under a policy.
public struct SignOutNote: Hashable, Sendable {
    /// What the account was called.
    public let label: String
    /// When, in seconds since 1970.
    public let on: Int64

    /// Makes a note.
    public init(label: String, on: Int64) {
        self.label = label
        self.on = on
    }
}
