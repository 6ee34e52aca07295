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

/// Stores the tokens of a sign-in.
struct SignInKeeper {
    let context: ClientContext
    let policy: Policy
    let scopes: SignInScopes
    /// Whether the account becomes the policy's current one.
    var makesCurrent = true
    /// Whether it becomes the current one if there is none.
    var makesFirstCurrent = false
    /// What the sign-in requested for servers.
    var demand = Demand()

    /// Stores the tokens. Forgets the demand if this sign-in meets it.
    func save(_ grant: TokenGrant, in store: AccountStore) throws -> SignInResult {
        let wanted = scopes.wanted(by: grant.account)
        let grant = try store.checkedHome(of: grant).withoutScopes(beside: wanted.all)
        let scope = context.scope(of: policy)
        let meetsDemand = demand.isMet(by: grant)
        // A damaged account is no error: this sign-in may repair it.
        let before = try? store.current(policy.name, in: scope)
        // The account's tokens for other APIs are older than the demand; they are refreshed when they are needed.
        try store.save(
            grant, in: scope, authority: context.application.authority(for: policy).base.description,
            makeCurrent: makesCurrent || makesFirstCurrent && before == nil,
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
