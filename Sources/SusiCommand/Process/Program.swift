import ArgumentParser
import Dispatch
import Susi

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Runs one command from its arguments to its exit code.
enum Program {
    /// Starts the command; the process ends when it is done.
    ///
    /// This thread only waits. Dispatch would end it, and glibc unwinds a thread that ends: that loads a library and the
    /// unwinding tables, which the process then carries along. Nothing runs on the main queue.
    static func start(_ arguments: [String]) -> Never {
        let work = Task.detached {
            let status = await run(arguments)
            await LastPages.wait()
            exit(status: status)
        }
        StandardStream.ignoreBrokenPipes()
        for number in [SIGINT, SIGTERM] { cancel(work, on: number) }
        while true { pause() }
    }

    /// Ends the process.
    static func exit(_ code: ExitCodes) -> Never { exit(status: code.rawValue) }

    private static func exit(status: Int32) -> Never {
        #if canImport(Glibc)
            Glibc.exit(status)
        #else
            Darwin.exit(status)
        #endif
    }

    /// Runs a command and says on standard error what went wrong.
    static func run(_ arguments: [String]) async -> Int32 {
        var given = GivenOptions.none
        do {
            if arguments.count == 2, arguments[0] == "help", let topic = HelpTopic(rawValue: arguments[1]) {
                Console.standard.out(topic.text)
                return ExitCodes.done.rawValue
            }
            try await execute(arguments) { given = $0 }
            return ExitCodes.done.rawValue
        } catch {
            if let ended = error as? CommandEnded { return ended.status }
            return report(error, of: arguments, given).rawValue
        }
    }

    /// Parses and runs a command; the demonstration uses it too. `parsed` gets what was given to it.
    static func execute(_ arguments: [String], parsed: (GivenOptions) -> Void = { _ in }) async throws {
        var command = try parse(arguments)
        parsed(GivenOptions(command))
        if var asynchronous = command as? any AsyncParsableCommand {
            try await asynchronous.run()
        } else {
            try command.run()
        }
    }

    /// The command that the arguments mean; throws when they mean none.
    static func parse(_ arguments: [String]) throws -> any ParsableCommand {
        try refuseUnknownCommand(arguments)
        return try Root.parseAsRoot(arguments)
    }

    /// The words that a command line can begin with.
    static var commandNames: [String] {
        Root.configuration.subcommands.map { (command: any ParsableCommand.Type) in
            command.configuration.commandName ?? ""
        } + ["help"]
    }

    /// Whether the command line asks for JSON, even if it cannot be parsed: errors are told in the same form.
    static func wantsJSON(_ arguments: [String]) -> Bool {
        let own = arguments.prefix { $0 != "--" }
        return own.contains("--json") || own.contains("--format=json")
            || zip(own, own.dropFirst()).contains { ["-f", "--format"].contains($0) && $1 == "json" }
    }

    /// Says on standard error what went wrong; the exit code that tells the same.
    static func report(_ error: any Error, of arguments: [String], _ given: GivenOptions = .none) -> ExitCodes {
        guard let (explained, code) = explained(error, of: arguments, given) else {
            Console.standard.out(Root.fullMessage(for: error))
            return .done
        }
        let console = Console.standard
        // Behind the ^C that the terminal shows.
        if error is CancellationError, console.errMoves { console.err("") }
        if wantsJSON(arguments), let json = try? ErrorReport(explained, code).json() {
            console.err(json)
        } else {
            console.report(explained.error)
        }
        return code
    }

    // Nil for what is no error: help and version that were asked for.
    private static func explained(
        _ error: any Error, of arguments: [String], _ given: GivenOptions
    ) -> (ExplainedError, ExitCodes)? {
        let told = { (error: SusiError) in error.completed(by: given) }
        switch error {
        case is CancellationError: return (ExplainedError(SusiError(.cancelled, "Cancelled")), .cancelled)
        case let error as SusiError: return (ExplainedError(told(error)), ExitCodes(error.code))
        case let error as PolicyFileError where error.isUnreadable:
            return explained(UsageError.unreadable(error.file), of: arguments, given)
        case let error as PolicyFileError:
            return (ExplainedError(SusiError(error, next: .fixPolicies)), .unknown)
        case let error as UsageError:
            let text = SusiError(
                .failed, error.what, why: error.why, next: error.next, candidates: error.candidates)
            return (ExplainedError(told(text), code: "usage"), .usage)
        case let error as RefusedCall: return (ExplainedError(told(error.error), code: "api"), .api)
        default:
            let code = Root.exitCode(for: error)
            if code.isSuccess { return nil }
            let help = SuggestedCommand("help", command(in: arguments))
            let what = Root.message(for: error).split(separator: "\n").joined(separator: " ")
            let text = SusiError(.failed, what, next: "\(help)")
            return code == .validationFailure
                ? (ExplainedError(text, code: "usage"), .usage) : (ExplainedError(text), .failed)
        }
    }

    // The words that name the command.
    private static func command(in arguments: [String]) -> [String] {
        var group: any ParsableCommand.Type = Root.self
        return arguments.prefix { word in
            guard let next = group.configuration.subcommands.first(where: { $0.configuration.commandName == word })
            else { return false }
            group = next
            return true
        }
    }

    // The parser takes a word that it does not know for the command's first argument, or for nothing.
    private static func refuseUnknownCommand(_ arguments: [String]) throws {
        let isHelp = arguments.first == "help"
        let words = (isHelp ? arguments.dropFirst() : arguments[...]).prefix { !$0.hasPrefix("-") }
        var group: any ParsableCommand.Type = Root.self
        var known: [String] = []
        for word in words {
            let commands = group.configuration.subcommands
            // The words of a command are its own; a topic and help have no more.
            guard !commands.isEmpty || isHelp else { return }
            let extra = known.isEmpty ? ["help"] + (isHelp ? HelpTopic.allCases.map(\.rawValue) : []) : []
            let names = commands.map { $0.configuration.commandName ?? "" } + extra
            guard names.contains(word) else {
                let rest = Array(arguments.dropFirst(known.count + (isHelp ? 2 : 1)))
                throw unknown(word, in: known, names, help: isHelp ? ["help"] : [], rest)
            }
            known.append(word)
            guard let next = commands.first(where: { $0.configuration.commandName == word }) else { return }
            group = next
        }
    }

    private static func unknown(
        _ word: String, in group: [String], _ names: [String], help: [String], _ rest: [String]
    ) -> UsageError {
        let whole = { (word: String) in (group + [word]).joined(separator: " ") }
        // A command of a group, without the group.
        let inner = Root.configuration.subcommands.flatMap { type in
            type.configuration.subcommands.map {
                (type.configuration.commandName ?? "", $0.configuration.commandName ?? "")
            }
        }
        let meant =
            NearMatch.of(word, in: names).map(whole)
            ?? inner.first { group.isEmpty && $0.1 == word }.map { "\($0.0) \($0.1)" }
        return UsageError(
            "There is no command “\(whole(word))”", why: meant.map { "did you mean “\($0)”?" } ?? "",
            next: meant.map { repeated(help + [$0], rest) } ?? "\(SuggestedCommand("help", group))")
    }

    // The command line again with the command that was meant. A long word may be a token, which is not printed.
    private static func repeated(_ command: [String], _ rest: [String]) -> NextStep {
        let words = rest.contains { $0.utf8.count > 64 } ? [] : rest.map(\.shellWord)
        return NextStep((["susi"] + command + words).joined(separator: " "))
    }

    // Ctrl-C cancels the command, which frees what it holds; one that does not end within a second is ended.
    private static func cancel(_ work: Task<Void, Never>, on number: Int32) {
        _ = signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler {
            // The handler keeps its source alive.
            _ = source
            if Child.takes(number) { return }
            work.cancel()
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(900)) {
                let error = SusiError(.cancelled, "Cancelled", why: "it did not end by itself and was broken off")
                exit(report(error, of: CommandLine.arguments))
            }
        }
        source.resume()
    }
}

/// Arguments that fit the parser and make no sense together.
struct UsageError: Error {
    let what: String
    let why: String
    let next: NextStep
    /// What could have been meant.
    let candidates: [String]

    init(_ what: String, why: String = "", next: NextStep = "", candidates: [String] = []) {
        self.what = what
        self.why = why
        self.next = next
        self.candidates = candidates
    }
}

/// An answer of an API that is none, where errors are told as JSON.
struct RefusedCall: Error {
    let error: SusiError
}

/// A command that said all it had to say and ends with a code of its own.
struct CommandEnded: Error {
    let status: Int32

    init(code: ExitCodes) { status = code.rawValue }

    /// The code of another program that ran in its place.
    init(status: Int32) { self.status = status }
}
