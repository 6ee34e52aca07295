import ArgumentParser
import Susi
import SusiStartup

/// `susi token`. The fast path handles the plain forms from the cache before this type is used; both decide with
/// ``SilentPlan``.
struct TokenCommand: AsyncParsableCommand, PolicyCommand, AccountCommand, PageCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Print an access token, from the cache or refreshed.",
        discussion: """
              susi token hello -f header | curl -H @- http://localhost:8480/api/hello
              susi token hello -p B2C_1_partner --min-valid 10m
              susi token graph --scope Calendars.Read
              susi token --resource https://graph.microsoft.com
              susi token graph --tenant fabrikam.onmicrosoft.com
              susi token --id -f exec-credential
              eval "$(susi token -f env)"

            No browser opens without --sign-in. If a sign-in is needed, susi asks “Sign in now?” on a terminal; elsewhere the exit \
            code is 4. It is 5 if -a or $SUSI_ACCOUNT names an account that is not stored: a typing error, or signed out.
            """)

    @OptionGroup var policy: PolicyOption
    @OptionGroup var account: AccountOption
    @OptionGroup var output: JSONOption

    @Argument(help: "API that the token is for (default: the API of the policy)", completion: LiveNames.apis)
    var api: String?

    @Option(
        help: ArgumentHelp(
            "Resource instead of an API; requests RESOURCE/.default",
            valueName: "resource"))
    var resource: String?

    @Option(help: "Extra scope to request; repeatable")
    var scope: [String] = []

    @Flag(help: "Print the ID token, which says who signed in, instead of an access token")
    var id = false

    @Option(
        name: [.short, .long],
        help: "Output: the token (raw, the default), an HTTP header, shell variables, JSON, or a kubectl credential")
    var format: Format?

    @Option(
        help: ArgumentHelp("Minimum remaining validity, for example 5m", valueName: "time"), transform: Seconds.parse)
    var minValid: Seconds?

    @Flag(help: "Refresh even if the cached token is valid")
    var refresh = false

    @OptionGroup(title: "Sign-in options") var fallback: SignInFallback
    @OptionGroup(title: "Sign-in options") var browser: BrowserOptions
    @OptionGroup(title: "Common options") var global: GlobalOptions

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case raw, header, env, json
        case execCredential = "exec-credential"
    }

    var givenPolicy: String? { policy.text }
    var givenTenant: String? { policy.tenant.text }
    var givenAccount: String? { account.text }

    func validate() throws {
        if output.json, let format, format != .json {
            throw ValidationError("--json and --format \(format.rawValue) cannot be combined")
        }
        if id, resource != nil || !scope.isEmpty {
            let other = resource == nil ? "--scope" : "--resource"
            throw ValidationError(
                "--id and \(other) cannot be combined\nthe scopes of the sign-in decide what an ID token contains")
        }
        guard let resource else { return }
        if api != nil { throw ValidationError("an API and --resource cannot be combined") }
        if !scope.isEmpty {
            throw ValidationError("--resource and --scope cannot be combined\n--resource requests all granted scopes")
        }
        if resource.isEmpty || resource.contains(where: \.isWhitespace) || resource.hasSuffix("/.default") {
            throw ValidationError(
                "invalid value for --resource\nexpected a resource such as https://graph.microsoft.com; susi adds /.default"
            )
        }
    }

    func run() async throws {
        let context = try Context(self)
        let format = output.json ? .json : format ?? .raw
        let request = ProcessEnvironment.current["KUBERNETES_EXEC_INFO"]
        // Detects an unsupported version before a token is requested.
        let version = format == .execCredential ? try ExecCredential.version(request) : ""
        let token = try await token(context)
        context.warn(token.scopes)
        switch format {
        case .raw: context.console.out(TokenLine.raw.prefix + token.secret)
        case .header: context.console.out(TokenLine.header.prefix + token.secret)
        case .env: for variable in TokenVariable.all(of: token) { context.console.out(variable.line) }
        case .execCredential: context.console.out(ExecCredential.json(token, version: version).text)
        case .json: context.console.out(context.console.outStyle.json(token.json.text))
        }
    }

    private func token(_ context: Context) async throws -> IssuedToken {
        let selection = try await context.selection(account, under: try policy.name(in: context, api: api))
        return try await fallback.run(
            selection, api: api, resource: resource, scopes: scope, asks: !output.json && format != .json,
            through: browser,
            in: context
        ) { selection in
            try await context.working("getting a token") { _ in
                try await silentToken(context.client, selection)
            }
        }
    }

    private func silentToken(_ client: PublicClient, _ selection: AccountSelection) async throws -> IssuedToken {
        let options = TokenRequestOptions(minimum: minValid?.value, forcesRefresh: refresh, scopes: scope)
        if id { return try await client.idToken(api: api, of: selection, options: options) }
        if let resource { return try await client.token(resource: resource, of: selection, options: options) }
        return try await client.token(api: api, of: selection, options: options)
    }
}

extension IssuedToken {
    /// The token with its properties. The only JSON that contains a token.
    fileprivate var json: JSONObject {
        if info.kind == .id {
            return [
                "schemaVersion": 1, "idToken": secret, "expires": info.expiresOn.map(Timestamp.init),
                "policy": policy.name.spelling, "account": account.label,
            ]
        }
        return [
            "schemaVersion": 1, "accessToken": secret, "tokenType": "Bearer",
            "expires": info.expiresOn.map(Timestamp.init), "scopes": scopes.granted.scopes,
            "grantedScopes": scopes.granted.scopes, "declinedScopes": scopes.declined.scopes,
            "policy": policy.name.spelling, "account": account.label,
        ]
    }
}
