public import SystemPackage

/// A command to run: what, with which arguments, in which surroundings.
public struct Program: Sendable {
    /// The executable file.
    public var path: FilePath
    /// The arguments after the program's own name.
    public var arguments: [String]
    /// The whole environment; nothing is inherited.
    public var environment: [String: String]
    /// Where it starts.
    public var workingFolder: FilePath?
    /// What it reads.
    public var input: Input
    /// After this time it is killed, so that a broken test ends.
    public var limit: Duration

    /// What a program reads from its standard input.
    public enum Input: Sendable {
        /// Nothing: the end at once.
        case none
        /// This text, then the end.
        case text(String)
        /// Whatever the test writes while it runs.
        case open
    }

    /// Describes a command; nothing runs yet.
    public init(
        _ path: FilePath, _ arguments: [String], environment: [String: String] = [:], workingFolder: FilePath? = nil,
        input: Input = .none, limit: Duration = .seconds(60)
    ) {
        self.path = path
        self.arguments = arguments
        self.environment = environment
        self.workingFolder = workingFolder
        self.input = input
        self.limit = limit
    }

    /// The same command under a pseudo-terminal of that size; what it writes on both streams arrives as one text, lines ended
    /// by CR LF. A shell runs `first` in the terminal before it, and `then` after it.
    public func inTerminal(
        columns: Int = 100, rows: Int = 40, first: String? = nil, then: String? = nil
    ) throws(ProgramError) -> Program {
        guard let script = TestEnvironment.program("script") else {
            throw ProgramError(program: self, what: "the program `script` is missing (Debian: bsdutils)")
        }
        let command = ([path.string] + arguments).map(Self.quoted).joined(separator: " ")
        let before = first.map { "\($0); " } ?? ""
        let line =
            "stty cols \(columns) rows \(rows); \(before)"
            + (then.map { "\(command); status=$?; \($0); exit $status" } ?? "exec \(command)")
        var result = self
        result.path = script
        #if os(macOS)
            result.arguments = ["-q", "/dev/null", "/bin/sh", "-c", line]
        #else
            result.arguments = ["-qec", line, "/dev/null"]
        #endif
        result.environment["TERM"] = environment["TERM"] ?? "xterm-256color"
        result.environment["SHELL"] = "/bin/sh"
        if case .none = input { result.input = .open }
        return result
    }

    /// A word for a POSIX shell.
    static func quoted(_ word: String) -> String {
        "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}

/// How a program ended and what it wrote.
public struct ProgramOutcome: Sendable, CustomStringConvertible {
    /// The exit status, or 128 and the signal's number when a signal ended it, as shells count.
    public let status: Int32
    /// All of standard output.
    public let standardOutput: String
    /// All of standard error.
    public let standardError: String

    /// Everything, for the message of a failed test.
    public var description: String {
        "status \(status)\n--- standard output\n\(standardOutput)\n--- standard error\n\(standardError)"
    }
}

/// A program that could not be started, did not end in time, or ended before what was waited for.
public struct ProgramError: Error, Sendable, CustomStringConvertible {
    /// What happened.
    public let description: String

    init(program: Program, what: String, transcript: String = "") {
        let command = ([program.path.string] + program.arguments).joined(separator: " ")
        description = "`\(command)`: \(what)\n\(transcript)"
    }
}
