import Susi
// Rules of output:
// - Results go to standard output, everything else to standard error.
// - Each stream is checked on its own: only a terminal gets colors and folded lines.
// - No control character from a server or a token reaches a terminal.
// - A closed pipe changes no exit code: the rest of the results is dropped.
import SusiBase
import SusiStartup
import Synchronization
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Standard output and standard error.
struct Console: Sendable {
    /// The streams of the running command.
    @TaskLocal static var standard = Console(
        outStyle: style(of: 1), errStyle: style(of: 2), outIsTerminal: isatty(1) == 1, errIsTerminal: isatty(2) == 1,
        errMoves: isatty(2) == 1 && ProcessEnvironment.process["TERM"] != "dumb")

    var outStyle = Style(isColored: false)
    var errStyle = Style(isColored: false)
    var outIsTerminal = false
    var errIsTerminal = false
    /// Whether standard error is a terminal that supports redrawing a line.
    var errMoves = false
    /// Writes to a stream, or keeps what a recorded command writes. Returns the error that stopped it.
    var write: @Sendable ([UInt8], StandardStream) -> Errno? = { $1.write($0) }

    private static func style(of stream: Int32) -> Style {
        Style(
            isColored: mayColor(stream), width: TerminalSize(of: stream)?.columns,
            home: ProcessEnvironment.process["HOME"])
    }

    private static func mayColor(_ stream: Int32) -> Bool {
        let environment = ProcessEnvironment.process
        return isatty(stream) == 1 && environment["NO_COLOR"] == nil && environment["TERM"] != "dumb"
            && !Program.ownWords(Array(CommandLine.arguments.dropFirst())).contains("--no-color")
    }

    /// Writes a line of a result to standard output.
    func out(_ line: String) { send(line + "\n", to: .output) }

    /// Writes bytes of a result to standard output, unchanged.
    func out(bytes: [UInt8]) { send(bytes, to: .output) }

    /// Writes a message line to standard error.
    func err(_ line: String) { send(line + "\n", to: .error) }

    /// Writes to standard error without a line break: a prompt, a spinner.
    func ask(_ text: String) { send(text, to: .error) }

    func advise(_ command: String) {
        err(errStyle.next(command))
    }

    /// Prints an error: what failed, why, and what to do next.
    func report(_ error: SusiError) {
        for line in error.lines(errStyle) { err(line) }
    }

    /// Whether both streams are one file or pipe, as in the log of a job.
    var isOneLog: Bool {
        guard !outIsTerminal, let output = SmallFile.status(descriptor: 1) else { return false }
        return output.identity == SmallFile.status(descriptor: 2)?.identity
    }

    /// Whether standard output is a closed pipe; further results are dropped.
    var hasNoReader: Bool { Self.readerHasGone.load(ordering: .relaxed) }

    private static let readerHasGone = Atomic(false)

    private func send(_ text: String, to stream: StandardStream) { send(Array(text.utf8), to: stream) }

    private func send(_ bytes: [UInt8], to stream: StandardStream) {
        if stream == .output, hasNoReader { return }
        // If messages cannot be written, the exit code still reports the result.
        guard let reason = write(bytes, stream), stream == .output else { return }
        // A closed pipe does not end the command: its exit code still reports the result.
        if reason == .brokenPipe { return Self.readerHasGone.store(true, ordering: .relaxed) }
        let error = SusiError(
            .failed, "the result cannot be written", why: FileFailure.reason(reason),
            next: "check where standard output goes")
        Program.exit(Program.report(error, of: Array(CommandLine.arguments.dropFirst())))
    }
}

/// The style of a stream: colors and width.
struct Style: Sendable {
    let isColored: Bool
    /// The width of the terminal in columns. Without a terminal it is `nil`, and nothing is shortened or folded.
    var width: Int?
    var home: String?

    /// The escape sequence that ends a color.
    static let end = "\u{1b}[0m"

    /// Shortens a path for display: on a terminal, `~` replaces the home folder.
    func path(_ path: String) -> String {
        guard width != nil, let home, home.count > 1, path.hasPrefix("\(home)/") else { return path }
        return "~" + path.dropFirst(home.count)
    }

    func strong(_ text: String) -> String { wrap(text, "1") }
    func faint(_ text: String) -> String { wrap(text, "2") }
    func good(_ text: String) -> String { wrap(text, "32") }
    func warning(_ text: String) -> String { wrap(text, "33") }
    func bad(_ text: String) -> String { wrap(text, "31") }

    private func wrap(_ text: String, _ code: String) -> String {
        isColored ? "\u{1b}[\(code)m\(text)\(Self.end)" : text
    }
}
