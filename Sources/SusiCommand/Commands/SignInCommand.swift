import ArgumentParser
import Susi

/// `susi sign-in`.
struct SignInCommand: AsyncParsableCommand, GivenCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-in", abstract: "Sign in through the browser, with a code on another device, or by password.",
        discussion: """
            susi sign-in                       under the default policy
            susi sign-in -p B2C_1_partner      under another one
            susi sign-in -a ana@contoso.example --no-browser
            susi sign-in --ui-locales ja --extra campaign=spring
            susi sign-in -p B2C_1_ropc --username ana@contoso.example --password-stdin < FILE
            susi sign-in --device              the page is visited on another device
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var policy: PolicyOption
    @OptionGroup var browser: BrowserOptions
    @OptionGroup var page: PageOptions
    @OptionGroup var output: JSONOption

    @Option(
        name: [.customShort("a"), .customLong("account")],
        help: "Who must come back: an email address, a name or an object id; anybody else is refused.")
    var expected: String?

    @Option(help: "The API whose scopes are asked.")
    var api: String?

    @Option(help: "A scope to ask beside those; may be repeated.")
    var scope: [String] = []

    @Option(
        help: ArgumentHelp(
            "What the page shows first: select_account (default where known), login, consent, none, or auto (the server's choice)."
        )
    )
    var prompt: String?

    @Option(help: "An email address that the page may suggest.")
    var loginHint: String?

    @Option(help: ArgumentHelp("Claims to ask for: a JSON object, or @FILE with one.", valueName: "json"))
    var claims: String?

    @Option(help: ArgumentHelp("How long the last sign-in may lie back, for instance 10m.", valueName: "time"))
    var maxAge: Seconds?

    @Option(help: ArgumentHelp("Sign in by password, without a browser.", valueName: "name"))
    var username: String?

    @Flag(help: "Read the password from standard input: the first line.")
    var passwordStdin = false

    @Flag(help: "Show a code to type on another device; no browser is opened here.")
    var device = false

    @Flag(help: "Leave the policy's current account as it is.")
    var noSwitch = false

    var given: [GivenOption] {
        policy.given
            + [
                GivenOption(.account, expected), GivenOption(.api, api), GivenOption(.username, username),
                GivenOption(.passwordStdin, isSet: passwordStdin), GivenOption(.device, isSet: device),
            ].compactMap(\.self) + GivenOption.scopes(scope) + browser.given
    }

    func validate() throws {
        let names = Prompt.allCases.map(\.rawValue) + ["auto"]
        if let prompt, !names.contains(prompt) {
            let meant = NearMatch.of(prompt, in: names).map { " Did you mean “\($0)”?" } ?? ""
            throw ValidationError("--prompt takes one of \(names.joined(separator: ", ")).\(meant)")
        }
        if passwordStdin, username == nil { throw ValidationError("--password-stdin needs --username.") }
        if username?.isEmpty ?? false { throw ValidationError("--username takes a name.") }
        if device, username != nil { throw ValidationError("--device and --username exclude each other.") }
        try validateNothingLost()
    }

    // An option that would silently mean nothing is refused.
    private func validateNothingLost() throws {
        guard device || username != nil else { return }
        let pages = [
            ("--browser", browser.browser != nil), ("--port", browser.port != nil), ("--prompt", prompt != nil),
            ("--login-hint", loginHint != nil), ("--max-age", maxAge != nil), ("--ui-locales", page.uiLocales != nil),
            ("--domain-hint", page.domainHint != nil), ("--extra", !page.extra.isEmpty),
            ("--response-mode", page.responseMode != nil),
            ("--claims", claims != nil && username != nil), ("--timeout", browser.timeout != nil && username != nil),
        ]
        if let lost = pages.first(where: \.1)?.0 {
            let way = device ? "--device" : "--username"
            throw ValidationError("\(lost) is for the page of a policy; there is none with \(way).")
        }
    }

    func run() async throws {
        let request = try await request()
        let context = try Context(self)
        let result = try await signIn(request, context)
        try context.show(SignInReport(result, context), json: output.json)
        context.warn(
            ScopeOutcome(granted: result.granted, declined: result.declined),
            reason: result.hasAccessToken ? nil : "no access token was issued")
    }

    private func signIn(_ request: SignInRequest, _ context: Context) async throws -> SignInResult {
        let client = context.client
        context.announceRehearsal()
        if let username {
            _ = try client.passwordPolicy(request.policy)
            let password = try await password(of: username, context)
            let credentials = TokenRequest.Credentials(username: username, password: password)
            return try await context.working("signing in") { _ in
                try await client.signIn(request, credentials: credentials)
            }
        }
        guard device else {
            return try await context.working("asking for the page") { spinner in
                try await client.signIn(request, through: browser.surface(context, spinner))
            }
        }
        let messages = SignInMessages(choice: .none(.asked), readsPaste: false, style: context.console.errStyle)
        return try await context.working("asking for a code") { spinner in
            try await client.signInOnAnotherDevice(request, limit: browser.timeout?.value) { event in
                spinner?.stop()
                for line in messages.lines(event) { context.console.err(line) }
            }
        }
    }

    private func request() async throws -> SignInRequest {
        var options = try page.options()
        options.prompt = prompt.flatMap(Prompt.init)
        // Only an address is worth suggesting; a name or an id would be typed into the page's field.
        options.loginHint = loginHint ?? expected.flatMap { $0.contains("@") ? $0 : nil }
        options.maximumAge = maxAge?.value
        if let claims { options.claims = try await Self.claims(claims) }
        return SignInRequest(
            policy: policy.name, api: api, scopes: scope, options: options, choosesAccount: prompt == nil,
            expected: expected, makesCurrent: !noSwitch)
    }

    private static func claims(_ text: String) async throws -> ClaimsRequest {
        let bytes =
            text.hasPrefix("@")
            ? try await InputFile.read(String(text.dropFirst()), limit: ClaimsRequest.largest) : Array(text.utf8)
        do { return try ClaimsRequest(parsing: bytes) } catch {
            throw UsageError(
                "--claims takes a JSON object", why: error.reason,
                next: #"for instance --claims '{"id_token":{"auth_time":{"essential":true}}}'"#)
        }
    }

    private func password(of username: String, _ context: Context) async throws -> String {
        let console = context.console
        let line: String?
        if passwordStdin {
            line = try await StandardInput.firstLine()
        } else {
            guard Surroundings.current.canAsk, !context.noInput else {
                throw UsageError(
                    "No password was read", why: "nobody can be asked here",
                    next: "\(SuggestedCommand("sign-in").flag("--password-stdin")) < FILE")
            }
            line = try await StandardInput.secret("Password of \(Terminal.safe(username)): ", console)
        }
        guard let line, !line.isEmpty else { throw UsageError("No password was read", why: "the line was empty") }
        return line
    }
}

/// What a sign-in says.
struct SignInReport: CommandResult {
    let schemaVersion = 1
    let account: AccountRecord
    let declinedScopes: [String]
    private let previous: String?
    private let now: Int64

    private let back: String

    init(_ result: SignInResult, _ context: Context) {
        account = AccountRecord(result.account)
        declinedScopes = result.declined.scopes
        previous = result.previous?.label
        now = context.now
        back = context.given.completing(SuggestedCommand("switch", "-")).description
    }

    private enum CodingKeys: CodingKey { case schemaVersion, account, declinedScopes }

    func lines(_ style: Style) -> [String] {
        let before = previous.map { label in
            account.isCurrent
                ? " (before: \(Terminal.safe(label)); \(Terminal.safe(back)) goes back)"
                : " (\(Terminal.safe(label)) is still the current account)"
        }
        return [
            "\(style.good("Signed in")) as \(style.strong(account.title)) under \(account.policy)\(before ?? "")",
            style.faint("  \(account.validity(now: now))"),
        ]
    }
}
