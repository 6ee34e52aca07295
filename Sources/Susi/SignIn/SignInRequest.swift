public import SusiOAuth
public import SusiPolicies

/// The request of a sign-in.
public struct SignInRequest: Sendable {
    /// The policy; `nil` for the default one.
    public var policy: PolicyName?
    /// The API whose scopes are requested; `nil` leaves it to the policy.
    public var api: String?
    /// Additional scopes.
    public var scopes: [String]
    /// The options of the page; the id token for a hint is read from the store.
    public var options: AuthorizationOptions
    /// Whether the page offers a choice of accounts if `options` have no prompt. It is requested if the provider is known to
    /// support it.
    public var choosesAccount: Bool
    /// The person who must come back; `nil` accepts any person.
    public var expected: ExpectedPerson?
    /// Whether the account becomes the policy's current one.
    public var makesCurrent: Bool

    /// Makes a request; by default the person chooses the account.
    public init(
        policy: PolicyName? = nil, api: String? = nil, scopes: [String] = [],
        options: AuthorizationOptions = AuthorizationOptions(), choosesAccount: Bool = true,
        expected: ExpectedPerson? = nil, makesCurrent: Bool = true
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
