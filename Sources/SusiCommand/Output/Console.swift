// The rules of output:
// - results go to standard output, everything else to standard error;
// - each stream decides for itself whether it is a terminal, and only a terminal gets colors and is folded to its width;
// - no text of a server or a token reaches a terminal with control characters in it;
// - a reader that goes away changes no exit code: the rest of the results is dropped.
import Susi
import Synchronization
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Writes to the two streams.
struct Console: Sendable {
    /// The process's streams, with colors where they are wanted.
    static let standard = Console(
        outStyle: style(of: 1), errStyle: style(of: 2), outIsTerminal: isatty(1) == 1, errIsTerminal: isatty(2) == 1,
        errMoves: isatty(2) == 1 && ProcessEnvironment.process["TERM"] != "dumb")

    /// The style of standard output.
    let outStyle: Style
    /// The style of standard error.
    let errStyle: Style
    /// Whether a person reads standard output.
    let outIsTerminal: Bool
    /// Whether a person reads standard error.
    let errIsTerminal: Bool
    /// Whether standard error is a terminal that can redraw a line.
    let errMoves: Bool

    private static func style(of stream: Int32) -> Style {
        Style(
            isColored: mayColor(stream), width: TerminalSize(of: stream)?.columns,
            home: ProcessEnvironment.process["HOME"])
    }

    private static func mayColor(_ stream: Int32) -> Bool {
        let surroundings = ProcessEnvironment.process
        return isatty(stream) == 1 && surroundings["NO_COLOR"] == nil && surroundings["TERM"] != "dumb"
            && !Program.ownWords().contains("--no-color")
    }

    /// Writes a line of a result.
    func out(_ line: String) { send(line + "\n", to: .output) }

    /// Writes bytes of a result as they are.
    func out(bytes: [UInt8]) { Self.send(bytes, to: .output) }

    /// Writes a line for the person.
    func err(_ line: String) { send(line + "\n", to: .error) }

    /// Writes without ending the line: a question, a spinner.
    func ask(_ text: String) { send(text, to: .error) }

    /// Says what to type next.
    func advise(_ command: String) {
        err(errStyle.next(command))
    }

    /// Says what happened, why, and what to type.
    func report(_ error: SusiError) {
        for line in error.lines(errStyle) { err(line) }
    }

    /// Whether the reader of standard output has closed the pipe; further results are dropped.
    var hasNoReader: Bool { Self.readerHasGone.load(ordering: .relaxed) }

    private static let readerHasGone = Atomic(false)

    private func send(_ text: String, to stream: StandardStream) { Self.send(Array(text.utf8), to: stream) }

    private static func send(_ bytes: [UInt8], to stream: StandardStream) {
        if stream == .output, readerHasGone.load(ordering: .relaxed) { return }
        // If messages cannot be written, the exit code still reports the result.
        guard let reason = stream.write(bytes), stream == .output else { return }
        // The command continues: its exit code is its result.
        if reason == .brokenPipe { return readerHasGone.store(true, ordering: .relaxed) }
        let error = SusiError(
            .failed, "the result cannot be written", why: reason.inWords, next: "check where standard output goes")
        Program.exit(Program.report(error, of: Array(CommandLine.arguments.dropFirst())))
    }
}

/// How a stream shows a result: with colors or without, in how many columns.
struct Style: Sendable {
    let isColored: Bool
    /// The width of the terminal; `nil` without one, when nothing is shortened or folded.
    var width: Int?
    /// The user's home folder.
    var home: String?

    /// What ends a color.
    static let end = "\u{1b}[0m"

    /// A path for a person: on a terminal `~` stands for the home folder.
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
