import ArgumentParser
import Susi

struct AccountsCommand: AsyncParsableCommand, PolicyCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts", abstract: "List accounts, the current ones (*) first.",
        discussion: """
              susi accounts
              susi accounts ana                    emails and names that contain “ana”
              susi accounts -p B2C_1_partner --json
              susi accounts --all                  everything that is stored

            With --all, the list is grouped by application. What belongs to no application of policies.json comes last, with the client ID \
            and the authority: no command uses it, and susi remove ACCOUNT --client-id ID removes it.
            """,
        aliases: ["ls"])

    @OptionGroup var output: JSONOption

    @Argument(help: "Part of an email or a name, or the start of an identifier", completion: LiveNames.accounts)
    var filter: String?

    @Option(
        name: [.customShort("p"), .customLong("policy")], help: "Only the accounts of this policy",
        completion: LiveNames.policies)
    var policy: String?

    @OptionGroup var tenant: TenantOption

    @Flag(help: "Everything that is stored; with -A, of that application")
    var all = false

    @Option(help: ArgumentHelp("Maximum number of accounts", valueName: "number"))
    var limit: Int?

    @OptionGroup(title: "Common options") var global: GlobalOptions

    var givenPolicy: String? { policy }
    var givenTenant: String? { tenant.text }

    func validate() throws {
        if let limit, limit < 1 {
            throw ValidationError("invalid value “\(limit)” for --limit\nexpected a number, 1 or more")
        }
    }

    func run() async throws {
        let context = try Context(self)
        let policy = try self.policy.map { try context.policyName($0) }
        let isEverything = all && policy == nil && tenant.text == nil && global.namedApplication == nil
        var (groups, hidden) = ([AccountGroup](), 0)
        if isEverything {
            groups = try await context.client.everything(filter: filter ?? "")
        } else {
            let list = try await context.client.list(policy: policy, filter: filter ?? "")
            groups = [AccountGroup(application: nil, origin: "", accounts: list.accounts)]
            hidden = list.hidden
        }
        let report = AccountsReport(
            groups, namesApplications: isEverything, limit: limit, hidden: hidden, context: context)
        try context.show(report, json: output.json)
        if output.json { return }
        if report.hasMore { context.console.err("There are more accounts; leave out --limit to list them all.") }
        if report.isEmpty { try explainEmptyList(hidden, under: policy, context) }
    }

    private func explainEmptyList(_ hidden: Int, under policy: PolicyName?, _ context: Context) throws {
        let chosen = try policy.map { try context.client.policy($0) }
        let place = chosen.map { " under \(Terminal.safe($0.name.spelling))" } ?? ""
        if let filter, !filter.isEmpty {
            context.console.err("No account\(place) matches “\(Terminal.safe(filter))”.")
            let all = SuggestedCommand("accounts", filter).flag("--all")
            return context.advise("\(hidden > 0 ? all : SuggestedCommand("accounts"))")
        }
        let others = hidden > 0 ? " Stored under other policies or for other applications: \(hidden)." : ""
        context.console.err("No accounts\(place).\(others)")
        if hidden > 0 {
            return context.advise("\(SuggestedCommand("accounts").flag("--all").without("-A", "-p", "--tenant"))")
        }
        let first =
            chosen ?? context.application.defaultPolicy
            ?? context.application.policies.first(where: \.kind.keepsAccounts)
        if let first { context.advise(NextStep.run(first)) }
    }
}

/// A list of accounts, in groups that get headings if there are several.
private struct AccountsReport: CommandResult {
    private let groups: [AccountGroup]
    private let hasHeadings: Bool
    private let hidden: Int
    private let context: Context
    /// Whether the limit left accounts out.
    let hasMore: Bool

    init(_ groups: [AccountGroup], namesApplications: Bool, limit: Int?, hidden: Int, context: Context) {
        var rest = limit ?? .max
        self.groups = groups.map { group in
            let shown = Array(group.accounts.prefix(rest))
            rest -= shown.count
            return group.with(shown)
        }.filter { !$0.accounts.isEmpty }
        hasHeadings =
            namesApplications && (groups.count > 1 || groups.contains { $0.application != context.application.name })
        self.hidden = hidden
        self.context = context
        hasMore = groups.reduce(0) { $0 + $1.accounts.count } > limit ?? .max
    }

    var isEmpty: Bool { groups.isEmpty }

    var json: JSONObject {
        [
            "schemaVersion": 1, "application": context.application.name, "hasMore": hasMore, "hiddenAccounts": hidden,
            "accounts": groups.flatMap { group in
                group.accounts.map { $0.json(of: group.application, unowned: group.unowned) }
            },
        ]
    }

    func lines(_ style: Style) -> [String] {
        let parts = groups.map { group in
            (hasHeadings ? [style.faint(heading(of: group))] : [])
                + AccountLines.of(group.accounts, in: context, isUnowned: group.unowned != nil, style)
        }
        return Array(parts.joined(separator: [""]))
    }

    private func heading(of group: AccountGroup) -> String {
        let place =
            switch group.unowned {
            case nil: " of “\(group.application ?? context.application.name)”"
            case .noApplication: " at \(group.origin), in no application of policies.json"
            case .noPolicy: " at \(group.origin), under a policy that is not in policies.json"
            case .keepsNoAccount: " at \(group.origin), under a policy that keeps no account"
            }
        return Terminal.safe(Count.text(group.accounts.count, "account") + place)
    }
}

/// Accounts as lines, each with its policy and the validity of its sign-in; those of no application with what tells them apart.
enum AccountLines {
    static func of(
        _ accounts: [StoredAccount], in context: Context, isUnowned: Bool = false, _ style: Style
    ) -> [String] {
        let cells = zip(accounts, titles(of: accounts, in: context)).map { account, text in
            [
                account.isCurrent ? "* \(style.strong(text))" : "  \(text)",
                isUnowned ? account.safePolicy : context.place(of: account),
                isUnowned ? account.safeRegistration : account.sessionStatus(now: context.now),
            ]
        }
        let blocks = Table.blocks(cells, style)
        if blocks.allSatisfy({ $0.count == 1 }) { return blocks.flatMap(\.self) }
        // On a narrow terminal, every account has its title on a line of its own.
        return cells.flatMap { Table.lines([[$0[0]], ["    \($0[1])", $0[2]]], style) }
    }

    /// The titles, with what distinguishes people who have the same label under a policy.
    static func titles(
        of accounts: [StoredAccount], in context: Context, _ title: (StoredAccount) -> String = \.safeTitle
    ) -> [String] {
        let name = { (account: StoredAccount) in "\(account.label) \(context.place(of: account))" }
        let persons = Dictionary(grouping: accounts, by: name).mapValues { Set($0.map(\.account.person.subject)).count }
        return accounts.map { account in
            let isUnique = persons[name(account)] ?? 1 < 2
            return title(account) + (isUnique ? "" : " [\(Terminal.safe(account.distinction))]")
        }
    }

    /// The title of an account and the label of the one that was current before it, told apart if two people have one label.
    static func names(
        of account: StoredAccount, before previous: StoredAccount?, in context: Context
    ) -> (account: String, previous: String?) {
        let both = [account] + (previous.map { [$0] } ?? [])
        let labels = titles(of: both, in: context) { Terminal.safe($0.label) }
        return (titles(of: both, in: context)[0], previous.map { _ in labels[1] })
    }
}
