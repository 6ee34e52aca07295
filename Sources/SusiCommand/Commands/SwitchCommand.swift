import ArgumentParser
import Susi

/// `susi switch`.
struct SwitchCommand: AsyncParsableCommand, GivenCommand {
    static let configuration = CommandConfiguration(
        commandName: "switch", abstract: "Choose the current account of a policy.",
        discussion: """
              susi switch ben@contoso.example
              susi switch -                        the previous account
            """)

    @OptionGroup var policy: PolicyOption
    @OptionGroup var output: JSONOption

    @Argument(
        help: "Email, name, or the unique start of one; - is the previous account.", completion: LiveNames.accounts)
    var account: String

    @OptionGroup(title: "Common options") var global: GlobalOptions

    var given: [GivenOption] { policy.given }

    func run() async throws {
        let context = try Context(self)
        let result =
            account == "-"
            ? try await context.client.switchBack(policy: policy.name)
            : try await context.client.switchTo(AccountSelection(policy: policy.name, text: account))
        try context.show(SwitchReport(result.account, previous: result.previous), json: output.json)
    }
}

/// What a switch says.
struct SwitchReport: CommandResult {
    let schemaVersion = 1
    let account: AccountRecord
    let previous: String?

    init(_ account: StoredAccount, previous: StoredAccount?) {
        self.account = AccountRecord(account)
        self.previous = previous?.label
    }

    func lines(_ style: Style) -> [String] {
        let before = previous.map { " (before: \(Terminal.safe($0)))" } ?? ""
        return ["\(style.strong(account.title)) is current under \(Terminal.safe(account.policy))\(before)"]
    }
}
