import ArgumentParser
import Susi
import SusiStartup

/// `--sign-in`: signs in if a command needs a token and only a sign-in can provide it. Without the option, a person at the terminal is
/// asked. The options of the page are a group beside it: the parser checks a group within a group several times as often.
struct SignInFallback: ParsableArguments {
    @Flag(help: "Sign in through the browser if a sign-in is needed")
    var signIn = false

    /// Runs `body`. If it fails because a sign-in is needed, signs in and runs it again. Where that had to wait, for the answer of a
    /// person or for another process's sign-in, `body` runs first: it may succeed by now.
    ///
    /// The sign-in expects the same person: the account named by the selection, else the current account. It requests
    /// the scopes of `api`, or everything granted on `resource`, and `scopes`. Without `asks`, no question is asked, because the
    /// command's errors or its standard input are not for a person.
    func run<T>(
        _ selection: AccountSelection, api: String?, resource: String? = nil, scopes: [String],
        asks: Bool, through browser: BrowserOptions, in context: Context,
        _ body: (AccountSelection) async throws -> T
    ) async throws -> T {
        var hasAsked = false
        while true {
            do { return try await body(selection) } catch let needed as SusiError where needed.isResolvedBySignIn {
                guard signIn || hasAsked else {
                    guard asks, !context.noInput, needed.nextStep.isSignIn, ProcessEnvironment.current.canAsk,
                        context.console.errIsTerminal
                    else { throw needed }
                    try await ask(needed, context)
                    hasAsked = true
                    continue
                }
                let policy = try context.application.choosePolicy(selection.policy)
                var request = SignInRequest(
                    policy: policy.name, api: api,
                    scopes: resource.map { [ScopeSet.defaultScope(ofResource: $0)] } ?? scopes)
                let needsConsent = [.consentNeeded, .scopesDeclined].contains(needed.code)
                request.options.prompt = needed.prompt ?? (needsConsent ? .consent : nil)
                let account: StoredAccount
                do {
                    account = try await signIn(request, for: selection.under(policy), through: browser, in: context)
                } catch let error as SusiError where error == .overtaken { continue }
                // Names the account, because another command may have switched in the meantime.
                return try await body(AccountSelection(account))
            }
        }
    }

    // Throws the exit code of the command unless the answer is yes.
    private func ask(_ needed: SusiError, _ context: Context) async throws {
        let console = context.console
        console.report(SusiError(needed.code, needed.what, why: needed.why, candidates: needed.candidates))
        console.ask("  Sign in now? [Y/n] ")
        let answer = try await StandardInput.firstLine()
        // End of input leaves the cursor on the question's line.
        if answer == nil { console.err("") }
        guard let answer, ["", "y", "yes"].contains(answer.lowercased()) else {
            context.advise(needed.nextStep)
            throw CommandEnded(code: ExitCodes(needed.code))
        }
    }

    private func signIn(
        _ request: SignInRequest, for selection: AccountSelection, through browser: BrowserOptions, in context: Context
    ) async throws -> StoredAccount {
        let client = context.client
        context.announceCopy()
        var request = request
        if let stored = try await stored(selection, client) {
            request.expected = .account(stored)
        } else {
            request.expected = try await client.expectedPerson(selection, api: request.api).person
        }
        request.makesCurrent = request.expected == nil
        let result = try await context.working("contacting the provider") { spinner in
            var surface = browser.surface(context, spinner)
            surface.endsAfterWait = true
            return try await client.signIn(request, through: surface)
        }
        // A person who was asked sees who signed in.
        if !signIn {
            for line in SignInReport(result, context).lines(context.console.errStyle) { context.console.err(line) }
        }
        return result.account
    }

    private func stored(_ selection: AccountSelection, _ client: PublicClient) async throws -> StoredAccount? {
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
        [.signInNeeded, .noCurrentAccount, .scopesDeclined].contains(code)
            || code == .consentNeeded && refusal?.consequence == .consent
    }
}

extension NextStep {
    /// Whether the step is a sign-in on a page and nothing else.
    fileprivate var isSignIn: Bool {
        if case .run(let run) = self { run.kind == .signUpOrSignIn } else { false }
    }
}
