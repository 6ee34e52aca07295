public import SusiOAuth
public import SusiPolicies

/// What a sign-in asks for.
public struct SignInRequest: Sendable {
    /// The policy; nil means the default one.
    public var policy: PolicyName?
    /// The API whose scopes are asked; nil leaves it to the policy.
    public var api: String?
    /// Scopes beside those.
    public var scopes: [String]
    /// What the page is asked; the id token for a hint comes from the store.
    public var options: AuthorizationOptions
    /// Whether the person chooses among the accounts of the page when `options` have no prompt. It is asked for where the
    /// provider is known to support it.
    public var choosesAccount: Bool
    /// The person who must come back: the subject, an address or the name; nil takes anybody.
    public var expected: String?
    /// Whether the account becomes the policy's current one.
    public var makesCurrent: Bool

    /// Makes a request; by default the person chooses the account.
    public init(
        policy: PolicyName? = nil, api: String? = nil, scopes: [String] = [],
        options: AuthorizationOptions = AuthorizationOptions(), choosesAccount: Bool = true, expected: String? = nil,
        makesCurrent: Bool = true
    ) {
        self.policy = policy
        self.api = api
        self.scopes = scopes
        self.options = options
        self.choosesAccount = choosesAccount
        self.expected = expected
        self.makesCurrent = makesCurrent
    }
}
