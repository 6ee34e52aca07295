import ArgumentParser
import Susi
import SusiBase
import SusiStartup

struct SignInCommand: AsyncParsableCommand, PolicyCommand, AccountCommand, PageCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-in", abstract: "Sign in by browser, device code, password or code.",
        discussion: """
              susi sign-in                         under the default policy
              susi sign-in ana@contoso.example     accept only this person
              susi sign-in -p B2C_1_partner
              susi sign-in --device                with a code on another device
              susi sign-in --ui-locales ja --extra campaign=spring
              susi sign-in -p B2C_1A_invitation --id-token-hint @FILE
              susi sign-in --username ana@contoso.example --password-stdin < FILE
              susi sign-in --username ana@contoso.example --code-command COMMAND
            """,
        aliases: ["login"])

    @OptionGroup var policy: PolicyOption
    @OptionGroup var output: JSONOption

    @Option(
        name: [.customShort("a"), .customLong("account")],
        help: "Person who must sign in: email, user name or object ID",
        completion: LiveNames.accounts)
    var option: String?

    @Argument(
        help: ArgumentHelp("Person who must sign in, as --account", valueName: "account"),
        completion: LiveNames.accounts)
    var argument: String?

    var expected: String? { option ?? argument }

    @Option(help: "API whose scopes to request", completion: LiveNames.apis)
    var api: String?

    @Option(help: "Extra scope to request; repeatable")
    var scope: [String] = []

    @Option(
        help: """
            First page: select_account (default where supported), login, consent, create (the sign-up), none, or auto (the \
            provider's choice)
            """, completion: .list(Prompt.allCases.map(\.rawValue) + ["auto"]))
    var prompt: String?

    @Option(help: "Email address for the sign-in page to suggest")
    var loginHint: String?

    @Option(help: ArgumentHelp("Claims to request: a JSON object, or @FILE", valueName: "json"))
    var claims: String?

    @Option(
        help: ArgumentHelp("Maximum age of the last sign-in, for example 10m", valueName: "time"),
        transform: Seconds.parse)
    var maxAge: Seconds?

    @Option(help: ArgumentHelp("User name for a sign-in without a browser", valueName: "name"))
    var username: String?

    @Flag(help: "Read the password from the first line of standard input")
    var passwordStdin = false

    @Option(help: ArgumentHelp("Command that prints the code sent to the user (External ID)", valueName: "command"))
    var codeCommand: String?

    @Flag(help: "Show a code to enter on another device")
    var device = false

    @Flag(help: "Keep the current account")
    var noSwitch = false

    @OptionGroup(title: "Browser options") var browser: BrowserOptions
    @OptionGroup(title: "Sign-in page options") var page: PageOptions
    @OptionGroup(title: "Common options") var global: GlobalOptions

    var givenPolicy: String? { policy.text }
    var givenTenant: String? { policy.tenant.text }
    var givenAccount: String? { expected }

    func validate() throws {
        let names = Prompt.allCases.map(\.rawValue) + ["auto"]
        if let prompt, !names.contains(prompt) {
            let meant = NearMatch.of(prompt, in: names).map { "; did you mean “\($0)”?" } ?? ""
            throw ValidationError("unsupported prompt “\(prompt)”\nsupported: \(names.joined(separator: ", "))\(meant)")
        }
        if let option, let argument {
            throw ValidationError("“\(argument)” and -a “\(option)” cannot be combined\nname the account once")
        }
        if passwordStdin, username == nil { throw ValidationError("--password-stdin needs --username") }
        if codeCommand != nil, username == nil { throw ValidationError("--code-command needs --username") }
        if codeCommand?.allSatisfy(\.isWhitespace) ?? false { throw ValidationError("--code-command needs a command") }
        if username?.isEmpty ?? false { throw ValidationError("--username needs a name") }
        if device, username != nil { throw ValidationError("--device and --username cannot be combined") }
        try validateIgnoredOptions()
    }

    // Rejects options that would have no effect.
    private func validateIgnoredOptions() throws {
        guard device || username != nil else { return }
        let pageOptions = [
            ("--browser", browser.browser != nil), ("--port", browser.port != nil), ("--prompt", prompt != nil),
            ("--login-hint", loginHint != nil), ("--max-age", maxAge != nil), ("--ui-locales", page.uiLocales != nil),
            ("--domain-hint", page.domainHint != nil), ("--extra", !page.extra.isEmpty),
            ("--response-mode", page.responseMode != nil), ("--id-token-hint", page.idTokenHint != nil),
            ("--claims", claims != nil && username != nil), ("--timeout", browser.timeout != nil && username != nil),
        ]
        if let ignored = pageOptions.first(where: \.1)?.0 {
            let flow = device ? "--device" : "--username"
            throw ValidationError("\(ignored) cannot be combined with \(flow)\nit applies only to the sign-in page")
        }
    }

    func run() async throws {
        let (context, result) = try await perform()
        try context.show(SignInReport(result, context), json: output.json)
        try context.client.requireScopes(of: result)
        context.warn(ScopeOutcome(granted: result.granted, declined: result.declined))
    }

    /// Signs in. Prints progress messages, but not the result.
    func perform() async throws -> (context: Context, result: SignInResult) {
        var request = try await request()
        let context = try Context(self)
        request.policy = try policy.name(in: context)
        if let expected {
            request.expected = try await context.expectedPerson(expected, under: request.policy, api: api)
        }
        return (context, try await signIn(request, context))
    }

    private func signIn(_ request: SignInRequest, _ context: Context) async throws -> SignInResult {
        let client = context.client
        context.announceCopy()
        if let username {
            _ = try client.passwordPolicy(request.policy)
            if client.application.kind.traits.hasNativeAuthentication {
                return try await signIn(request, native: username, context)
            }
            if codeCommand != nil { throw noCodes(client.application) }
            let password = try await password(of: username, context)
            let credentials = PasswordCredentials(username: username, password: password)
            return try await context.working("signing in") { _ in
                try await client.signIn(request, credentials: credentials)
            }
        }
        guard device else {
            return try await context.working("contacting the provider") { spinner in
                try await client.signIn(request, through: browser.surface(context, spinner))
            }
        }
        let messages = SignInMessages(choice: .none(.asked), readsPaste: false, style: context.console.errStyle)
        return try await context.working("requesting a code") { spinner in
            try await client.signInOnAnotherDevice(request, limit: browser.timeout?.value) { event in
                spinner?.stop()
                for line in messages.lines(event) { context.console.err(line) }
            }
        }
    }

    private func request() async throws -> SignInRequest {
        var options = try await page.options()
        options.prompt = prompt.flatMap(Prompt.init)
        options.loginHint = loginHint
        options.maximumAge = maxAge?.value
        if let claims { options.claims = try await Self.claims(claims) }
        return SignInRequest(
            api: api, scopes: scope, options: options, choosesAccount: prompt == nil, makesCurrent: !noSwitch)
    }

    private static func claims(_ text: String) async throws -> ClaimsRequest {
        let bytes =
            text.hasPrefix("@")
            ? try await InputFile.read(String(text.dropFirst()), limit: ClaimsRequest.largest) : Array(text.utf8)
        do { return try ClaimsRequest(parsing: bytes.withoutByteOrderMark) } catch {
            throw UsageError(
                "invalid value for --claims", why: error.reason,
                next: #"use a JSON object, for example --claims '{"id_token":{"auth_time":{"essential":true}}}'"#)
        }
    }

    /// Returns the password from standard input, or asks for it.
    func password(of username: String, _ context: Context) async throws -> String {
        let console = context.console
        let line: String?
        if passwordStdin {
            line = try await StandardInput.firstLine()
        } else {
            guard ProcessEnvironment.current.canAsk, !context.noInput else {
                throw UsageError(
                    "no password", why: "standard input is not a terminal",
                    next:
                        "\(SuggestedCommand("sign-in").option("--username", username).flag("--password-stdin")) < FILE")
            }
            line = try await StandardInput.secret("Password for \(Terminal.safe(username)): ", console)
        }
        guard let line, !line.isEmpty else { throw UsageError("no password", why: "the line is empty") }
        return line
    }
}

struct SignInReport: CommandResult {
    private let result: SignInResult
    private let context: Context

    init(_ result: SignInResult, _ context: Context) {
        self.result = result
        self.context = context
    }

    var json: JSONObject {
        [
            "schemaVersion": 1, "account": result.account.json, "grantedScopes": result.granted.scopes,
            "declinedScopes": result.declined.scopes,
        ]
    }

    func lines(_ style: Style) -> [String] {
        let account = result.account
        let back = context.given.completing(SuggestedCommand("switch", "-"))
        let names = AccountLines.names(of: account, before: result.previous, in: context)
        let before = names.previous.map { previous in
            account.isCurrent
                ? " (before: \(previous); \(Terminal.safe("\(back)")) goes back)"
                : " (\(previous) is still the current account)"
        }
        let place = context.place(of: account)
        let note = before ?? (account.isCurrent ? "" : "; it is not the current account")
        return [
            "\(style.good("Signed in")) as \(style.strong(names.account)) under \(place)\(note)",
            // The sign-in may have taken minutes: its tokens count from its end.
            style.faint("  \(account.validity(now: account.signedInOn))"),
        ] + use.map { style.faint("  use it: \(Terminal.safe($0))") }
    }

    // Commands without -p use the default policy, and without -a the current account: neither is this one, perhaps.
    private var use: [String] {
        let (account, policy) = (result.account, result.account.account.policy)
        let isDefault = policy == context.application.defaultPolicy?.name
        guard !isDefault || !account.isCurrent else { return [] }
        let token = SuggestedCommand("token").option("-p", isDefault ? nil : policy.spelling)
            .option("-a", account.isCurrent ? nil : account.label)
        return ["\(context.given.completing(token))"]
    }
}
