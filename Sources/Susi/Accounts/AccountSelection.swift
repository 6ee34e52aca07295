import SusiOAuth
public import SusiPolicies
public import SusiStore

/// Which account a command is about.
public struct AccountSelection: Hashable, Sendable {
    /// The policy, as it was typed; nil means the default one.
    public let policy: PolicyName?
    /// An address, a name, or the beginning of either or of an identifier; nil means the policy's current account.
    public let text: String?
    /// Whether `text` was typed, so that a beginning is enough, or is an identifier from the store.
    public let matching: AccountStore.Matching

    /// Makes a selection from what a person typed.
    public init(policy: PolicyName? = nil, text: String? = nil) {
        self.init(policy, text, .typed)
    }

    /// Selects an account that is known, and no other if that one is gone.
    public init(_ account: StoredAccount) {
        self.init(account.account.policy, account.account.person.subject, .exactly)
    }

    private init(_ policy: PolicyName?, _ text: String?, _ matching: AccountStore.Matching) {
        self.policy = policy
        self.text = text
        self.matching = matching
    }

    /// The same under a policy that is known.
    func under(_ policy: Policy) -> AccountSelection { AccountSelection(policy.name, text, matching) }
}
