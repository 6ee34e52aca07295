import SusiOAuth
import SusiPolicies
import SusiStore

/// One sign-in, whichever way the tokens come: requests what the caller and the servers demand, checks who signed in, and
/// stores the account.
struct SignInFlow {
    let context: ClientContext
    var request: SignInRequest
    let target: TokenTarget
    /// The user name of a sign-in without a page; such a request cannot carry a demand.
    var userName: String?

    var policy: Policy { target.policy }

    /// Runs the sign-in. `tokens` gets checked tokens for scopes, with the options of a page.
    func run(
        in store: AccountStore, _ tokens: (ScopeSet, AuthorizationOptions) async throws -> TokenGrant
    ) async throws -> SignInResult {
        let finder = AccountFinder(context: context, store: store)
        let known = finder.likely(request.expected ?? userName.map { .named($0) }, under: policy)
        let demand = Demand(on: userName == nil ? known : nil, in: store)
        let scopes = SignInScopes(target, request, of: known)
        var options = demand.added(to: request.options)
        options.idTokenHint = known.flatMap { store.idToken(of: $0) }
        let grant = try await demand.forgottenIfRefused(in: store, context) {
            try await tokens(scopes.asked, options)
        }
        try checkPerson(of: grant, known, finder)
        let keeper = SignInKeeper(
            context: context, policy: policy, scopes: scopes, makesCurrent: request.makesCurrent,
            // In another tenant nothing but this sign-in says that the account is that of the person at home.
            makesFirstCurrent: request.expected?.isAtHome ?? false, demand: demand)
        return try keeper.save(grant, in: store)
    }

    // The error names addresses, even if the caller named the person by something else.
    private func checkPerson(
        of grant: TokenGrant, _ known: StoredAccount?, _ finder: AccountFinder
    ) throws(SusiError) {
        guard let expected = request.expected, !expected.isPerson(of: grant) else { return }
        let prompt: Prompt? = context.application.kind.traits.offersAccountChoice ? nil : .login
        let name = known.map { finder.reference(to: $0).text } ?? finder.name(of: expected)
        let run = PolicyRun(.signUpOrSignIn, grant.account.policy, account: name, prompt: prompt?.rawValue)
        throw SusiError.otherPerson(grant.label, expected: expected.label, next: NextStep(.run(run)))
    }
}
