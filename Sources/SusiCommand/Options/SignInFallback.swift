import ArgumentParser
import Susi

/// `--sign-in`: signs in if a command needs a token and only a sign-in can provide it. The options of the page are a group beside it:
/// the parser checks a group within a group several times as often.
struct SignInFallback: ParsableArguments {
    @Flag(help: "Sign in through the browser if a sign-in is needed")
    var signIn = false

    /// Runs `body`. If it fails because a sign-in is needed, signs in and runs it again.
    ///
    /// The sign-in expects the same person: the account named by the selection, else the current account. It requests
    /// the scopes of `api`, or everything granted on `resource`, and `scopes`.
    func run<T>(
        _ selection: AccountSelection, api: String?, resource: String? = nil, scopes: [String],
        through browser: BrowserOptions, in context: Context, _ body: (AccountSelection) async throws -> T
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
            let account = try await signIn(request, for: selection.under(policy), through: browser, in: context)
            // Names the account, because another command may have switched in the meantime.
            return try await body(AccountSelection(account))
        }
    }

    private func signIn(
        _ request: SignInRequest, for selection: AccountSelection, through browser: BrowserOptions, in context: Context
    ) async throws -> StoredAccount {
        let client = context.client
        context.announceRehearsal()
        var request = request
        if let known = try await known(selection, client) {
            request.expected = .account(known)
        } else {
            request.expected = try await client.expectedPerson(selection, api: request.api).person
        }
        request.makesCurrent = request.expected == nil
        return try await context.working("contacting the provider") { spinner in
            try await client.signIn(request, through: browser.surface(context, spinner)).account
        }
    }

    private func known(_ selection: AccountSelection, _ client: PublicClient) async throws -> StoredAccount? {
        if selection.isCurrent { return try await client.current(try client.policy(selection.policy)).current }
        do { return try await client.account(selection) } catch {
            // In another tenant, the person may have no account yet.
            guard error.code == .unknownAccount else { throw error }
            return nil
        }
    }
}

extension SusiError {
    /// Whether a sign-in in the browser resolves the error. It does not if an administrator must consent.
    fileprivate var isResolvedBySignIn: Bool {
        [.signInNeeded, .scopesDeclined].contains(code)
            || code == .consentNeeded && refusal?.consequence == .consent
    }
}
