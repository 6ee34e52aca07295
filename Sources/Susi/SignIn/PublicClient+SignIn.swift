import SusiHTTP
public import SusiOAuth
public import SusiPolicies
public import SusiStore

/// How an interactive policy ended.
public struct SignInResult: Sendable {
    /// The account as it is stored.
    public let account: StoredAccount
    /// The scopes that were asked of the API.
    public let asked: ScopeSet
    /// Those that the server granted, as it names them.
    public let granted: ScopeSet
    /// Whether an access token came.
    public let hasAccessToken: Bool
    /// Those of the asked that were not granted.
    public let declined: ScopeSet
    /// Who was the policy's current account before, when it was another person; still is, unless the new account was to
    /// become current.
    public let previous: StoredAccount?
}

extension PublicClient {
    /// Signs a person in through the browser and stores the account under its person and its policy.
    ///
    /// Errors: ``SusiError/Code/cancelled`` (AADB2C90091 and 90273 too), `unknownAuthority` before anything is sent,
    /// `network`, `timeout`, `invalidAnswer`, `differentPerson`, `store`.
    public func signIn(
        _ request: SignInRequest, through surface: SignInSurface
    ) async throws(SusiError) -> SignInResult {
        let application = application
        let target = try await explained { try application.target(api: request.api, policy: request.policy) }
        guard target.policy.kind == .signUpOrSignIn else { throw SusiError.noSignInPage(target.policy) }
        let holder = try await holderOfSharedDevice(expecting: [request.expected, request.options.loginHint])
        let wanted = WantedScopes(target, beside: request.scopes)
        let expected = try await expectedAccount(of: request, target.policy)
        return try await explained(target.policy.name, of: expected) {
            // A store that cannot be written is better known before the person types a password.
            _ = try store()
            return try await SignInLock.with(target.policy.name, scope(of: target.policy), in: folder, surface) {
                let demand = demand(on: request, target.policy)
                var options = demand.added(to: request.options)
                options.loginHint = options.loginHint ?? holder?.profile.hint
                options.idTokenHint = demand.account.flatMap(idToken)
                var flow = flow(
                    target.policy, wanted.all, options, surface, choosesAccount: request.choosesAccount,
                    hasAccount: try hasAccount(target.policy))
                flow.person = expected.map(reference)
                return try await carrying(demand, target.policy) {
                    try await flow.run { grant in
                        let result = try await self.keep(grant, wanted, target.policy, request, demand)
                        return (result, .signedIn(result.account, target.policy))
                    }
                }
            }
        }
    }

    private func hasAccount(_ policy: Policy) throws -> Bool {
        try store().count(of: [scope(of: policy)], policy: policy.name) > 0
    }

    nonisolated func flow(
        _ policy: Policy, _ scopes: ScopeSet, _ options: AuthorizationOptions, _ surface: SignInSurface,
        choosesAccount: Bool = false, hasAccount: Bool = false
    ) -> InteractiveFlow {
        InteractiveFlow(
            application: application, policy: policy, scopes: scopes, options: options,
            choosesAccount: choosesAccount, hasAccount: hasAccount, surface: surface, documents: documents,
            user: folder.owner, clock: clock, network: network, trace: trace)
    }

    /// Stores what a sign-in brought, when it is the right person's; a demand that it met is forgotten.
    func keep(
        _ grant: TokenGrant, _ wanted: WantedScopes, _ policy: Policy, _ request: SignInRequest, _ demand: Demand
    ) throws -> SignInResult {
        if let expected = request.expected { try check(grant, is: expected, known: demand.account) }
        let meetsDemand = demand.stored != nil && demand.account?.account == grant.account
        // The account's tokens for other APIs are from before the demand; a refresh brings better ones.
        let result = try keep(
            grant, wanted, policy, makesCurrent: request.makesCurrent, dropsAccessTokens: meetsDemand)
        if meetsDemand { try forget(demand) }
        return result
    }

    /// Stores what a flow brought.
    func keep(
        _ grant: TokenGrant, _ wanted: WantedScopes, _ policy: Policy, makesCurrent: Bool,
        dropsAccessTokens: Bool = false
    ) throws -> SignInResult {
        let store = try store()
        let scope = scope(of: policy)
        // A damaged account is no obstacle: this sign-in may repair it.
        let before = try? store.current(policy.name, in: scope)
        try store.save(
            grant, in: scope, authority: application.authority(for: policy).base.description,
            makeCurrent: makesCurrent, alone: alone, alsoFor: grant.accessToken.map(wanted.keys) ?? [],
            dropsAccessTokens: dropsAccessTokens)
        guard let account = try store.account(grant.account) else {
            throw SusiError.savedAccountUnreadable
        }
        return SignInResult(
            account: account, asked: wanted.all, granted: grant.accessToken?.granted ?? ScopeSet([]),
            hasAccessToken: grant.accessToken != nil,
            declined: grant.accessToken.map { wanted.all.declined(granted: $0.granted) } ?? wanted.all,
            previous: before?.account.person == account.account.person ? nil : before)
    }

    // The error names addresses, whatever the caller named the person by.
    private func check(
        _ grant: TokenGrant, is expected: String, known: StoredAccount?
    ) throws(SusiError) {
        let subject = grant.account.person.subject
        if grant.profile.answers(to: expected, subject: subject) { return }
        let prompt: Prompt? = application.kind.offersAccountChoice ? nil : .login
        let signIn = SuggestedCommand.signIn(grant.account.policy).option("--prompt", prompt?.rawValue)
        throw SusiError.otherPerson(
            grant.profile.label ?? label(of: subject), expected: known?.label ?? label(of: expected),
            next: known.map { demanding($0, in: "\(signIn)") } ?? "\(signIn.option("-a", expected))")
    }

    /// The one account that the request demands; nil when it demands none, or the store does not know whose it is.
    private func expectedAccount(
        of request: SignInRequest, _ policy: Policy
    ) async throws(SusiError) -> StoredAccount? {
        guard request.expected != nil else { return nil }
        return try await explained(policy.name) {
            _ = try existingStore()
            return likelyAccount(request.expected, policy)
        }
    }
}

extension PolicyKind {
    /// The command that runs a policy of this kind.
    public func command(for policy: PolicyName) -> SuggestedCommand {
        let own = { (name: String) in SuggestedCommand(name).option("-p", policy.spelling) }
        return switch self {
        case .signUpOrSignIn: own("sign-in")
        case .editProfile: own("edit-profile")
        case .passwordReset: own("reset-password")
        case .resourceOwner: own("sign-in").option("--username", "NAME")
        }
    }
}

extension Page {
    static func signedIn(_ account: StoredAccount, _ policy: Policy) -> Page {
        Page(
            outcome: .success, title: "Signed in", text: "\(account.label) is signed in under \(policy.name).")
    }
}
