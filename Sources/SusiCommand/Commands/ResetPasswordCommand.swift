import ArgumentParser
import Susi

/// `susi reset-password`.
struct ResetPasswordCommand: AsyncParsableCommand, GivenCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset-password", abstract: "Set a new password in the browser.",
        discussion: "susi reset-password                the password is typed in the browser, never here")

    @OptionGroup var global: GlobalOptions
    @OptionGroup var browser: BrowserOptions
    @OptionGroup var page: PageOptions
    @OptionGroup var output: JSONOption

    @Option(name: [.customShort("p"), .customLong("policy")], help: "The password-reset policy.")
    var policy: String?

    var given: [GivenOption] { browser.given + [GivenOption(.resetPolicy, policy)].compactMap(\.self) }

    func run() async throws {
        let context = try Context(self)
        context.announceRehearsal()
        let options = try page.options()
        let result = try await context.working("asking for the page") { spinner in
            try await context.client.resetPassword(
                policy: policy.map { PolicyName($0) }, options: options, through: browser.surface(context, spinner))
        }
        try context.show(
            ResetReport(policy: result.policy.name.spelling, label: result.label, context.given), json: output.json)
    }
}

/// What a reset says.
struct ResetReport: CommandResult {
    let schemaVersion = 1
    let policy: String
    let label: String

    private let signIn: String

    init(policy: String, label: String, _ given: GivenOptions) {
        self.policy = policy
        self.label = label
        signIn = given.completing(SuggestedCommand("sign-in")).description
    }

    private enum CodingKeys: CodingKey { case schemaVersion, policy, label }

    func lines(_ style: Style) -> [String] {
        [
            "\(style.good("New password")) for \(style.strong(Terminal.safe(label)))",
            "  the accounts that are signed in stay so; next: \(Terminal.safe(signIn))",
        ]
    }
}
