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
            return report(error, json: arguments.prefix { $0 != "--" }.contains("--json"))
        }
    }

    /// Parses and runs a command; the demonstration uses it too.
    static func execute(_ arguments: [String]) async throws {
        if arguments == ["help", "exit-codes"] {
            Console.standard.out(ExitCodes.help)
            return
        }
        if arguments == ["help", "error-codes"] {
            Table.lines(ErrorCode.table.map { [$0.name, $0.meaning, $0.next] }).forEach(Console.standard.out)
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

    private static func report(_ error: any Error, json: Bool) -> ExitCodes {
        let console = Console.standard
        let say = { (error: SusiError, code: ExitCodes) in
            if json, let text = try? ErrorReport(error, code).json() {
                console.err(text)
            } else {
                console.report(error)
            }
            return code
        }
        switch error {
        case let ended as CommandEnded: return ended.code
        case is CancellationError: return say(SusiError(.cancelled, "Cancelled"), .cancelled)
        case let error as SusiError: return say(error, ExitCodes(error.code))
        case let error as PolicyFileError:
            return say(
                SusiError(
                    .invalidConfiguration, "\(error)", next: "mend the file; susi policies schema prints its form"),
                .unknown)
        case let error as UsageError:
            return say(SusiError(.failed, error.what, why: error.why, next: error.next), .usage)
        default:
            let code = Root.exitCode(for: error)
            let text = Root.fullMessage(for: error)
            if code.isSuccess { console.out(text) } else { console.err(Terminal.safe(text, keepingLines: true)) }
            return code.isSuccess ? .done : code == .validationFailure ? .usage : .failed
        }
    }

    private static func refuseUnknownCommand(_ arguments: [String]) throws {
        // Of `susi help WORD` it is the second word that has to be a command.
        let words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
        guard let word = words.first, !word.hasPrefix("-") else { return }
        let names = commandNames
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
