import ArgumentParser
import Susi
import SusiStartup
import SystemPackage

struct ExecCommand: AsyncParsableCommand, PolicyCommand, AccountCommand, PageCommand {
    static let configuration = CommandConfiguration(
        commandName: "exec", abstract: "Run a command with an access token in its environment.",
        discussion: """
              susi exec ./deploy.sh
              susi exec --api hello --env API_TOKEN --min-valid 10m ./deploy.sh
              susi exec sh -c 'echo "Authorization: Bearer $SUSI_ACCESS_TOKEN" |
                curl -H @- http://localhost:8480/api/hello'

            Options of susi come before the command. SUSI_ACCESS_TOKEN is the token, SUSI_ACCESS_TOKEN_EXPIRATION its expiry time. \
            The command replaces susi: streams, signals and the exit status are its own.
            """)

    @OptionGroup var policy: PolicyOption
    @OptionGroup var account: AccountOption
    @OptionGroup var errors: JSONErrorsOption

    @Option(help: "API that the token is for (default: the API of the policy)", completion: LiveNames.apis)
    var api: String?

    @Option(help: "Extra scope to request; repeatable")
    var scope: [String] = []

    @Option(help: ArgumentHelp("Another variable for the token; repeatable", valueName: "name"))
    var env: [String] = []

    @Option(
        help: ArgumentHelp("Minimum remaining validity, for example 5m", valueName: "time"), transform: Seconds.parse)
    var minValid: Seconds?

    @Argument(
        parsing: .captureForPassthrough, help: ArgumentHelp("Command with its arguments", valueName: "command"),
        completion: .file())
    var words: [String] = []

    @OptionGroup(title: "Sign-in options") var fallback: SignInFallback
    @OptionGroup(title: "Sign-in options") var browser: BrowserOptions
    @OptionGroup(title: "Common options") var global: GlobalOptions

    var command: [String] { PassedCommand.words(words) }

    var givenPolicy: String? { policy.text }
    var givenTenant: String? { policy.tenant.text }
    var givenAccount: String? { account.text }

    func validate() throws {
        try PassedCommand.validate(words, of: Self.self)
        for name in env {
            guard Self.isName(name) else { throw ValidationError("invalid variable name “\(name)” for --env") }
            guard !Self.isReserved(name) else {
                throw ValidationError(
                    "--env \(name) is not allowed\nthis variable changes how commands run; choose another name")
            }
        }
    }

    func run() async throws {
        let context = try Context(self)
        let selection = try await context.selection(account, under: try policy.name(in: context, api: api))
        let token = try await fallback.run(
            selection, api: api, scopes: scope, asks: !errors.json, through: browser, in: context
        ) { selection in
            try await context.working("getting a token") { _ in
                try await context.client.token(
                    api: api, of: selection, options: TokenRequestOptions(minimum: minValid?.value, scopes: scope))
            }
        }
        context.warn(token.scopes)
        // This process may still be serving a sign-in page, and the command replaces it.
        await LastPages.wait()
        let reason = ProcessEnvironment.become(command, adding: TokenVariable.all(of: token, names: env))
        throw StartFailure(command[0], why: "\(reason)", isThere: reason != .noSuchFileOrDirectory)
    }

    // Returns whether loaders, shells, interpreters or susi itself interpret the variable.
    private static func isReserved(_ name: String) -> Bool {
        let names: Set = [
            "PATH", "IFS", "ENV", "BASH_ENV", "SHELL", "SHELLOPTS", "BASHOPTS", "CDPATH", "PS4", "PROMPT_COMMAND",
            "HOME",
            "USER", "LOGNAME", "PWD", "OLDPWD", "TERM", "TMPDIR", "TZ", "LANG", "NLSPATH", "LOCPATH", "GCONV_PATH",
            "HOSTALIASES", "NODE_OPTIONS", "NODE_PATH", "CLASSPATH", "JAVA_TOOL_OPTIONS", "RUBYOPT", "RUBYLIB",
            "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "BROWSER", "EDITOR",
            "VISUAL", "PAGER",
        ]
        return names.contains(name.uppercased())
            || ["LD_", "DYLD_", "GLIBC_", "MALLOC_", "LC_", "XDG_", "PYTHON", "PERL5", "SUSI_"].contains {
                name.hasPrefix($0)
            }
    }

    // IEEE Std 1003.1, chapter 8.1.
    private static func isName(_ text: String) -> Bool {
        let isDigit = text.first?.isNumber ?? true
        return !isDigit && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }
}
