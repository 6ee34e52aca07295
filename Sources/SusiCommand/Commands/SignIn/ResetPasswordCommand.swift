import ArgumentParser
import Susi

struct ResetPasswordCommand: AsyncParsableCommand, GivenCommand, PageCommand {
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

    func run() async throws {
        let context = try Context(self)
        context.announceCopy()
        let options = try await page.options()
        let policy = try self.policy.map { try context.policyName($0, of: .passwordReset) }
        let result = try await context.working("contacting the provider") { spinner in
            try await context.client.resetPassword(
                policy: policy, options: options,
                through: browser.surface(context, spinner, for: SuggestedCommand("reset-password")))
        }
        try context.show(
            ResetReport(
                policy: result.policy.name, label: result.label, updated: result.updated.map(\.account.policy.spelling),
                stale: result.stale.map(\.account.account.policy.spelling),
                next: context.application.defaultPolicy.map { _ in context.given.completing(SuggestedCommand("sign-in"))
                }),
            json: output.json)
        context.warn(of: result.stale)
    }
}

struct ResetReport: CommandResult {
    let policy: PolicyName
    let label: String
    let updated: [String]
    let stale: [String]
    let next: SuggestedCommand?

    var json: JSONObject {
        [
            "schemaVersion": 1, "policy": policy.spelling, "label": label, "updatedPolicies": updated,
            "stalePolicies": stale,
        ]
    }

    func lines(_ style: Style) -> [String] {
        let done = "\(style.good("Set")) a new password for \(style.strong(Terminal.safe(label)))"
        if !updated.isEmpty { return [done, "  signed in again under \(updated.joined(separator: ", "))"] }
        return [done] + (stale.isEmpty ? next.map { [style.next($0.description)] } ?? [] : [])
    }
}
