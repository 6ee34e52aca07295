package import SusiBase
package import SystemPackage
package import Testing

/// A command to run, with arguments and environment.
package struct Program: Sendable {
    package var path: FilePath
    /// The arguments after the program's own name.
    package var arguments: [String]
    /// The complete environment; nothing is inherited.
    package var environment: [String: String]
    package var workingFolder: FilePath?
    package var input: Input
    /// The time after which it is killed, so that a broken test ends.
    package var limit: Duration

    package enum Input: Sendable {
        case none
        /// This text, then the end.
        case text(String)
        /// Text that the test writes while the program runs.
        case open
    }

    package init(
        _ path: FilePath, _ arguments: [String], environment: [String: String] = [:], workingFolder: FilePath? = nil,
        input: Input = .none, limit: Duration = .seconds(120)
    ) {
        self.path = path
        self.arguments = arguments
        self.environment = environment
        self.workingFolder = workingFolder
        self.input = input
        self.limit = limit
    }

    /// A command that ends when no process holds the lock of a file (flock); it fails after ten seconds.
    package static func waitingForLock(on file: FilePath) -> Program {
        Program(
            "/usr/bin/env", ["flock", "--timeout", "10", file.string, "true"],
            environment: ["PATH": TestEnvironment.path])
    }

    /// Returns the command under a pseudo-terminal of that size; both streams arrive as one text with lines ended by CR LF.
    /// A shell runs `first` in the terminal before it, and `then` after it.
    package func inTerminal(
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

    /// The path and the arguments.
    var line: String { ([path.string] + arguments).joined(separator: " ") }

    /// Returns a quoted word for a POSIX shell.
    static func quoted(_ word: String) -> String {
        "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}

/// The exit status and the output of a program.
package struct ProgramOutcome: Sendable, CustomStringConvertible {
    /// The path and the arguments, for the message of a failure.
    let command: String
    /// The exit status, or 128 plus the signal's number if a signal ended it, as in shells.
    package let status: Int32
    package let signal: Int32?
    package let standardOutput: String
    package let standardError: String

    package var description: String {
        "status \(status)\n--- standard output\n\(standardOutput)\n--- standard error\n\(standardError)"
    }

    package func json() throws -> JSONNode { try JSONNode(parsing: standardOutput.utf8) }

    /// Expects an exit status; the whole standard output and standard error; texts on standard error and on standard output; and
    /// texts that are on neither. The message of a failure has the command and its output.
    @discardableResult
    package func exits(
        _ status: Int32, output: String? = nil, error: String? = nil, saying errors: String...,
        printing texts: String...,
        hiding hidden: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) -> ProgramOutcome {
        let message = Comment(rawValue: "\(command)\n\(self)")
        #expect(self.status == status, message, sourceLocation: sourceLocation)
        if let output { #expect(standardOutput == output, message, sourceLocation: sourceLocation) }
        if let error { #expect(standardError == error, message, sourceLocation: sourceLocation) }
        for text in errors { #expect(standardError.contains(text), message, sourceLocation: sourceLocation) }
        for text in texts { #expect(standardOutput.contains(text), message, sourceLocation: sourceLocation) }
        for text in hidden {
            let isShown = standardOutput.contains(text) || standardError.contains(text)
            #expect(!isShown, "“\(text)” is shown\n\(message)", sourceLocation: sourceLocation)
        }
        return self
    }
}

/// A program that did not start, did not end in time, or ended before the awaited text.
package struct ProgramError: Error, Sendable, CustomStringConvertible {
    package let description: String

    init(program: Program, what: String, transcript: String = "") {
        description = "`\(program.line)`: \(what)\n\(transcript)"
    }
}
