import ArgumentParser
import Susi

/// `susi reset-password`.
struct ResetPasswordCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset-password", abstract: "Set a new password in the browser.",
        discussion: "susi reset-password                the password is typed in the browser, never here")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var browser: BrowserOptions
    @OptionGroup var page: PageOptions
    @OptionGroup var output: JSONOption

    @Option(name: [.customShort("p"), .customLong("policy")], help: "The password-reset policy.")
    var policy: String?

    func run() async throws {
        let context = try Context(global)
        let options = try page.options()
        let result = try await context.working("asking for the page") { spinner in
            try await context.client.resetPassword(
                policy: policy.map { PolicyName($0) }, options: options, through: browser.surface(context, spinner))
        }
        try context.show(ResetReport(policy: result.policy.name.spelling, label: result.label), json: output.json)
    }
}

/// What a reset says.
struct ResetReport: CommandResult {
    let schemaVersion = 1
    let policy: String
    let label: String

    init(policy: String, label: String) {
        self.policy = policy
        self.label = label
    }

    private enum CodingKeys: CodingKey { case schemaVersion, policy, label }

    func lines(_ style: Style) -> [String] {
        [
            "\(style.good("New password")) for \(style.strong(Terminal.safe(label)))",
            "  the accounts that are signed in stay so; next: susi sign-in",
        ]
    }
}
