import ArgumentParser
import Susi

/// `susi token`. The fast path answers the plain forms from the cache before this type exists; both decide with
/// ``SilentPlan``.
struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token", abstract: "Print an access token, from the cache or refreshed; never opens a browser.",
        discussion: """
            curl -H "Authorization: Bearer $(susi token)" http://localhost:8480/api/hello
            susi token hello -p B2C_1_partner --min-valid 10m
            susi token --resource https://graph.microsoft.com
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var policy: PolicyOption
    @OptionGroup var account: AccountOption

    @Argument(help: "The API that the token is for; else the one of the policy.")
    var api: String?

    @Option(
        help: ArgumentHelp(
            "The resource of the older protocol that the token is for, instead of an API: asks RESOURCE/.default.",
            valueName: "resource"))
    var resource: String?

    @Option(name: [.short, .long], help: "raw (the token), header (a line for HTTP), or json.")
    var format = Format.raw

    @Option(help: ArgumentHelp("How long the token must still be valid, for instance 5m.", valueName: "time"))
    var minValid: Seconds?

    @Flag(help: "Refresh even when the stored token is valid.")
    var refresh = false

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case raw, header, json
    }

    func validate() throws {
        guard let resource else { return }
        if api != nil { throw ValidationError("Name an API or --resource, not both.") }
        if resource.isEmpty || resource.contains(where: \.isWhitespace) || resource.hasSuffix("/.default") {
            throw ValidationError(
                "--resource takes the resource itself, for instance https://graph.microsoft.com; /.default is added.")
        }
    }

    func run() async throws {
        let context = try Context(global)
        let selection = AccountSelection(policy: policy.name, text: account.chosen)
        let options = TokenRequestOptions(minimum: minValid?.value, forcesRefresh: refresh)
        let token =
            if let resource {
                try await context.client.token(resource: resource, of: selection, options: options)
            } else {
                try await context.client.token(api: api, of: selection, options: options)
            }
        context.warn(declined: token.newlyDeclined, granted: token.info.granted)
        switch format {
        case .raw: context.console.out(token.secret)
        case .header: context.console.out("Authorization: Bearer \(token.secret)")
        case .json: try context.show(TokenReport(token), json: true)
        }
    }
}

/// A token with what is known of it. The only JSON that holds a token.
struct TokenReport: CommandResult {
    let schemaVersion = 1
    let accessToken: String
    let tokenType = "Bearer"
    let expires: Moment?
    let scopes: [String]
    let declinedScopes: [String]
    let policy: String
    let account: String

    init(_ token: IssuedToken) {
        accessToken = token.secret
        expires = token.info.expiresOn.map(Moment.init)
        scopes = token.info.granted.scopes
        declinedScopes = token.info.declined.scopes
        policy = token.policy.name.spelling
        account = token.account.label
    }

    func lines(_ style: Style) -> [String] { [accessToken] }
}
