import ArgumentParser
import Susi

struct ResetPasswordCommand: AsyncParsableCommand, GivenCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset-password", abstract: "Set a new password in the browser.",
        discussion: """
              susi reset-password

            The password is typed in the browser, never in the terminal.
            """)

    @OptionGroup var output: JSONOption

    @Option(
        name: [.customShort("p"), .customLong("policy")], help: "Password-reset policy",
        completion: LiveNames.policies(of: .passwordReset))
    var policy: String?

    @OptionGroup(title: "Browser options") var browser: BrowserOptions
    @OptionGroup(title: "Sign-in page options") var page: PageOptions
    @OptionGroup(title: "Common options") var global: GlobalOptions

    static var givenOptions: [OptionReader<Self>] { .group(\.browser) + [.value(.resetPolicy, \.policy)] }

    func run() async throws {
        let context = try Context(self)
        context.announceRehearsal()
        let options = try page.options()
        let policy = try self.policy.map { try context.policyName($0, of: .passwordReset) }
        let result = try await context.working("contacting the provider") { spinner in
            try await context.client.resetPassword(
                policy: policy, options: options, through: browser.surface(context, spinner, for: again))
        }
        try context.show(
            ResetReport(result: result, given: context.given), json: output.json)
        context.warn(of: result.others)
    }
}

struct ResetReport: CommandResult {
    let result: (policy: Policy, label: String, others: RenewedAccounts)
    let given: GivenOptions

    private var renewed: [String] { result.others.renewed.map(\.account.policy.spelling) }

    var json: JSONObject {
        [
            "schemaVersion": 1, "policy": result.policy.name.spelling, "label": result.label,
            "updatedPolicies": renewed,
            "stalePolicies": result.others.old.map(\.account.account.policy.spelling),
        ]
    }

    func lines(_ style: Style) -> [String] {
        let done = "\(style.good("Set")) a new password for \(style.strong(Terminal.safe(result.label)))"
        if !renewed.isEmpty { return [done, "  signed in again under \(renewed.joined(separator: ", "))"] }
        return result.others.old.isEmpty
            ? [done, style.next(given.completing(SuggestedCommand("sign-in")).description)] : [done]
    }
}
