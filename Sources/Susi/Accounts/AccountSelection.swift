import SusiOAuth
public import SusiPolicies
public import SusiStore

/// A selection of one account.
public struct AccountSelection: Hashable, Sendable {
    /// The policy, as it was typed; `nil` for the default one.
    public let policy: PolicyName?
    /// An address, a name or an identifier, or the beginning of one; `nil` for the policy's current account.
    public let text: String?
    /// How `text` is compared: `.typed` also accepts a beginning; `.exactly` is for an identifier from the store.
    public let matching: AccountStore.Matching

    /// Makes a selection from what a person typed.
    public init(policy: PolicyName? = nil, text: String? = nil) {
        self.init(policy: policy, text: text, matching: .typed)
    }

    /// Selects exactly this account; no other one matches if it was removed.
    public init(_ account: StoredAccount) {
        self.init(policy: account.account.policy, text: account.account.person.subject, matching: .exactly)
    }

    private init(policy: PolicyName?, text: String?, matching: AccountStore.Matching) {
        self.policy = policy
        self.text = text
        self.matching = matching
    }

    /// Returns the same selection under a known policy.
    func under(_ policy: Policy) -> AccountSelection {
        AccountSelection(policy: policy.name, text: text, matching: matching)
    }
}
