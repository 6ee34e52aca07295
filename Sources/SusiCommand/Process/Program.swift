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
    static func start(_ arguments: [String]) {
        let work = Task.detached {
            let code = await run(arguments)
            exit(code)
        }
        _ = signal(SIGPIPE, SIG_IGN)
        for number in [SIGINT, SIGTERM] { cancel(work, on: number) }
    }

    /// Ends the process.
    static func exit(_ code: ExitCodes) -> Never {
        #if canImport(Glibc)
            Glibc.exit(code.rawValue)
        #else
            Darwin.exit(code.rawValue)
        #endif
    }

    /// Runs a command and says on standard error what went wrong.
    static func run(_ arguments: [String]) async -> ExitCodes {
        do {
            try await execute(arguments)
            return .done
        } catch {
            return report(error, asJSON: wantsJSON(arguments))
        }
    }

    /// Parses and runs a command; the demonstration uses it too.
    static func execute(_ arguments: [String]) async throws {
        if arguments.count == 2, arguments[0] == "help", let topic = HelpTopic(rawValue: arguments[1]) {
            Console.standard.out(topic.text)
            return
        }
        var command = try parse(arguments)
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

    private static func report(_ error: any Error, asJSON: Bool) -> ExitCodes {
        if let ended = error as? CommandEnded { return ended.code }
        guard let (explained, code) = explained(error) else {
            Console.standard.out(Root.fullMessage(for: error))
            return .done
        }
        let console = Console.standard
        if asJSON, let json = try? ErrorReport(explained, code).json() {
            console.err(json)
        } else if explained.isParsers {
            console.err(Terminal.safe(explained.error.what, keepingLines: true))
        } else {
            console.report(explained.error)
        }
        return code
    }

    // Nil for what is no error: help and version that were asked for.
    private static func explained(_ error: any Error) -> (ExplainedError, ExitCodes)? {
        switch error {
        case is CancellationError: return (ExplainedError(SusiError(.cancelled, "Cancelled")), .cancelled)
        case let error as SusiError: return (ExplainedError(error), ExitCodes(error.code))
        case let error as PolicyFileError:
            let next = "mend the file; susi policies schema prints its form"
            return (ExplainedError(SusiError(.invalidConfiguration, "\(error)", next: next)), .unknown)
        case let error as UsageError:
            return (
                ExplainedError(SusiError(.failed, error.what, why: error.why, next: error.next), code: "usage"), .usage
            )
        default:
            let code = Root.exitCode(for: error)
            if code.isSuccess { return nil }
            let text = SusiError(.failed, Root.fullMessage(for: error))
            return code == .validationFailure
                ? (ExplainedError(text, code: "usage", isParsers: true), .usage)
                : (ExplainedError(text, isParsers: true), .failed)
        }
    }

    private static func refuseUnknownCommand(_ arguments: [String]) throws {
        // Of `susi help WORD` it is the second word that has to be a command.
        let words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
        guard let word = words.first, !word.hasPrefix("-") else { return }
        let names = commandNames + (arguments.first == "help" ? HelpTopic.allCases.map(\.rawValue) : [])
        guard !names.contains(word) else { return }
        throw UsageError(
            "There is no command “\(word)”", why: NearMatch.of(word, in: names).map { "did you mean “\($0)”?" } ?? "",
            next: "susi help")
    }

    // Ctrl-C cancels the command, which frees what it holds; one that does not end within a second is ended.
    private static func cancel(_ work: Task<Void, Never>, on number: Int32) {
        _ = signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler {
            // The handler keeps its source alive.
            _ = source
            work.cancel()
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(900)) { exit(.cancelled) }
        }
        source.resume()
    }
}

/// Arguments that fit the parser and make no sense together.
struct UsageError: Error {
    let what: String
    let why: String
    let next: String

    init(_ what: String, why: String = "", next: String = "") {
        self.what = what
        self.why = why
        self.next = next
    }
}

/// A command that said all it had to say and ends with a code of its own.
struct CommandEnded: Error {
    let code: ExitCodes
}
