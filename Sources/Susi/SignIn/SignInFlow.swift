import SusiBase
package import SusiOAuth
package import SusiPolicies
package import SusiStore

/// How a sign-in gets its tokens.
enum SignInMeans {
    case page(SignInSurface)
    case direct(any DirectSignIn)

    var surface: SignInSurface? { if case .page(let surface) = self { surface } else { nil } }
    var userName: String? { if case .direct(let direct) = self { direct.userName } else { nil } }
}

/// A sign-in without a page on this machine: by password, by native authentication, or on another device.
protocol DirectSignIn {
    /// The user name that the caller gave; `nil` if the provider asks who signs in.
    var userName: String? { get }
    /// Returns checked tokens.
    func tokens(for scopes: ScopeSet, _ options: AuthorizationOptions) async throws -> TokenGrant
}

/// One sign-in: gets the tokens of its plan, checks who signed in, and stores the account.
struct SignInFlow {
    private let context: ClientContext
    private let store: AccountStore
    private let request: SignInRequest
    private let means: SignInMeans
    private let policy: Policy
    private let plan: SignInPlan
    /// How next steps name the person who must come back; `nil` if a user name does, or if the store has none.
    let person: PersonReference?

    /// Prepares a sign-in by what is stored now. Throws if a shared store belongs to another person.
    init(
        _ request: SignInRequest, to target: TokenTarget, by means: SignInMeans, in store: AccountStore,
        _ context: ClientContext
    ) throws {
        (self.context, self.store, self.means, self.request, policy) = (context, store, means, request, target.policy)
        let userName = means.userName
        let holder = try store.holder(admitting: request.people(userName))
        let finder = AccountFinder(context: context, store: store)
        let account = finder.likely(request.expected ?? userName.map { .named($0) }, under: policy)
        // A user name leaves no choice, so that its request meets no demand.
        let asked = userName == nil ? account : nil
        plan = SignInPlan(
            request, to: target, as: account, idToken: account.flatMap { store.idToken(of: $0) },
            demand: asked.flatMap { try? store.pendingClaims(of: $0.account) }, holderHint: holder?.profile.hint)
        person = request.expected == nil ? nil : asked.map(finder.reference)
    }

    /// Gets tokens, checks the person and stores the account. On a page, the window shows the outcome.
    func run() async throws -> SignInResult {
        var options = plan.options
        switch means {
        case .direct(let direct): return try await finish { try await direct.tokens(for: plan.asked, options) }
        case .page(let surface):
            return try await BrowserWindow.open(
                under: policy, on: surface, responseMode: options.responseMode, expecting: person, context
            ) { window in
                if request.choosesAccount, options.prompt == nil { options.prompt = try choice(in: window) }
                let result = try await finish { try await window.tokens(for: plan.asked, options) }
                return (result, .signedIn(result.account, policy))
            }
        }
    }

    // The prompt by which the person chooses an account, if the provider offers a choice.
    private func choice(in window: BrowserWindow) throws -> Prompt? {
        if window.offersAccountChoice { return .selectAccount }
        // The browser may still have the session of an account.
        if try store.count(of: [context.registration(of: policy)], policy: policy.name) > 0 {
            window.reportMissingChoice()
        }
        return nil
    }

    private func finish(_ tokens: () async throws -> TokenGrant) async throws -> SignInResult {
        let grant: TokenGrant
        do { grant = try await tokens() } catch {
            // Otherwise every later sign-in would fail too; an API that still demands it does so again.
            if context.explained(error).endsDemand { try? forgetDemand() }
            throw error
        }
        try checkPerson(of: grant)
        return try keep(grant)
    }

    // The error names addresses, even if the caller named the person by something else.
    private func checkPerson(of grant: TokenGrant) throws(SusiError) {
        guard let expected = request.expected, !expected.isPerson(of: grant) else { return }
        let traits = context.application.kind.traits
        if case .named(let text) = expected, !grant.profile.canMatch(text) {
            throw SusiError.nameNotSent(
                text, by: grant.profile.plainName, grant.account.person.subject, policy, of: context.application.kind)
        }
        let prompt: Prompt? = traits.offersAccountChoice ? nil : .login
        let finder = AccountFinder(context: context, store: store)
        let name = finder.name(of: expected)
        // A shortened name of a person who is not stored may mean the person who came; a whole address means another one.
        let isShort = !name.isCompleteName && grant.label.lowercased().hasPrefix(name.lowercased())
        let run = PolicyRun(
            .signUpOrSignIn, grant.account.policy,
            account: plan.account.map(finder.reference)?.text ?? (isShort ? grant.label : name),
            prompt: prompt?.rawValue)
        throw SusiError.otherPerson(
            grant.label, expected: expected.label, next: .run(run),
            of: traits.listsAccounts ? nil : grant.profile.otherProvider)
    }

    private func keep(_ grant: TokenGrant) throws -> SignInResult {
        let wanted = plan.wanted(of: grant)
        // A damaged account is no error: this sign-in may repair it.
        let before = try? store.current(policy.name, in: context.registration(of: policy))
        // In another tenant, only this sign-in links the account to the person's home account.
        let isFirst = before == nil && request.expected?.isAtHome ?? false
        let known = (try? store.account(grant.account)).flatMap { try? JSONNode(parsing: $0.claims.utf8) }
        // A new name is in new tokens only.
        let isChanged = known.map { Profile(claims: $0) != grant.profile } ?? false
        let account = try store.saveSignIn(
            grant, for: wanted, under: policy, makesCurrent: request.makesCurrent || isFirst, context,
            dropping: { isChanged || plan.isOutdated($0, after: grant) })
        if plan.meetsDemand(grant) { try forgetDemand() }
        let token = grant.accessToken
        return SignInResult(
            account: account, asked: wanted.all, granted: token?.granted ?? ScopeSet([]), hasAccessToken: token != nil,
            declined: token.map { wanted.all.declined(granted: $0.granted) } ?? wanted.all,
            previous: before?.account.person == account.account.person ? nil : before)
    }

    // Does not remove a newer demand.
    private func forgetDemand() throws {
        guard let account = plan.account, let demand = plan.demand else { return }
        try store.forgetClaims(of: account.account, ifStill: demand)
    }
}

extension SusiError {
    /// Whether a server did not meet a demand, or refused the request itself: not because it is busy or because the person
    /// cancelled. Only a service's own code proves that the person cancelled.
    fileprivate var endsDemand: Bool {
        if violated == .demand { return true }
        guard let refusal, code != .network else { return false }
        return refusal.consequence != .cancelled || refusal.code == nil
    }
}

extension AccountStore {
    /// Stores the tokens of a sign-in and returns the account. Tokens whose requested scopes `isOutdated` are removed.
    package func saveSignIn(
        _ grant: TokenGrant, for wanted: WantedScopes, under policy: Policy, makesCurrent: Bool,
        _ context: ClientContext, dropping isOutdated: (ScopeSet) -> Bool = { _ in false }
    ) throws -> StoredAccount {
        let grant = try checkedHome(of: grant).withoutScopes(beside: wanted.all)
        try save(
            grant, in: context.registration(of: policy),
            authority: context.application.authority(for: policy).base.description, makeCurrent: makesCurrent,
            alsoFor: grant.accessToken.map(wanted.keys) ?? [], dropping: isOutdated)
        guard let account = try account(grant.account) else { throw SusiError.savedAccountUnreadable }
        return account
    }

    // Returns the grant with the home account that is stored, as a refresh does: a response may leave it out, and must not move
    // the account, with its tokens, to another one.
    private func checkedHome(of grant: TokenGrant) throws -> TokenGrant {
        // A damaged account is no error: this sign-in may repair it.
        guard let stored = try? account(grant.account)?.homeAccountID else { return grant }
        guard !grant.namesHome || grant.homeAccountID.isSame(as: stored) else {
            throw ProtocolViolation.otherHomeAccount
        }
        return grant.with(stored)
    }

    /// Returns the account's stored id token, for a policy that wants it as a hint.
    func idToken(of account: StoredAccount) -> String? {
        try? secret(.id(account.account))?.secret
    }
}

extension TokenGrant {
    /// The name to show for the person, else the subject.
    var label: String { profile.label ?? account.person.subject }
}
