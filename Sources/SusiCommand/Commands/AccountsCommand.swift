import ArgumentParser
import Susi
import Synchronization

struct AccountsCommand: AsyncParsableCommand, PolicyCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts", abstract: "List accounts, the current ones (*) first.",
        discussion: """
              susi accounts
              susi accounts ana                    emails and names that contain “ana”
              susi accounts -p B2C_1_partner --json
              susi accounts --all                  everything that is stored

            With --all, the list is grouped by application, and what belongs to no application of policies.json comes last. With -A, --all \
            adds the accounts of edit-profile and password-reset policies to the list of that application.
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
        // Requests one more account than shown, to find out whether there are more.
        let list = AccountList(
            policy: policy, filter: filter.flatMap { $0.isEmpty ? nil : $0 },
            includesUtilities: all, limit: limit.map { $0 + 1 })
        if all, policy == nil, tenant.text == nil, global.namedApplication == nil {
            return try await listEverything(list, context)
        }
        let output = Mutex(AccountOutput(context, asJSON: output.json, limit: limit))
        let isUnread = Mutex(false)
        do {
            try await context.client.list(list) { account in
                // Ends a long list when standard output is closed.
                if context.console.hasNoReader {
                    isUnread.withLock { $0 = true }
                    throw CancellationError()
                }
                try output.withLock { try $0.show(account) }
            }
        } catch {
            if isUnread.withLock({ $0 }) { return }
            throw error
        }
        let hidden = try await context.client.hiddenCount(in: list)
        let (shown, hasMore) = try output.withLock { try $0.end(hidden: hidden) }
        if self.output.json { return }
        if hasMore { context.console.err("There are more accounts; leave out --limit to list them all.") }
        if shown == 0 { try explainEmptyList(hidden, under: policy, context) }
    }

    private func listEverything(_ list: AccountList, _ context: Context) async throws {
        let groups = try await context.client.everything(filter: list.filter)
        var output = AccountOutput(context, asJSON: self.output.json, limit: limit)
        let hasHeadings = groups.count > 1 || groups.contains { $0.application != context.application.name }
        for group in groups {
            if hasHeadings, !self.output.json { output.begin(group) }
            for account in group.accounts { try output.show(account, of: group.application) }
        }
        let (shown, hasMore) = try output.end(hidden: 0)
        if self.output.json { return }
        if hasMore { context.console.err("There are more accounts; leave out --limit to list them all.") }
        if shown == 0 { try explainEmptyList(0, under: nil, context) }
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
        let first = chosen ?? context.application.defaultPolicy ?? context.application.policies.first
        if let first { context.advise(NextStep.run(first)) }
    }
}

/// A printer for accounts, as lines or as one JSON object. It keeps only a few accounts in memory.
private struct AccountOutput {
    private let context: Context
    private let asJSON: Bool
    private let limit: Int
    private var printer: AccountPrinter
    private var shown = 0
    private var hasMore = false
    private var waiting: String?

    init(_ context: Context, asJSON: Bool, limit: Int?) {
        self.context = context
        self.asJSON = asJSON
        self.limit = limit ?? .max
        printer = AccountPrinter(now: context.now, context.console.outStyle, to: context.console.out)
    }

    mutating func begin(_ group: AccountGroup) {
        guard shown < limit else { return }
        printer.end()
        let count = Count.text(min(group.accounts.count, limit - shown), "account")
        let place = group.application.map { " of “\($0)”" } ?? " at \(group.origin), in no application of policies.json"
        if shown > 0 { context.console.out("") }
        context.console.out(context.console.outStyle.faint(Terminal.safe(count + place)))
    }

    mutating func show(_ account: StoredAccount, of application: String? = nil) throws {
        guard shown < limit else {
            hasMore = true
            return
        }
        shown += 1
        if asJSON {
            try showJSON(account.json(of: application))
        } else {
            printer.add(account, under: context.place(of: account))
        }
    }

    // Holds each object back until it is known whether a comma follows.
    private mutating func showJSON(_ account: JSONObject) throws {
        if shown == 1 { context.console.out("{\n  \"accounts\" : [") }
        if let waiting { context.console.out("\(waiting),") }
        waiting = try account.text().split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
    }

    /// Prints what follows the last account. Returns how many entries were printed and whether there are more.
    mutating func end(hidden: Int) throws -> (shown: Int, hasMore: Bool) {
        guard asJSON else {
            printer.end()
            return (shown, hasMore)
        }
        let rest: JSONObject = [
            "application": context.application.name, "hasMore": hasMore, "hiddenAccounts": hidden,
            "schemaVersion": 1,
        ]
        // “accounts” comes first, in alphabetical order like all keys.
        context.console.out("\(waiting ?? "{\n  \"accounts\" : [")\n  ],")
        context.console.out(String(try rest.text().dropFirst(2)))
        return (shown, hasMore)
    }
}

struct AccountPrinter {
    private let now: Int64
    private let style: Style
    private let print: @Sendable (String) -> Void
    private var rows: [Row] = []

    private struct Row {
        let mark: String
        let label: String
        let title: String
        let identifier: String
        let policy: String
        let status: String
    }

    /// The number of rows laid out together, about a screen. A longer list is printed in parts, so the first lines
    /// appear soon.
    private static let rowsPerPart = 64

    init(now: Int64, _ style: Style, to print: @escaping @Sendable (String) -> Void) {
        self.now = now
        self.style = style
        self.print = print
    }

    mutating func add(_ account: StoredAccount, under place: String) {
        if rows.count == Self.rowsPerPart { end() }
        rows.append(
            Row(
                mark: account.isCurrent ? "*" : " ", label: Terminal.safe(account.label), title: account.safeTitle,
                identifier: Terminal.safe(account.account.person.subject), policy: place,
                status: account.sessionStatus(now: now)))
    }

    /// Prints the rows added since the last call.
    mutating func end() {
        let full = Table.blocks(cells(\.title), style)
        // On a narrow terminal, the label alone identifies the account.
        let fits = full.allSatisfy { $0.count == 1 }
        for line in fits ? full.flatMap(\.self) : Table.lines(cells(\.label), style) { print(line) }
        rows = []
    }

    private func cells(_ name: KeyPath<Row, String>) -> [[String]] {
        let names = Dictionary(grouping: rows) { "\($0.label) \($0.policy)" }
        return rows.map { row in
            // Accounts with the same label and policy differ only in their identifiers.
            let isUnique = Set((names["\(row.label) \(row.policy)"] ?? []).map(\.identifier)).count < 2
            let title = row[keyPath: name] + (isUnique ? "" : " [\(row.identifier)]")
            return ["\(row.mark) \(row.mark == "*" ? style.strong(title) : title)", row.policy, row.status]
        }
    }
}
