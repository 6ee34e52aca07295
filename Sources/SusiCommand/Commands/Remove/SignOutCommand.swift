import ArgumentParser
import Susi

struct SignOutCommand: AsyncParsableCommand, PolicyCommand, AccountCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-out", abstract: "Sign out the current account.",
        discussion: """
              susi sign-out                      the current account
              susi sign-out --browser            end the browser's session too
              susi sign-out --browser-only       end that session; keep every account
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

    @Flag(help: "Only end the browser's session of the policy; remove nothing")
    var browserOnly = false

    @Flag(help: "Print the address instead of opening a browser")
    var noBrowser = false

    @Option(help: ArgumentHelp("Redirect port; 0 picks a free one", valueName: "port"))
    var port: UInt16?

    @Flag(help: "Show what would be removed; remove nothing")
    var dryRun = false

    @Flag(help: "Do not ask for confirmation")
    var yes = false

    @OptionGroup(title: "Common options") var global: GlobalOptions

    // Who wants to leave does not have to trust the folder first.
    var worksWithoutTrust: Bool {
        all && !browser && global.config == nil && global.namedApplication == nil && policy.tenant.text == nil
    }

    var givenPolicy: String? { policy.text }
    var givenTenant: String? { policy.tenant.text }
    var givenAccount: String? { account.text }

    func validate() throws {
        if all, person || policy.text != nil || account.text != nil {
            throw ValidationError("--all cannot be combined with --person, -p or -a")
        }
        if browserOnly, all || person || browser || account.text != nil {
            throw ValidationError("--browser-only cannot be combined with --all, --person, --browser or -a")
        }
    }

    func run() async throws {
        let context = try Context(self)
        let policy = try self.policy.name(in: context, exactly: yes)
        if browserOnly { return try await endSession(of: policy, context) }
        let shared = try await context.client.sharedAccounts()
        // A shared store without accounts may have left a session.
        if shared?.isEmpty ?? false { return try await endSession(of: policy, context) }
        let (places, leftovers) = (try await context.places(), Leftovers(context))
        let accounts = if let shared { shared } else { try await chosen(of: places, under: policy, context) }
        let endsSessions = browser || shared != nil
        if dryRun {
            let plan = try await context.client.plan(removing: accounts, endingShared: shared != nil)
            let isAll = accounts.count == places.count
            return try show(
                RemovalReport(
                    plan, endsSessions: endsSessions, context, places, isAll ? leftovers.allDeleted : leftovers),
                context)
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
            accounts, through: endsSessions ? surface(context) : nil)
        let remaining = try await context.client.storedCount().all
        let report = RemovalReport(
            result, endsSessions: endsSessions, context, places, leftovers.now, remaining: remaining)
        try show(report, isShared: shared != nil, context)
    }

    // Ends the browser's session of one policy and removes nothing.
    private func endSession(of policy: PolicyName?, _ context: Context) async throws {
        let client = context.client
        let plan = try client.plan(endingSessionOf: policy, endingShared: !browserOnly)
        if plan.visits.isEmpty { context.console.err("The policy shows no page: the browser has no session of it.") }
        let (places, leftovers) = (try await context.places(), Leftovers(context))
        if dryRun {
            return try show(
                RemovalReport(
                    plan, endsSessions: true, context, places, browserOnly ? leftovers : leftovers.allDeleted), context)
        }
        if !browserOnly { try await client.cleanUpWithoutAccounts() }
        let result = SignOutResult(
            removed: [], sessions: try await client.endSessions(plan, through: surface(context)), plan: plan)
        let report = RemovalReport(
            result, endsSessions: true, context, places, leftovers.now, remaining: places.count)
        try show(report, isShared: try await client.sharedAccounts() != nil, context)
    }

    // The accounts are removed even if ending a session failed; the exit code reports the failure.
    private func show(_ report: RemovalReport, isShared: Bool = false, _ context: Context) throws {
        try context.show(report, json: output.json)
        if let code = report.exitCode(isShared: isShared) { throw CommandEnded(code: code) }
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

    private func surface(_ context: Context) -> SignInSurface {
        BrowserOptions.signOut(context, noBrowser: noBrowser, port: port)
    }

    // With --yes, names are complete.
    private func command(naming chosen: StoredAccount?, _ context: Context) async -> SuggestedCommand {
        let command = SuggestedCommand("sign-out").flag("--person", person).flag("--all", all)
            .flag("--browser", browser).flag("--browser-only", browserOnly)
        guard let chosen, !all else { return command }
        let name = account.text == nil ? nil : await context.client.completeName(of: chosen)
        return command.option("-a", name).option("-p", policy.text.map { _ in chosen.account.policy.spelling })
    }
}
