import ArgumentParser
import Susi

/// `susi switch`.
struct SwitchCommand: AsyncParsableCommand, GivenCommand {
    static let configuration = CommandConfiguration(
        commandName: "switch", abstract: "Choose the current account of a policy.",
        discussion: """
            susi switch ben@contoso.example
            susi switch -                      back to the one before
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var policy: PolicyOption
    @OptionGroup var output: JSONOption

    @Argument(help: "An email address, a name, the beginning of an identifier, or - for the previous account.")
    var account: String

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
