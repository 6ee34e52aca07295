public import SusiOAuth
public import SusiPolicies
public import SusiStore

/// Who signs in, where, for what, and how the page asks.
public struct SignInRequest: Sendable {
    /// The policy; `nil` for the default one.
    package var policy: PolicyName?
    /// The API whose scopes are requested; `nil` leaves it to the policy.
    package var api: String?
    /// Additional scopes.
    package var scopes: [String]
    /// The options of the page; the id token for a hint is read from the store.
    package var options: AuthorizationOptions
    /// Whether the page offers a choice of accounts if `options` have no prompt and no person is expected. It is requested if the
    /// provider is known to support it.
    package var choosesAccount: Bool
    /// The person who must come back; `nil` accepts any person.
    package var expected: ExpectedPerson?
    /// Whether the account becomes the policy's current one.
    package var makesCurrent: Bool

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

    func people(_ userName: String?) -> [AccountStore.Newcomer] {
        let names = [options.loginHint, userName].compactMap(\.self)
        return [expected?.newcomer].compactMap(\.self) + names.map { .named($0) }
    }
}

/// The result of an interactive policy.
public struct SignInResult: Sendable {
    /// The account as it is stored.
    public let account: StoredAccount
    /// The scopes that were requested from the API.
    package let asked: ScopeSet
    /// The scopes that the server granted, as it names them.
    public let granted: ScopeSet
    /// Whether the response has an access token.
    public let hasAccessToken: Bool
    /// The requested scopes that were not granted.
    public let declined: ScopeSet
    /// The policy's current account before the sign-in, if it belongs to another person. It is still current unless the
    /// new account became current.
    public let previous: StoredAccount?
}
