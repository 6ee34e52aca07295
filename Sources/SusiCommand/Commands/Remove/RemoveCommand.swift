import ArgumentParser
import Susi

struct RemoveCommand: AsyncParsableCommand, PolicyCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove an account and its tokens from this machine.",
        discussion: """
              susi remove ana@contoso.example -p B2C_1_susi
              susi remove ana --person --dry-run

            On a terminal, an account of another application is removed after the question. With --yes, only the application in use counts; \
            --client-id names an account that belongs to no application of policies.json (susi accounts --all).
            """)

    @OptionGroup var policy: PolicyOption
    @OptionGroup var output: JSONOption

    @Argument(help: "Email or identifier; on a terminal, the start of one", completion: LiveNames.accounts)
    var account: String

    @Flag(help: "Every account of the person, under every policy")
    var person = false

    @Option(
        name: .customLong("client-id"),
        help: ArgumentHelp("Client ID of an account that belongs to no application", valueName: "id"))
    var clientID: String?

    @Option(help: ArgumentHelp("Authority of such an account", valueName: "address"))
    var authority: String?

    @Flag(help: "Show what would be removed; remove nothing")
    var dryRun = false

    @Flag(help: "Do not ask for confirmation")
    var yes = false

    @OptionGroup(title: "Common options") var global: GlobalOptions

    func validate() throws {
        if person, policy.text != nil {
            throw ValidationError(
                "-p and --person cannot be combined\n--person removes the accounts under every policy")
        }
        if authority != nil, clientID == nil { throw ValidationError("--authority needs --client-id") }
    }

    func run() async throws {
        let context = try Context(self)
        let name = try policy.name(in: context, exactly: yes)
        let (places, leftovers) = (try await context.places(), Leftovers(context))
        let accounts = try await chosen(under: name, of: places, context)
        let plan = try await context.client.plan(removing: accounts)
        if dryRun {
            let report = RemovalReport(plan, endsSessions: false, context, places, leftovers)
            return try context.show(report, json: output.json)
        }
        let names = places.question(accounts)
        try await context.confirm(
            "Remove \(names)?", yes: yes, command: await command(naming: accounts[0], under: name, context),
            otherwise: "not removed: \(names)")
        let result = SignOutResult(removed: try await context.client.remove(accounts), sessions: [], plan: plan)
        let remaining = try await context.client.storedCount().all
        let report = RemovalReport(
            result, endsSessions: false, context, places, leftovers.now, remaining: remaining)
        try context.show(report, json: output.json)
    }

    // With --yes, names are complete.
    private func command(
        naming chosen: StoredAccount, under policy: PolicyName?, _ context: Context
    ) async -> SuggestedCommand {
        SuggestedCommand("remove", await context.client.completeName(of: chosen)).flag("--person", person)
            .option("-p", policy?.spelling).option("--client-id", clientID).option("--authority", authority)
    }

    var givenPolicy: String? { policy.text }
    var givenTenant: String? { policy.tenant.text }
}
