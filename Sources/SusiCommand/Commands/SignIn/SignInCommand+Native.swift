import Susi
import SusiStartup

// `sign-in --username` in External ID: no browser; the server decides what it asks for.
extension SignInCommand {
    /// Signs in with the password from standard input and with codes from the command; asks on a terminal for what is missing.
    func signIn(_ request: SignInRequest, native username: String, _ context: Context) async throws -> SignInResult {
        let mayAsk = ProcessEnvironment.current.canAsk && !context.noInput
        guard mayAsk || passwordStdin || codeCommand != nil else { throw noCredentials(context) }
        let given = passwordStdin ? try await password(of: username, context) : nil
        let sources = CredentialSources(
            username: username, given: given, command: codeCommand.map(CodeCommand.init), mayAsk: mayAsk,
            console: context.console)
        let messages = SignInMessages(choice: .none(.asked), readsPaste: false, style: context.console.errStyle)
        return try await context.working("signing in") { spinner in
            try await context.client.signIn(request, native: sources.credentials) { event in
                spinner?.stop()
                for line in messages.lines(event) { context.console.err(line) }
            }
        }
    }

    private func noCredentials(_ context: Context) -> UsageError {
        let command = SuggestedCommand("sign-in").option("--username", username)
        let codes = command.option("--code-command", SuggestedCommand.unknownCommand)
        return UsageError(
            "no password and no code",
            why: context.noInput ? "--no-input forbids the questions" : "standard input is not a terminal",
            next: "\(command.flag("--password-stdin")) < FILE, or \(codes)")
    }

    /// The error of `--code-command` where no codes are sent.
    func noCodes(_ application: Application) -> UsageError {
        let kinds = AuthorityKind.allCases.filter(\.traits.hasNativeAuthentication).map { "“\($0.rawValue)”" }
        return UsageError(
            "--code-command cannot be used with “\(application.name)”",
            why: "codes need an application of the kind \(kinds.joined(separator: " or "))",
            next: "\(SuggestedCommand("sign-in").option("--username", username))")
    }
}

/// Where the password and the codes of a sign-in without a browser come from.
private struct CredentialSources: Sendable {
    let username: String
    /// The password from standard input.
    let given: String?
    let command: CodeCommand?
    let mayAsk: Bool
    let console: Console

    /// A person can correct a wrong code; a command would print the same one.
    var credentials: NativeCredentials {
        let readPassword: @Sendable () async throws -> String = { try await password() }
        let readCode: @Sendable (NativeCode, Int) async throws -> String = { _, attempt in try await code(attempt) }
        return NativeCredentials(
            username: username, attempts: command == nil ? NativeCredentials.usualAttempts : 1,
            password: given != nil || mayAsk ? readPassword : nil, code: command != nil || mayAsk ? readCode : nil)
    }

    // The password is not shown.
    private func password() async throws -> String {
        if let given { return given }
        Spinner.current?.stop()
        let line = try await StandardInput.secret("Password for \(Terminal.safe(username)): ", console)
        guard let line, !line.isEmpty else { throw Self.nothing("password") }
        return line
    }

    private func code(_ attempt: Int) async throws -> String {
        if let command { return try await command.code() }
        Spinner.current?.stop()
        if attempt > 1 { console.err(console.errStyle.warning("The server refused the code")) }
        console.ask("Code: ")
        let line = try await StandardInput.firstLine()
        // End of input leaves the cursor on the question's line.
        if line == nil { console.err("") }
        // People type the groups of a code as they see them.
        let code = line?.filter { !$0.isWhitespace } ?? ""
        guard !code.isEmpty else { throw Self.nothing("code") }
        return code
    }

    private static func nothing(_ what: String) -> SusiError {
        SusiError(.invalidRequest, "no \(what)", why: "the line is empty")
    }
}
