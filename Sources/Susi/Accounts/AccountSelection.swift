import SusiOAuth
public import SusiPolicies
public import SusiStore

/// A selection of one account. Names are complete: nothing is chosen by a part of a name.
public struct AccountSelection: Hashable, Sendable {
    /// The policy; `nil` for the default one.
    package let policy: PolicyName?
    let means: Means

    enum Means: Hashable, Sendable {
        /// It is the policy's current account.
        case current
        /// It has this address, user name or identifier, or belongs to the person who has it at home.
        case name(String)
        /// It is this account, or the person's account in another tenant.
        case account(Account)
    }

    /// The current account of the default policy.
    public static let current = AccountSelection()

    /// Selects by an address, a user name or an identifier; `nil` for the policy's current account.
    public init(policy: PolicyName? = nil, text: String? = nil) {
        self.init(policy: policy, means: text.map { .name($0) } ?? .current)
    }

    /// Selects exactly this account; no other one matches if it was removed.
    public init(_ account: StoredAccount) {
        self.init(policy: account.account.policy, means: .account(account.account))
    }

    private init(policy: PolicyName?, means: Means) {
        self.policy = policy
        self.means = means
    }

    /// Whether it is the policy's current account, whichever that is.
    package var isCurrent: Bool { means == .current }

    package func under(_ policy: Policy) -> AccountSelection {
        AccountSelection(policy: policy.name, means: means)
    }

    /// The name in messages; the subject of a stored account.
    var text: String {
        switch means {
        case .current: ""
        case .name(let text): text
        case .account(let account): account.person.subject
        }
    }
}
