import SusiOAuth
import SusiPolicies
public import SusiStore

/// The result of an interactive policy.
public struct SignInResult: Sendable {
    /// The account as it is stored.
    public let account: StoredAccount
    /// The scopes that were requested from the API.
    public let asked: ScopeSet
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

/// Stores the tokens of a sign-in by the expected person.
struct SignInKeeper: Sendable {
    let context: ClientContext
    let policy: Policy
    let scopes: SignInScopes
    var makesCurrent = true
    /// The person who must come back; `nil` accepts any person.
    var expected: ExpectedPerson?
    var demand = Demand(account: nil, stored: nil)

    /// Checks the person and stores the tokens. Forgets the demand if this sign-in meets it.
    func save(_ grant: TokenGrant, in store: AccountStore) throws -> SignInResult {
        try checkPerson(of: grant, in: store)
        let wanted = scopes.wanted(by: grant.account)
        let grant = try store.checkedHome(of: grant).withoutScopes(beside: wanted.all)
        let scope = context.scope(of: policy)
        let meetsDemand = demand.stored != nil && demand.account?.account == grant.account
        // A damaged account is no error: this sign-in may repair it.
        let before = try? store.current(policy.name, in: scope)
        // In another tenant nothing but this sign-in says that the account is that of the person at home.
        let makesCurrent = makesCurrent || expected?.isAtHome ?? false && before == nil
        // The account's tokens for other APIs are older than the demand; they are refreshed when they are needed.
        try store.save(
            grant, in: scope, authority: context.application.authority(for: policy).base.description,
            makeCurrent: makesCurrent, alone: context.exclusive,
            alsoFor: grant.accessToken.map(wanted.keys) ?? [],
            dropping: { meetsDemand || scopes.isOutdated($0) })
        guard let account = try store.account(grant.account) else { throw SusiError.savedAccountUnreadable }
        if meetsDemand { try demand.forget(in: store) }
        return SignInResult(
            account: account, asked: wanted.all, granted: grant.accessToken?.granted ?? ScopeSet([]),
            hasAccessToken: grant.accessToken != nil,
            declined: grant.accessToken.map { wanted.all.declined(granted: $0.granted) } ?? wanted.all,
            previous: before?.account.person == account.account.person ? nil : before)
    }

    // The error names addresses, even if the caller named the person by something else.
    private func checkPerson(of grant: TokenGrant, in store: AccountStore) throws(SusiError) {
        guard let expected, !expected.isPerson(of: grant) else { return }
        let prompt: Prompt? = context.application.kind.traits.offersAccountChoice ? nil : .login
        let run = PolicyRun(
            .signUpOrSignIn, grant.account.policy, account: demand.account == nil ? name(of: expected, in: store) : nil,
            prompt: prompt?.rawValue)
        let next = NextStep(.run(run))
        throw SusiError.otherPerson(
            grant.label, expected: expected.label,
            next: demand.account.map { next.demanding(AccountFinder(context: context, store: store).reference(to: $0)) }
                ?? next)
    }

    private func name(of expected: ExpectedPerson, in store: AccountStore) -> String {
        switch expected {
        case .account(let account): AccountFinder(context: context, store: store).reference(to: account).text
        case .home(let account): account.label
        case .named(let text): text
        }
    }
}

extension SignInKeeper {
    init(
        _ context: ClientContext, for request: SignInRequest, under policy: Policy, _ scopes: SignInScopes,
        _ demand: Demand = Demand(account: nil, stored: nil)
    ) {
        self.init(
            context: context, policy: policy, scopes: scopes, makesCurrent: request.makesCurrent,
            expected: request.expected, demand: demand)
    }
}

extension AccountStore {
    /// Returns the grant with the home account that is stored, as a refresh does: a response may leave it out, and must not move
    /// the account, with its tokens, to another one.
    func checkedHome(of grant: TokenGrant) throws -> TokenGrant {
        // A damaged account is no error: this sign-in may repair it.
        guard let known = try? account(grant.account)?.homeAccountID else { return grant }
        guard !grant.namesHome || grant.homeAccountID.isSame(as: known) else {
            throw ProtocolViolation.otherHomeAccount
        }
        return grant.with(known)
    }
}

extension TokenGrant {
    /// The name to show for the person, else the subject.
    var label: String { profile.label ?? account.person.subject }
}
