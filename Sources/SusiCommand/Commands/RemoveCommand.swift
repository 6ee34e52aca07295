import ArgumentParser
import Susi

/// `susi remove`.
struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove one account with its tokens from this machine.",
        discussion: """
            susi remove ana@contoso.example -p B2C_1_susi
            susi remove ana@contoso.example --person --dry-run
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var policy: PolicyOption
    @OptionGroup var output: JSONOption

    @Argument(help: "An email address, a name, or the beginning of an identifier.")
    var account: String

    @Flag(help: "All accounts of the person, under every policy.")
    var person = false

    @Flag(help: "Say what would be removed, and remove nothing.")
    var dryRun = false

    @Flag(help: "Do not ask.")
    var yes = false

    func validate() throws {
        if person, policy.text != nil { throw ValidationError("Name a policy with -p, or --person, not both.") }
    }

    func run() async throws {
        let context = try Context(global)
        if try await removeImported(context) { return }
        let accounts = try await chosen(context)
        let question =
            "Remove \(accounts.map { "\(Terminal.safe($0.label)) under \($0.account.policy)" }.joined(separator: ", "))?"
        var removals: [Removal] = []
        if !dryRun {
            try context.confirm(question, yes: yes, command: command)
            for account in accounts { removals.append(try await context.client.remove(account)) }
        }
        let remaining = try await context.client.accounts().filter { remaining in
            dryRun ? !accounts.contains { $0.account == remaining.account } : true
        }
        try context.show(
            RemovalReport(accounts: accounts, removals: removals, remaining: remaining.count, isDryRun: dryRun),
            json: output.json)
    }

    /// The same command, to be typed with `--yes`.
    var command: String {
        "susi remove \(account.shellWord)" + (policy.text.map { " -p \($0)" } ?? (person ? " --person" : ""))
    }

    private func chosen(_ context: Context) async throws -> [StoredAccount] {
        let policy = try policy.name.map { try context.client.policy($0) }
        let found = try await context.client.find(account, policy)
        if person, let first = found.first, found.allSatisfy({ $0.account.person == first.account.person }) {
            return try await context.client.accounts().filter { $0.account.person == first.account.person }
        }
        let persons = Set(found.map { $0.account.person })
        if !person, found.count > 1, persons.count == 1 {
            throw SusiError(
                .ambiguousAccount, "\(found[0].label) has accounts under \(found.count) policies",
                next: "susi remove \(account.shellWord) -p \(found[0].account.policy), or --person for all of them",
                candidates: found.map { "\($0.label)  \($0.account.policy)" })
        }
        return [try await context.client.single(found, account, policy)]
    }
}

/// What a removal says: what is gone, and what is not.
struct RemovalReport: CommandResult {
    let schemaVersion = 1
    let isDryRun: Bool
    let removed: [AccountRecord]
    let currentEnded: [String]
    let remainingAccounts: Int

    init(accounts: [StoredAccount], removals: [Removal], remaining: Int, isDryRun: Bool) {
        self.isDryRun = isDryRun
        removed = accounts.map(AccountRecord.init)
        currentEnded = accounts.filter(\.isCurrent).map(\.account.policy.spelling)
        remainingAccounts = remaining
    }

    func lines(_ style: Style) -> [String] {
        let verb = isDryRun ? style.warning("Would remove") : style.good("Removed")
        var lines = removed.map { account in
            "\(verb) \(style.strong(account.title)) under \(account.policy) with its tokens"
        }
        for policy in currentEnded { lines.append("  no account is current under \(policy) now") }
        let rest = remainingAccounts == 1 ? "1 other account stays" : "\(remainingAccounts) other accounts stay"
        lines.append("  \(rest); tokens handed out stay valid until they end, and the browser keeps its session")
        return lines
    }
}
