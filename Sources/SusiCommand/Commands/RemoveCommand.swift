import ArgumentParser
import Susi

struct RemoveCommand: AsyncParsableCommand, GivenCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove an account and its tokens from this machine.",
        discussion: """
              susi remove ana@contoso.example -p B2C_1_susi
              susi remove ana --person --dry-run
            """)

    @OptionGroup var policy: PolicyOption
    @OptionGroup var output: JSONOption

    @Argument(help: "Email or identifier; on a terminal, the start of one", completion: LiveNames.accounts)
    var account: String

    @Flag(help: "Every account of the person, under every policy")
    var person = false

    @Flag(help: "Show what would be removed; remove nothing")
    var dryRun = false

    @Flag(help: "Do not ask for confirmation")
    var yes = false

    @OptionGroup(title: "Common options") var global: GlobalOptions

    func validate() throws {
        if person, policy.text != nil { throw ValidationError("-p and --person cannot be combined") }
    }

    func run() async throws {
        let context = try Context(self)
        let policy = try policy.name(in: context, exactly: yes).map { try context.client.policy($0) }
        let found = try await context.accounts(named: account, under: policy, exactly: yes)
        let accounts = try await chosen(of: found, under: policy, context)
        let elsewhere = try await context.elsewhere(accounts)
        if dryRun {
            let all = try await context.client.accountCount()
            var report = RemovalReport(preview: accounts, context, of: all)
            report.elsewhere = elsewhere
            return try context.show(report, json: output.json)
        }
        let names = RemovalQuestion.list(accounts, context)
        try await context.confirm(
            "Remove \(names)?", yes: yes, command: await command(naming: accounts[0], under: policy, context),
            otherwise: "not removed: \(names)")
        let removed = try await context.client.remove(accounts)
        let remaining = try await context.client.accountCount()
        var report = RemovalReport(removed, context, remaining: remaining)
        report.elsewhere = elsewhere
        try context.show(report, json: output.json)
    }

    // With --yes, names are complete.
    private func command(
        naming chosen: StoredAccount, under policy: Policy?, _ context: Context
    ) async -> SuggestedCommand {
        SuggestedCommand("remove", await context.client.completeName(of: chosen)).flag("--person", person)
            .option("-p", policy?.name.spelling)
    }

    static var givenOptions: [OptionReader<Self>] { .group(\.policy) }
    var again: SuggestedCommand { SuggestedCommand("remove", account) }

    private func chosen(
        of found: [StoredAccount], under policy: Policy?, _ context: Context
    ) async throws -> [StoredAccount] {
        if person, let first = found.ofOnePerson { return try await context.client.accounts(ofPersonOf: first) }
        if found.count > 1, found.ofOnePerson != nil {
            throw SusiError(
                .ambiguousAccount, "\(found[0].title) has accounts under \(found.count) policies",
                next: choosing(found[0].account.policy),
                candidates: found.map { "\($0.label)  \($0.account.policy)" })
        }
        return [try await context.client.only(found, named: account, under: policy)]
    }

    /// The next step for a text that matches under several policies.
    private func choosing(_ policy: PolicyName) -> NextStep {
        "\(again.option("-p", policy.spelling)), or --person for all of them"
    }
}

/// The accounts in the question before a removal, with their full names: the argument may be only a part of one.
enum RemovalQuestion {
    static func list(_ accounts: [StoredAccount], _ context: Context) -> String {
        guard accounts.count <= 5 else { return "\(accounts.count) accounts" }
        return accounts.map { "\(Terminal.safe($0.title)) under \(context.place(of: $0))" }.joined(separator: ", ")
    }
}
