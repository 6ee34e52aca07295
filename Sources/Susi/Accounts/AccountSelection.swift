public import SusiPolicies

/// Which account a command is about.
public struct AccountSelection: Hashable, Sendable {
    /// The policy; nil means the default one.
    public let policy: PolicyName?
    /// An address, a name, or the beginning of an identifier; nil means the policy's current account.
    public let text: String?

    /// Makes a selection.
    public init(policy: PolicyName? = nil, text: String? = nil) {
        self.policy = policy
        self.text = text
    }
}
