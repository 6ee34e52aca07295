import SusiOAuth
import SusiPolicies
import SusiStore

/// One sign-in, whichever way the tokens come: requests what the caller and the servers demand, checks who signed in, and
/// stores the account.
struct SignInFlow {
    let context: ClientContext
    let store: AccountStore
    let request: SignInRequest
    let target: TokenTarget
    /// The user name of a sign-in without a page; such a request cannot carry a demand.
    let userName: String?
    /// The account of the person who probably signs in.
    let known: StoredAccount?

    init(
        _ context: ClientContext, in store: AccountStore, for request: SignInRequest, to target: TokenTarget,
        as userName: String?
    ) {
        (self.context, self.store, self.request, self.target) = (context, store, request, target)
        self.userName = userName
        known = AccountFinder(context: context, store: store)
            .likely(request.expected ?? userName.map { .named($0) }, under: target.policy)
    }

    var policy: Policy { target.policy }

    /// How next steps name the person who must come back, if the store knows one.
    var person: PersonReference? { request.expected == nil ? nil : known.map(finder.reference) }

    /// Runs the sign-in. `tokens` gets checked tokens for scopes, with the options of a page.
    func run(
        _ tokens: (ScopeSet, AuthorizationOptions) async throws -> TokenGrant
    ) async throws -> SignInResult {
        let demand = Demand(on: userName == nil ? known : nil, in: store)
        let scopes = SignInScopes(target, request, of: known)
        var options = demand.added(to: request.options)
        options.idTokenHint = known.flatMap { store.idToken(of: $0) }
        let grant = try await demand.forgottenIfRefused(in: store, context) {
            try await tokens(scopes.asked, options)
        }
        try checkPerson(of: grant)
        let keeper = SignInKeeper(
            context: context, policy: policy, scopes: scopes, makesCurrent: request.makesCurrent,
            // In another tenant nothing but this sign-in says that the account is that of the person at home.
            makesFirstCurrent: request.expected?.isAtHome ?? false, demand: demand)
        return try keeper.save(grant, in: store)
    }

    // The error names addresses, even if the caller named the person by something else.
    private func checkPerson(of grant: TokenGrant) throws(SusiError) {
        guard let expected = request.expected, !expected.isPerson(of: grant) else { return }
        let traits = context.application.kind.traits
        if case .named(let text) = expected, !grant.profile.canAnswer(to: text) {
            throw SusiError.nameNotSent(
                text, by: grant.profile.plainName, grant.account.person.subject, policy, of: context.application.kind)
        }
        let prompt: Prompt? = traits.offersAccountChoice ? nil : .login
        let name = finder.name(of: expected)
        // A shortened name of a person who is not stored may mean the person who came; a whole address means another one.
        let isShort = !name.isCompleteName && grant.label.lowercased().hasPrefix(name.lowercased())
        let run = PolicyRun(
            .signUpOrSignIn, grant.account.policy, account: person?.text ?? (isShort ? grant.label : name),
            prompt: prompt?.rawValue)
        throw SusiError.otherPerson(
            grant.label, expected: expected.label, next: .run(run),
            of: traits.listsAccounts ? nil : grant.profile.otherProvider)
    }

    private var finder: AccountFinder { AccountFinder(context: context, store: store) }
}
