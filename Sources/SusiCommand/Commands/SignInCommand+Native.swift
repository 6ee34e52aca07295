import Susi

// `sign-in --username` in External ID: no browser; the server decides what it asks for.
extension SignInCommand {
    /// Signs in with the password from standard input and with codes from the command; asks on a terminal for what is missing.
    func signIn(_ request: SignInRequest, native username: String, _ context: Context) async throws -> SignInResult {
        let mayAsk = ProcessEnvironment.current.canAsk && !context.noInput
        guard mayAsk || passwordStdin || codeCommand != nil else { throw Self.noCredentials(context) }
        let given = passwordStdin ? try await password(of: username, context) : nil
        let questions = NativeQuestions(username: username, mayAsk: mayAsk, console: context.console)
        let command = codeCommand.map(CodeCommand.init)
        let messages = SignInMessages(choice: .none(.asked), readsPaste: false, style: context.console.errStyle)
        let console = context.console
        return try await context.working("signing in") { spinner in
            let credentials = NativeCredentials(
                username: username, attempts: command == nil ? NativeCredentials.usualAttempts : 1
            ) {
                if let given { return given }
                spinner?.stop()
                return try await questions.password()
            } code: { _, attempt in
                if let command { return try await command.code() }
                return try await questions.code(attempt)
            }
            return try await context.client.signIn(request, native: credentials) { event in
                spinner?.stop()
                for line in messages.lines(event) { console.err(line) }
            }
        }
    }

    private static func noCredentials(_ context: Context) -> UsageError {
        let command = SuggestedCommand("sign-in")
        let codes = command.option("--code-command", SuggestedCommand.unknownCommand)
        return UsageError(
            "no password and no code",
            why: context.noInput ? "--no-input forbids the questions" : "standard input is not a terminal",
            next: "\(command.flag("--password-stdin")) < FILE, or \(codes)")
    }

    /// The error of `--code-command` where no codes are sent.
    static func noCodes(_ application: Application) -> UsageError {
        let kinds = AuthorityKind.allCases.filter(\.hasNativeAuthentication).map { "“\($0.rawValue)”" }
        return UsageError(
            "--code-command cannot be used with “\(application.name)”",
            why: "codes need an application of the kind \(kinds.joined(separator: " or "))",
            next: "\(SuggestedCommand("sign-in").without("--code-command"))")
    }
}

/// The questions of a sign-in without a browser, asked on the terminal.
private struct NativeQuestions: Sendable {
    let username: String
    let mayAsk: Bool
    let console: Console

    /// Asks for the password, which is not shown; returns `nil` without a terminal.
    func password() async throws -> String? {
        guard mayAsk else { return nil }
        let line = try await StandardInput.secret("Password for \(Terminal.safe(username)): ", console)
        guard let line, !line.isEmpty else { throw Self.nothing("password") }
        return line
    }

    /// Asks for the code; returns `nil` without a terminal.
    func code(_ attempt: Int) async throws -> String? {
        guard mayAsk else { return nil }
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
