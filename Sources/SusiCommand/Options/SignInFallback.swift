import ArgumentParser
import Susi

/// `--sign-in`: what a command does that needs a token when only a sign-in brings one.
struct SignInFallback: GivenArguments {
    @Flag(help: "Sign in through the browser if a sign-in is needed")
    var signIn = false

    @OptionGroup var browser: BrowserOptions

    // The commands accept them only for --sign-in.
    static var givenOptions: [OptionReader<Self>] { .group(\.browser, accepting: []) }

    /// Runs `body`, and once more after a sign-in if that is what it needs.
    ///
    /// The person of a known account has to sign in again: the account that the selection names, else the current one.
    /// The sign-in asks for the scopes of `api`, or for all that was granted on `resource`, and for `scopes`.
    func run<T>(
        _ selection: AccountSelection, api: String?, resource: String? = nil, scopes: [String], in context: Context,
        _ body: (AccountSelection) async throws -> T
    ) async throws -> T {
        do { return try await body(selection) } catch let needed as SusiError where signIn && needed.isResolvedBySignIn
        {
            let policy =
                try resource == nil
                ? context.application.target(api: api, policy: selection.policy).policy
                : context.application.choosePolicy(selection.policy)
            var request = SignInRequest(
                policy: policy.name, api: api,
                scopes: resource.map { [ScopeSet.defaultScope(ofResource: $0)] } ?? scopes)
            let needsConsent = [.consentNeeded, .scopesDeclined].contains(needed.code)
            request.options.prompt = needed.prompt ?? (needsConsent ? .consent : nil)
            let account = try await signIn(request, for: selection.text, under: policy, in: context)
            // Another command may have switched meanwhile.
            return try await body(AccountSelection(account))
        }
    }

    private func signIn(
        _ request: SignInRequest, for account: String?, under policy: Policy, in context: Context
    ) async throws -> StoredAccount {
        let client = context.client
        context.announceRehearsal()
        let known = try await known(
            AccountSelection(policy: policy.name, text: account), under: policy, client)
        var request = request
        request.options.loginHint = known?.profile.hint
        request.expected = known?.account.person.subject
        request.makesCurrent = known == nil
        return try await context.working("contacting the provider") { spinner in
            try await client.signIn(request, through: browser.surface(context, spinner)).account
        }
    }

    private func known(
        _ selection: AccountSelection, under policy: Policy, _ client: PublicClient
    ) async throws -> StoredAccount? {
        if selection.text == nil { return try await client.current(policy).current }
        return try await client.account(selection)
    }
}

extension SusiError {
    /// Whether a sign-in resolves the error. An administrator's consent is not given there.
    fileprivate var isResolvedBySignIn: Bool {
        [.signInNeeded, .scopesDeclined].contains(code)
            || code == .consentNeeded && refusal?.consequence == .consent
    }
}
