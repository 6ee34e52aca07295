import ArgumentParser
import FoundationEssentials
import Susi
import Synchronization

/// `susi accounts`.
struct AccountsCommand: AsyncParsableCommand, GivenCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts", abstract: "List the signed-in people and their accounts.",
        discussion: """
              susi accounts
              susi accounts -p B2C_1_partner --json
            """,
        aliases: ["ls"])

    @OptionGroup var output: JSONOption

    @Option(
        name: [.customShort("p"), .customLong("policy")], help: "Only the accounts of this policy.",
        completion: LiveNames.policies)
    var policy: String?

    @Option(help: ArgumentHelp("Maximum number of accounts.", valueName: "number"))
    var limit: Int?

    @OptionGroup(title: "Common options") var global: GlobalOptions

    var given: [GivenOption] { [GivenOption(.policy, policy)].compactMap(\.self) }

    func validate() throws {
        if let limit, limit < 1 { throw ValidationError("--limit takes a number from 1 on.") }
    }

    func run() async throws {
        let context = try Context(self)
        let name = policy.map { PolicyName($0) }
        let list = Mutex(AccountList(context, asJSON: output.json, limit: limit))
        let isUnread = Mutex(false)
        do {
            // One more than is shown tells whether there are more.
            try await context.client.accounts(policy: name, limit: limit.map { $0 + 1 }) { account in
                // A long list ends when nobody reads it any more.
                if context.console.hasNoReader {
                    isUnread.withLock { $0 = true }
                    throw CancellationError()
                }
                try list.withLock { try $0.show(AccountRecord(account)) }
            }
        } catch {
            if isUnread.withLock({ $0 }) { return }
            throw error
        }
        let imported = try await context.client.imported(policy: name).map(ImportedRecord.init)
        let (shown, hasMore) = try list.withLock { try $0.end(imported) }
        if output.json { return }
        if hasMore { context.console.err("There are more; without --limit all are listed.") }
        guard shown == 0 else { return }
        let chosen = try context.client.policy(name)
        context.console.err("Nobody is signed in\(policy == nil ? "" : " under \(chosen.name)").")
        context.advise("\(chosen.kind.command(for: chosen.name))")
    }
}

/// Prints persons with their accounts one by one, as text or as one JSON object, and keeps none of them.
private struct AccountList {
    private let context: Context
    private let asJSON: Bool
    private let limit: Int
    private let width: Int
    private let encoder = JSONEncoder()
    private var person: String?
    private var shown = 0
    private var hasMore = false
    private var waiting: String?

    init(_ context: Context, asJSON: Bool, limit: Int?) {
        self.context = context
        self.asJSON = asJSON
        self.limit = limit ?? .max
        width = context.application.policies.map(\.name.spelling.count).max() ?? 0
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    }

    /// Prints one account. Those of a person come one after the other.
    mutating func show(_ account: AccountRecord) throws {
        guard shown < limit else {
            hasMore = true
            return
        }
        shown += 1
        if asJSON { try showJSON(account) } else { showText(account) }
    }

    private mutating func showText(_ account: AccountRecord) {
        let (console, style) = (context.console, context.console.outStyle)
        if person != "\(account.tenantId) \(account.subject)" {
            person = "\(account.tenantId) \(account.subject)"
            console.out("\(style.strong(account.title))  \(style.faint(Terminal.safe(account.subject)))")
        }
        let policy = Terminal.safe(account.policy)
        let gap = String(repeating: " ", count: max(0, width - policy.count) + 2)
        let mark = account.isCurrent ? "*" : " "
        console.out("  \(mark) \(policy)\(gap)\(account.ages(now: context.now))")
    }

    // An object waits until it is known whether a comma follows it.
    private mutating func showJSON(_ account: AccountRecord) throws {
        if shown == 1 { context.console.out("{\n  \"accounts\" : [") }
        if let waiting { context.console.out("\(waiting),") }
        let text = Terminal.safeJSON(String(decoding: try encoder.encode(account), as: UTF8.self))
        waiting = text.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
    }

    /// Prints what follows the last account, and says how many entries there were and whether there are more.
    func end(_ imported: [ImportedRecord]) throws -> (shown: Int, hasMore: Bool) {
        let entries = shown + imported.count
        guard asJSON else {
            for line in imported.flatMap({ $0.lines(context.console.outStyle) }) { context.console.out(line) }
            return (entries, hasMore)
        }
        let rest = AccountListEnd(application: context.application.name, hasMore: hasMore, imported: imported)
        // The accounts stand before the other keys, in alphabetical order like everywhere.
        context.console.out("\(waiting ?? "{\n  \"accounts\" : [")\n  ],")
        context.console.out(String(try rest.json().dropFirst(2)))
        return (entries, hasMore)
    }
}

/// What stands behind the accounts in JSON.
private struct AccountListEnd: CommandResult {
    let application: String
    let hasMore: Bool
    /// What another library's cache brought and was not used yet.
    let imported: [ImportedRecord]
    let schemaVersion = 1

    func lines(_ style: Style) -> [String] { [] }
}
