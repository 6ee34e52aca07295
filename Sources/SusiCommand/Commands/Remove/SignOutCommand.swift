import ArgumentParser
import Susi
import SusiStartup

struct SignOutCommand: AsyncParsableCommand, PolicyCommand, AccountCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-out", abstract: "Sign out the current account.",
        discussion: """
              susi sign-out                      the current account
              susi sign-out --browser            end the browser's session too
              susi sign-out --all --dry-run
            """,
        aliases: ["logout"])

    @OptionGroup var policy: PolicyOption
    @OptionGroup var account: AccountOption
    @OptionGroup var output: JSONOption

    @Flag(help: "Every account of the person, under every policy")
    var person = false

    @Flag(help: "Everything that is stored; with -A, of that application")
    var all = false

    @Flag(help: "Also end the browser's session at the provider ($BROWSER)")
    var browser = false

    @Option(help: ArgumentHelp("Redirect port; 0 picks a free one", valueName: "port"))
    var port: UInt16?

    @Flag(help: "Show what would be removed; remove nothing")
    var dryRun = false

    @Flag(help: "Do not ask for confirmation")
    var yes = false

    @OptionGroup(title: "Common options") var global: GlobalOptions

    var givenPolicy: String? { policy.text }
    var givenTenant: String? { policy.tenant.text }
    var givenAccount: String? { account.text }

    func validate() throws {
        if all, person || policy.text != nil || account.text != nil {
            throw ValidationError("--all cannot be combined with --person, -p or -a")
        }
    }

    func run() async throws {
        let context = try Context(self)
        let policy = try self.policy.name(in: context, exactly: yes)
        let shared = try await context.client.sharedAccounts()
        let places = try await context.places()
        let accounts = if let shared { shared } else { try await chosen(of: places, under: policy, context) }
        let policies = browser || shared != nil ? try sessions(of: accounts, under: policy, context) : []
        let known = try await policiesWithSession(context)
        if dryRun {
            let report = RemovalReport(
                preview: accounts, endingSessionsOf: policies, known: known, context, places)
            return try context.show(report, json: output.json)
        }
        if accounts.isEmpty {
            context.console.err("No account is signed in.")
        } else {
            let question = places.question(accounts)
            try await context.confirm(
                "Sign out \(question)?", yes: yes, command: await command(naming: accounts.first, context),
                otherwise: "not removed: \(question)")
        }
        let result = try await context.client.signOut(
            accounts, endingSessionsOf: policies, through: policies.isEmpty ? nil : surface(context))
        let remaining = try await context.client.storedCount().all
        let report = RemovalReport(
            result.removed, sessions: result.sessions, known: known, context, places, remaining: remaining)
        try context.show(report, json: output.json)
        try checkSessions(result.sessions, isShared: shared != nil)
    }

    private func chosen(
        of places: AccountPlaces, under policy: PolicyName?, _ context: Context
    ) async throws -> [StoredAccount] {
        if all {
            let isOfOne = global.namedApplication != nil || self.policy.tenant.text != nil
            return isOfOne ? try await context.client.accounts() : places.accounts
        }
        // Without a policy, the person may be signed in under any.
        if person, policy == nil, let text = account.chosen {
            return try await context.accounts(ofPersonNamed: text, exactly: account.text == nil || yes)
        }
        let accounts = try await context.client.signingOut(
            try await context.selection(account, under: policy, exactly: yes))
        guard person, let first = accounts.first else { return accounts }
        return try await context.client.accounts(ofPersonOf: first)
    }

    // Returns the policies whose browser sessions this command ends: those of the accounts, in the file's order;
    // without accounts, the named policy.
    private func sessions(
        of accounts: [StoredAccount], under policy: PolicyName?, _ context: Context
    ) throws -> [Policy] {
        let own = context.application.policies.filter { policy in
            policy.kind.hasPage
                && accounts.contains {
                    $0.account.policy == policy.name && $0.account.clientID == context.application.clientID
                }
        }
        if !accounts.isEmpty { return own }
        return [try context.client.policy(policy)].filter(\.kind.hasPage)
    }

    // Returns the policies that may have a browser session: those with accounts that signed in through the browser.
    private func policiesWithSession(_ context: Context) async throws -> [PolicyName] {
        var names: [PolicyName] = []
        for policy in context.application.policies where policy.kind.hasPage && policy.kind.keepsAccounts {
            if try await context.client.accountCount(policy: policy.name) > 0 { names.append(policy.name) }
        }
        return names
    }

    private func surface(_ context: Context) -> SignInSurface {
        let console = context.console
        let style = console.errStyle
        let choice = BrowserChoice.decide(in: .init(ProcessEnvironment.current))
        let messages = SignInMessages(choice: choice, readsPaste: false, style: style)
        var surface = SignInSurface(
            browser: BrowserOptions.browser(choice), timeout: PublicClient.longestSignOut,
            ports: port.map { [$0] },
            tell: { event in
                switch event {
                case .waiting(let waiting):
                    let start = waiting.opensBrowser ? "Ending the session; if nothing opens" : "Visit"
                    console.err("\(start): \(style.strong(waiting.shortURL))")
                default: for line in messages.lines(event) { console.err(line) }
                }
            })
        surface.closing = LastPages.serve
        return surface
    }

    // The accounts are removed even if ending a session failed; the exit code reports the failure.
    private func checkSessions(_ sessions: [EndedSession], isShared: Bool) throws {
        for session in sessions {
            switch session.outcome {
            case .ended: break
            // Enough for the person's own machine, not for one that several people use in turn.
            case .probablyEnded: if isShared { throw CommandEnded(code: .network) }
            case .notOffered: if isShared { throw CommandEnded(code: .failed) }
            case .noAnswer: throw CommandEnded(code: .network)
            case .failed(let error): throw CommandEnded(code: ExitCodes(error.code))
            }
        }
    }

    // With --yes, names are complete.
    private func command(naming chosen: StoredAccount?, _ context: Context) async -> SuggestedCommand {
        let command = SuggestedCommand("sign-out").flag("--person", person).flag("--all", all)
            .flag("--browser", browser)
        guard let chosen, !all else { return command }
        let name = account.text == nil ? nil : await context.client.completeName(of: chosen)
        return command.option("-a", name).option("-p", policy.text.map { _ in chosen.account.policy.spelling })
    }
}
