import ArgumentParser
import Susi

/// `susi accounts`.
struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accounts", abstract: "List the persons with their accounts; no token is asked for.",
        discussion: """
            susi accounts                      all of the application
            susi accounts -p B2C_1_partner --json
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var output: JSONOption

    @Option(name: [.customShort("p"), .customLong("policy")], help: "Only the accounts of this policy.")
    var policy: String?

    func run() async throws {
        let context = try Context(global)
        let accounts = try await context.client.accounts(policy: policy.map { PolicyName($0) })
        let imported = try await context.client.imported(policy: policy.map { PolicyName($0) })
        let list = AccountList(
            application: context.application.name, accounts: accounts, imported: imported, now: context.now)
        try context.show(list, json: output.json)
        if accounts.isEmpty, imported.isEmpty, !output.json {
            let chosen = try context.client.policy(policy.map { PolicyName($0) })
            context.console.err("Nobody is signed in\(policy == nil ? "" : " under \(chosen.name)").")
            context.console.advise(chosen.kind.command(for: chosen.name))
        }
    }
}

/// The persons with their accounts.
struct AccountList: CommandResult {
    let schemaVersion = 1
    let application: String
    let accounts: [AccountRecord]
    /// What another library's cache brought and was not used yet.
    let imported: [ImportedRecord]
    private let now: Int64

    init(application: String, accounts: [StoredAccount], imported: [ImportedToken], now: Int64) {
        self.application = application
        self.accounts = accounts.map(AccountRecord.init)
        self.imported = imported.map(ImportedRecord.init)
        self.now = now
    }

    private enum CodingKeys: CodingKey { case schemaVersion, application, accounts, imported }

    func lines(_ style: Style) -> [String] {
        var order: [String] = []
        let persons = Dictionary(grouping: accounts) { "\($0.tenantId) \($0.subject)" }
        for account in accounts where !order.contains("\(account.tenantId) \(account.subject)") {
            order.append("\(account.tenantId) \(account.subject)")
        }
        let width = accounts.map(\.policy.count).max() ?? 0
        return order.flatMap { key -> [String] in
            let own = persons[key] ?? []
            let freshest = own.max { $0.claimsRead.epoch < $1.claimsRead.epoch }
            let title =
                "\(style.strong(freshest?.title ?? ""))  \(style.faint(Terminal.safe(own.first?.subject ?? "")))"
            return [title]
                + own.map { account in
                    let gap = String(repeating: " ", count: width - account.policy.count + 2)
                    return "  \(account.isCurrent ? "*" : " ") \(account.policy)\(gap)\(account.validity(now: now))"
                }
        } + imported.flatMap { $0.lines(style) }
    }
}
