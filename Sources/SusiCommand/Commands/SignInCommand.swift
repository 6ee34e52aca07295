import ArgumentParser
import Susi
import SusiEntry

struct SignInCommand: AsyncParsableCommand, GivenCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-in", abstract: "Sign in by browser, device code, password or code.",
        discussion: """
              susi sign-in                         under the default policy
              susi sign-in ana@contoso.example     accept only this person
              susi sign-in -p B2C_1_partner
              susi sign-in --device                with a code on another device
              susi sign-in --ui-locales ja --extra campaign=spring
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

    /// The person who must sign in.
    var expected: String? { option ?? argument }

    @Option(help: "API whose scopes to request", completion: LiveNames.apis)
    var api: String?

    @Option(help: "Extra scope to request; repeatable")
    var scope: [String] = []

    @Option(
        help: """
            First page: select_account (default where supported), login, consent, none, or auto (the provider's choice)
            """, completion: .list(Prompt.allCases.map(\.rawValue) + ["auto"]))
    var prompt: String?

    @Option(help: "Email address for the sign-in page to suggest")
    var loginHint: String?

    @Option(help: ArgumentHelp("Claims to request: a JSON object, or @FILE", valueName: "json"))
    var claims: String?

    @Option(help: ArgumentHelp("Maximum age of the last sign-in, for example 10m", valueName: "time"))
    var maxAge: Seconds?

    @OptionGroup var way: SignInWay

    @Flag(help: "Keep the current account")
    var noSwitch = false

    @OptionGroup(title: "Browser options") var browser: BrowserOptions
    @OptionGroup(title: "Sign-in page options") var page: PageOptions
    @OptionGroup(title: "Common options") var global: GlobalOptions

    static var givenOptions: [OptionReader<Self>] {
        .group(\.policy) + [.value(.account, \.expected), .value(.api, \.api)] + .group(\.way)
            + [.values(.scope, \.scope)] + .group(\.browser)
    }

    func validate() throws {
        let names = Prompt.allCases.map(\.rawValue) + ["auto"]
        if let prompt, !names.contains(prompt) {
            let meant = NearMatch.of(prompt, in: names).map { "; did you mean “\($0)”?" } ?? ""
            throw ValidationError("unsupported prompt “\(prompt)”\nsupported: \(names.joined(separator: ", "))\(meant)")
        }
        if let option, let argument {
            throw ValidationError("“\(argument)” and -a “\(option)” cannot be combined\nname the account once")
        }
        try validateIgnoredOptions()
    }

    // Rejects options that would have no effect.
    private func validateIgnoredOptions() throws {
        guard way.device || way.username != nil else { return }
        let pageOptions = [
            ("--browser", browser.browser != nil), ("--port", browser.port != nil), ("--prompt", prompt != nil),
            ("--login-hint", loginHint != nil), ("--max-age", maxAge != nil), ("--ui-locales", page.uiLocales != nil),
            ("--domain-hint", page.domainHint != nil), ("--extra", !page.extra.isEmpty),
            ("--response-mode", page.responseMode != nil),
            ("--claims", claims != nil && way.username != nil),
            ("--timeout", browser.timeout != nil && way.username != nil),
        ]
        if let ignored = pageOptions.first(where: \.1)?.0 {
            let flow = way.device ? "--device" : "--username"
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
        return (context, try await way.signIn(request, context, through: browser))
    }

    private func request() async throws -> SignInRequest {
        var options = try page.options()
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
        do { return try ClaimsRequest(parsing: bytes) } catch {
            throw UsageError(
                "invalid value for --claims", why: error.reason,
                next: #"use a JSON object, for example --claims '{"id_token":{"auth_time":{"essential":true}}}'"#)
        }
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
        let before = result.previous.map { previous in
            account.isCurrent
                ? " (before: \(Terminal.safe(previous.label)); \(Terminal.safe("\(back)")) goes back)"
                : " (\(Terminal.safe(previous.label)) is still the current account)"
        }
        let place = context.place(of: account)
        return [
            "\(style.good("Signed in")) as \(style.strong(account.safeTitle)) under \(place)\(before ?? "")",
            // The sign-in may have taken minutes: its tokens count from its end.
            style.faint("  \(account.validity(now: account.signedInOn))"),
        ]
    }
}
