import ArgumentParser
import Susi

/// `susi sign-in`.
struct SignInCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-in", abstract: "Sign in through the browser.",
        discussion: """
            susi sign-in                       under the default policy
            susi sign-in -p B2C_1_partner      under another one
            susi sign-in -a ana@contoso.example --no-browser
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var policy: PolicyOption
    @OptionGroup var browser: BrowserOptions
    @OptionGroup var output: JSONOption

    @Option(
        name: [.customShort("a"), .customLong("account")],
        help: "Who must come back: an email address, a name or an object id; anybody else is refused.")
    var expected: String?

    @Option(help: "The API whose scopes are asked.")
    var api: String?

    @Option(help: "A scope to ask beside those; may be repeated.")
    var scope: [String] = []

    @Option(help: "What the page shows first: select_account, login, consent, none, or auto to leave it to the server.")
    var prompt = "select_account"

    @Option(help: "An email address that the page may suggest.")
    var loginHint: String?

    @Flag(help: "Leave the policy's current account as it is.")
    var noSwitch = false

    func validate() throws {
        guard prompt == "auto" || Prompt(rawValue: prompt) != nil else {
            let names = Prompt.allCases.map(\.rawValue) + ["auto"]
            let meant = NearMatch.of(prompt, in: names).map { " Did you mean “\($0)”?" } ?? ""
            throw ValidationError("--prompt takes one of \(names.joined(separator: ", ")).\(meant)")
        }
    }

    func run() async throws {
        let context = try Context(global)
        let request = SignInRequest(
            policy: policy.name, api: api, scopes: scope, prompt: Prompt(rawValue: prompt),
            loginHint: loginHint ?? expected.flatMap { $0.contains("@") ? $0 : nil }, expected: expected,
            makesCurrent: !noSwitch)
        let result = try await context.client.signIn(request, through: browser.surface(context))
        try context.show(SignInReport(result, now: context.now), json: output.json)
        context.warn(declined: result.declined, granted: result.granted)
    }
}

/// What a sign-in says.
struct SignInReport: CommandResult {
    let schemaVersion = 1
    let account: AccountRecord
    let declinedScopes: [String]
    private let previous: String?
    private let now: Int64

    init(_ result: SignInResult, now: Int64) {
        account = AccountRecord(result.account)
        declinedScopes = result.declined.scopes
        previous = result.previous?.label
        self.now = now
    }

    private enum CodingKeys: CodingKey { case schemaVersion, account, declinedScopes }

    func lines(_ style: Style) -> [String] {
        let before = previous.map { " (before: \(Terminal.safe($0)); susi switch - goes back)" } ?? ""
        return [
            "\(style.good("Signed in")) as \(style.strong(account.title)) under \(account.policy)\(before)",
            style.faint("  \(account.validity(now: now))"),
        ]
    }
}
