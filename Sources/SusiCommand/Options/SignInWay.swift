import ArgumentParser
import Susi
import SusiEntry

/// The options that choose a sign-in without a browser on this machine.
struct SignInWay: GivenArguments {
    @Option(help: ArgumentHelp("User name for a sign-in without a browser", valueName: "name"))
    var username: String?

    @Flag(help: "Read the password from the first line of standard input")
    var passwordStdin = false

    @Option(help: ArgumentHelp("Command that prints the code sent to the user (External ID)", valueName: "command"))
    var codeCommand: String?

    @Flag(help: "Show a code to enter on another device")
    var device = false

    static var givenOptions: [OptionReader<Self>] {
        [
            .value(.username, \.username), .flag(.passwordStdin, \.passwordStdin),
            .value(.codeCommand, \.codeCommand), .flag(.device, \.device),
        ]
    }

    func validate() throws {
        if passwordStdin, username == nil { throw ValidationError("--password-stdin needs --username") }
        if codeCommand != nil, username == nil { throw ValidationError("--code-command needs --username") }
        if codeCommand?.allSatisfy(\.isWhitespace) ?? false { throw ValidationError("--code-command needs a command") }
        if username?.isEmpty ?? false { throw ValidationError("--username needs a name") }
        if device, username != nil { throw ValidationError("--device and --username cannot be combined") }
    }

    /// Signs in as these options say.
    func signIn(
        _ request: SignInRequest, _ context: Context, through browser: BrowserOptions
    ) async throws -> SignInResult {
        let client = context.client
        context.announceRehearsal()
        if let username {
            _ = try client.passwordPolicy(request.policy)
            if client.application.kind.traits.hasNativeAuthentication {
                return try await signIn(request, native: username, context)
            }
            if codeCommand != nil { throw Self.noCodes(client.application) }
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
                    next: "\(SuggestedCommand("sign-in").flag("--password-stdin")) < FILE")
            }
            line = try await StandardInput.secret("Password for \(Terminal.safe(username)): ", console)
        }
        guard let line, !line.isEmpty else { throw UsageError("no password", why: "the line is empty") }
        return line
    }
}
