import ArgumentParser
import Dispatch
import Susi
import SusiBase
import SusiStartup

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The run of one command, from its arguments to its exit code.
enum Program {
    /// Starts the command and ends the process when it is done.
    ///
    /// This thread only waits, and nothing runs on the main queue. Dispatch would end the main thread, and glibc
    /// unwinds a thread that ends, which loads a library and the unwinding tables. They would stay in memory.
    static func start(_ arguments: [String]) -> Never {
        // First: a quick command may write before this thread goes on.
        StandardStream.ignoreBrokenPipes()
        EndingSignal.hold()
        let work = Task.detached {
            let status = await run(arguments)
            await LastPages.wait()
            exit(status: status)
        }
        EndingSignal.handle { cancel(work) }
        while true { pause() }
    }

    static func exit(_ code: ExitCodes) -> Never { exit(status: code.rawValue) }

    private static func exit(status: Int32) -> Never {
        TerminalMode.restore()
        EndingSignal.end()
        #if canImport(Glibc)
            Glibc.exit(status)
        #else
            Darwin.exit(status)
        #endif
    }

    /// Runs a command and prints its error, if any, on standard error. Returns the exit code.
    static func run(_ arguments: [String]) async -> Int32 {
        var parsed: (any ParsableCommand)?
        var arguments = arguments
        do {
            arguments = try withCommandFirst(arguments)
            return try await run(arguments) { parsed = $0 }
        } catch {
            return exitStatus(after: error, of: arguments, parsed.map { GivenOptions($0) } ?? GivenOptions())
        }
    }

    private static func run(_ arguments: [String], parsed: (any ParsableCommand) -> Void) async throws -> Int32 {
        let topic = arguments.first == "help" ? arguments.dropFirst().first.flatMap(HelpTopic.init) : nil
        if arguments.first == "help", arguments.last == "--json", topic != .errorCodes {
            try refuseUnknownCommand(arguments)
            let words = command(in: Array(arguments.dropFirst()))
            Console.standard.out(try HelpDocument(words).json.text)
        } else if let topic {
            try await show(topic, Array(arguments.dropFirst(2)), parsed: parsed)
        } else {
            // Ignored, the variable would send a test to the cloud.
            guard ["0", nil].contains(ProcessEnvironment.current["SUSI_REHEARSE"]) else { throw UsageError.rehearsal }
            try await execute(arguments, parsed: parsed)
        }
        return ExitCodes.done.rawValue
    }

    // One topic explains its entries.
    private static func show(_ topic: HelpTopic, _ rest: [String], parsed: (any ParsableCommand) -> Void) async throws {
        if rest.isEmpty { return Console.standard.out(topic.text) }
        guard topic == .errorCodes else {
            throw UsageError(
                "“\(topic.rawValue)” has no entry “\(rest[0])”", why: "it is one page",
                next: "\(SuggestedCommand("help", topic.rawValue))")
        }
        try await execute(["explain"] + rest, parsed: parsed)
    }

    private static func exitStatus(after error: any Error, of arguments: [String], _ given: GivenOptions) -> Int32 {
        if let ended = error as? CommandEnded { return ended.status }
        // Completion runs while the user types, so it must not print errors.
        if arguments.first == LiveNames.request, !Root.exitCode(for: error).isSuccess {
            return ExitCodes.usage.rawValue
        }
        return report(error, of: arguments, given).rawValue
    }

    /// Parses and runs a command; the demo uses it too. `parsed` receives the command before it runs.
    static func execute(_ arguments: [String], parsed: (any ParsableCommand) -> Void = { _ in }) async throws {
        var command = try parse(arguments)
        parsed(command)
        if var asynchronous = command as? any AsyncParsableCommand {
            try await asynchronous.run()
        } else {
            try command.run()
        }
    }

    /// Parses the arguments. Throws if they are not a valid command.
    static func parse(_ arguments: [String]) throws -> any ParsableCommand {
        let arguments = try withCommandFirst(arguments)
        if arguments == ["version"] || arguments == ["-v"] { return try Root.parseAsRoot(["--version"]) }
        try refuseUnknownCommand(arguments)
        // The command alone is parsed in half the time; all of them report errors and show help.
        let names = commands(in: arguments)
        if let named = names.last, let command = try? alone(named, arguments.dropFirst(names.count - 1)),
            type(of: command) == named
        {
            return command
        }
        return try Root.parseAsRoot(arguments)
    }

    private static func alone<Command: ParsableCommand>(
        _: Command.Type, _ arguments: ArraySlice<String>
    ) throws -> any ParsableCommand {
        try Alone<Command>.parseAsRoot(Array(arguments))
    }

    /// Whether the command line requests JSON, even if it cannot be parsed: errors use the same format.
    static func wantsJSON(_ arguments: [String]) -> Bool {
        // Options after the command of `exec` belong to that command.
        if commands(in: arguments).first == ExecCommand.self, let exec = try? parse(arguments) as? ExecCommand {
            return exec.errors.json
        }
        let own = ownWords(arguments)
        return own.contains("--json") || own.contains("--format=json")
            || zip(own, own.dropFirst()).contains { ["-f", "--format"].contains($0) && $1 == "json" }
    }

    /// Returns the words before `--`.
    static func ownWords(_ arguments: [String]) -> ArraySlice<String> { arguments.prefix { $0 != "--" } }

    /// Prints an error on standard error. Returns its exit code.
    static func report(_ error: any Error, of arguments: [String], _ given: GivenOptions = GivenOptions()) -> ExitCodes
    {
        guard let (explained, code) = explained(error, of: arguments, given) else {
            // Help, the version, or the reply to a completion request.
            Console.standard.out(HelpText.requested(by: error, Console.standard.outStyle))
            return .done
        }
        let console = Console.standard
        // The terminal shows ^C on the current line.
        if error is CancellationError, console.errMoves { console.err("") }
        if wantsJSON(arguments) {
            console.err(explained.json(EndingSignal.status ?? code.rawValue).text)
        } else {
            console.report(explained.error)
        }
        return code
    }

    /// Returns the error to show with its exit code; `nil` for requested help and version.
    static func explained(
        _ error: any Error, of arguments: [String], _ given: GivenOptions
    ) -> (ExplainedError, ExitCodes)? {
        switch error {
        case is CancellationError: return (ExplainedError(SusiError(.cancelled, "cancelled")), .cancelled)
        case let error as SusiError: return (ExplainedError(error, given), ExitCodes(error.code))
        case let error as PolicyFileError where error.isUnreadable:
            return explained(UsageError.unreadable(error.file), of: arguments, given)
        case let error as PolicyFileError:
            let text = SusiError(error, next: .fixPolicies)
            return (ExplainedError(text), ExitCodes(text.code))
        case let error as UsageError:
            let text = SusiError(
                .failed, error.what, why: error.why, next: error.next, candidates: error.candidates)
            return (ExplainedError(text, code: "usage", given), .usage)
        case let error as Paths.Unusable: return explained(SusiError.explaining(error), of: arguments, given)
        case let error where FileFailure(error) != nil: return explained(SusiError(plain: error), of: arguments, given)
        case let error as StartFailure: return (ExplainedError(error.error, given), error.code)
        case let error as RefusedCall:
            return (ExplainedError(error.error, code: "api", status: error.status, given), .api)
        default:
            let code = Root.exitCode(for: error)
            if code.isSuccess { return nil }
            if ownWords(arguments).contains("--rehearse") {
                return explained(UsageError.rehearsal, of: arguments, given)
            }
            let names = command(in: arguments)
            let options = names.isEmpty ? [] : (try? HelpDocument(names).optionNames) ?? []
            let message = ParserMessage(
                unknownOption(arguments, options, names) ?? Root.message(for: error), options: options,
                words: Array(ownWords(arguments)))
            let text = SusiError(
                .failed, message.what, why: message.why,
                next: corrected(arguments) ?? "\(SuggestedCommand("help", names))")
            return code == .validationFailure
                ? (ExplainedError(text, code: "usage"), .usage) : (ExplainedError(text), .failed)
        }
    }

    // A check of the values, which the parser does first, may complain about the option that an unknown one was meant to be. The
    // command of `exec` has options of its own.
    private static func unknownOption(_ arguments: [String], _ options: [String], _ command: [String]) -> String? {
        guard !options.isEmpty, command.last != "exec" else { return nil }
        let names = ownWords(arguments).map { $0.prefix { $0 != "=" } }
        return names.first { $0.hasPrefix("--") && !options.contains(String($0)) }.map { "Unknown option '\($0)'" }
    }

    // Cancels the command, so that it can clean up. Ends the process if the command takes longer than a second.
    private static func cancel(_ work: Task<Void, Never>) {
        work.cancel()
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(900)) {
            let error = SusiError(
                .cancelled, "cancelled", why: "the command did not stop within a second and was ended")
            exit(report(error, of: Array(CommandLine.arguments.dropFirst())))
        }
    }
}

/// A root with one command and without the parser's own `--generate-completion-script`: to look for that takes as long as the rest.
private struct Alone<Command: ParsableCommand>: ParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "", _superCommandName: "susi", subcommands: [Command.self])
    }
}

/// An error in the arguments that the parser does not detect.
struct UsageError: Error {
    let what: String
    let why: String
    let next: NextStep
    /// Possible values.
    let candidates: [String]

    init(_ what: String, why: String = "", next: NextStep = "", candidates: [String] = []) {
        self.what = what
        self.why = why
        self.next = next
        self.candidates = candidates
    }
}

extension UsageError {
    /// What earlier versions had in place of a copy with a home of its own.
    fileprivate static let rehearsal = UsageError(
        "--rehearse and SUSI_REHEARSE are not supported any more",
        why: "the local copy of a tenant has policies and a store of its own",
        next: "start it with susi emulator run -A NAME, and type the line “export …” that it prints")
}

extension SusiError {
    /// Explains why the folders for the files of susi cannot be used.
    fileprivate static func explaining(_ error: Paths.Unusable) -> any Error {
        let what = "no folder for the files of susi"
        switch error {
        case .unset:
            return UsageError(
                what, why: "HOME is not set",
                next: "set HOME, or SUSI_HOME, or both XDG_CONFIG_HOME and XDG_STATE_HOME")
        case .relative(let variable):
            return UsageError(
                what, why: "\(variable) is not an absolute path",
                next: variable == "SUSI_HOME"
                    ? "set SUSI_HOME to an absolute path" : "set \(variable) to an absolute path, or set SUSI_HOME")
        case .unsafe(let flaw): return SusiError(flaw)
        }
    }
}

/// An error response of an API, if errors are printed as JSON.
struct RefusedCall: Error {
    let error: SusiError
    let status: Int
}

/// Another program that cannot be started, with the exit code of a shell.
struct StartFailure: Error {
    let error: SusiError
    let code: ExitCodes

    init(_ name: String, why: String, isThere: Bool) {
        error = SusiError(.failed, "“\(name)” cannot be started", why: why, next: "check the name of the command")
        // Those of env(1) and of shells.
        code = isThere ? .notExecutable : .notFound
    }
}

/// The end of a command that has printed everything, with a specific exit code.
struct CommandEnded: Error {
    let status: Int32

    init(code: ExitCodes) { status = code.rawValue }

    /// Ends with the status of another program.
    init(status: Int32) { self.status = status }
}
