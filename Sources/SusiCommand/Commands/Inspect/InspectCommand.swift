import ArgumentParser
import Susi
import SusiBase
import SusiStartup
import SusiTools

struct InspectCommand: AsyncParsableCommand, PolicyCommand, AccountCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Decode a token and check its signature.",
        discussion: """
              susi inspect                       the id token of the current account
              susi token | susi inspect -        a token from standard input
              susi inspect @token.txt            a token from a file
              susi inspect --for-api appsettings.json    why does my API refuse it?

            The exit code is 0 if an authority of the application signed the token and it is valid now, and 7 if not. With \
            --offline, susi checks the times but not the signature. A leading “Bearer” is ignored. A token is not accepted as \
            an argument, because every program on the machine can read arguments.

            With --for-api, susi goes through the rules of an API with Microsoft.Identity.Web. Each file is over the one before \
            it, and variables such as AzureAdB2C__ClientId are over them. With --authority and --audience, the API compares \
            everything exactly. Each broken rule names what to change in the API, the tenant or the client. Exit code 0 means \
            that the API accepts the token, 7 that it refuses it, and 3 that its authority was not read, as with --offline. \
            At a local copy, the API's authority is the copy. Without a source, it is the access token of the account.
            """)

    @OptionGroup var policy: PolicyOption
    @OptionGroup var account: AccountOption
    @OptionGroup var output: JSONOption

    @Argument(help: ArgumentHelp("- for standard input, or @FILE", valueName: "source"))
    var source: String?

    @Flag(help: "Use no network; the signature is not checked")
    var offline = false

    @OptionGroup(title: "API options") var api: APIOptions

    @OptionGroup(title: "Common options") var global: GlobalOptions

    var givenPolicy: String? { policy.text }
    var givenTenant: String? { policy.tenant.text }
    var givenAccount: String? { account.text }

    /// The maximum size of a token, larger than any that servers issue.
    static let longest = 1 << 20

    func run() async throws {
        let context = try Context(self)
        let api = try await api.settings()
        let token = try await token(context, isForAPI: api != nil)
        if let api { return try await check(token, api.settings, api.remarks, context) }
        let inspection = await context.client.inspect(token, isOffline: offline)
        try context.show(InspectionReport(inspection, context), json: output.json)
        if let code = exitCode(inspection) { throw CommandEnded(code: code) }
    }

    private func check(
        _ token: String, _ settings: APISettings, _ remarks: [String], _ context: Context
    ) async throws {
        var (settings, unread) = (settings, offline ? "--offline" : nil)
        if let original = context.application.copyOf {
            settings = settings.moved(from: original, to: context.application.authority)
            if !settings.authority.isLoopback { unread = "the local copy is that of \(original)" }
        }
        let verdict = try await context.client.verdict(
            on: token, of: settings, unread: unread, isAsCloud: ProcessEnvironment.current.isAsCloud)
        try context.show(VerdictReport(verdict: verdict, remarks: remarks), json: output.json)
        if verdict.isRefused { throw CommandEnded(code: .notSafe) }
        if let failure = verdict.failure { throw CommandEnded(code: ExitCodes(failure.code)) }
        if !verdict.isComplete { throw CommandEnded(code: .network) }
    }

    private func token(_ context: Context, isForAPI: Bool) async throws -> String {
        switch source ?? api.source {
        case nil:
            let selection = try await context.selection(account, under: try policy.name(in: context))
            guard isForAPI else { return try await context.client.idToken(of: selection).token }
            guard !offline else {
                let input = SuggestedCommand("inspect", "-").flag("--offline")
                throw UsageError(
                    "no token was given", why: "a stored access token may have to be refreshed",
                    next: "\(SuggestedCommand("token")) | \(input)")
            }
            return try await context.client.token(api: nil, of: selection).secret
        case InputFile.standardInput: return try await Self.read(InputFile.standardInput)
        case let text? where text.hasPrefix("@"): return try await Self.read(String(text.dropFirst()))
        case let text? where SmallFile.exists(text):
            let isSettings = text.hasSuffix(".json")
            throw UsageError(
                "“\(text)” is no source of a token", why: "it is a file",
                next: isSettings
                    ? "\(SuggestedCommand("inspect").option("--for-api", text))\(remark: "why does this API refuse my token?")"
                    : "\(SuggestedCommand("inspect", "@\(text)"))")
        default:
            let (input, file) = (SuggestedCommand("inspect", "-"), SuggestedCommand("inspect", "@FILE"))
            throw UsageError(
                "a token is not accepted as an argument", why: "every program on this machine can read arguments",
                next: "\(input)\(remark: "with the token on standard input"), or \(file)")
        }
    }

    // Returns the exit code. An unchecked token counts as invalid, except with --offline.
    private func exitCode(_ inspection: TokenInspection) -> ExitCodes? {
        switch inspection.signature {
        case .unchecked(.failed(let error)): ExitCodes(error.code)
        case .unchecked where offline: inspection.isTimely ? nil : .notSafe
        case .valid, .wrong, .unchecked: inspection.isValid ? nil : .notSafe
        }
    }

    private static func read(_ name: String) async throws -> String {
        let shown = name == InputFile.standardInput ? "standard input" : "“\(name)”"
        let bytes = try await InputFile.read(name, limit: longest)
        guard bytes.count <= longest else {
            throw UsageError("\(shown) is not a token", why: "it is larger than \(longest >> 20) MiB")
        }
        let token = token(in: String(decoding: bytes.withoutByteOrderMark, as: UTF8.self))
        guard !token.isEmpty else {
            throw UsageError(
                "no token in \(shown)", why: "it is empty",
                next: "\(SuggestedCommand("token")) | \(SuggestedCommand("inspect", "-"))")
        }
        return token
    }

    /// Extracts the token. Removes the header's name and scheme (as `token -f header` prints them), and the white space
    /// added by a terminal or an email.
    static func token(in text: String) -> String {
        var words = text.split(whereSeparator: \.isWhitespace)
        for prefix in ["authorization:", "bearer"] where words.first?.lowercased() == prefix { words.removeFirst() }
        return words.joined()
    }
}
