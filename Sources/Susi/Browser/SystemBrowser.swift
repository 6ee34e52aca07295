import Subprocess
import SusiBase
import SystemPackage

/// A browser that is a program of the machine.
public struct SystemBrowser: Browser {
    /// Command lines in the order in which they are tried. `%u` is replaced by the address; without it, the address is
    /// appended.
    package let commands: [[String]]
    /// Whether nobody can open the printed address instead, as in a CI job. By default, a person can.
    public package(set) var isOnlyWay = false

    /// Whether the first command is a browser for terminals. Such browsers are used only if the user names one.
    var isTextBrowser: Bool { commands.first.map(Self.isTextBrowser) ?? false }

    private static let textBrowsers: Set<String> = ["w3m", "lynx", "links", "links2", "elinks", "www-browser"]

    private static func isTextBrowser(_ command: [String]) -> Bool {
        guard let program = command.first, let name = FilePath(program).lastComponent else { return false }
        return textBrowsers.contains(name.string)
    }

    /// Makes a browser of command lines that are already split into words; no shell is involved. By default it is the
    /// user's own browser.
    public init(commands: [[String]]? = nil) {
        #if os(macOS)
            self.commands = commands ?? [["open"]]
        #else
            self.commands = commands ?? [["xdg-open"]]
        #endif
    }

    /// Starts the first command that can be started and waits for it to end; most browsers pass the address to a
    /// running one and end at once.
    public func open(_ url: String) async throws(SusiError) {
        var reasons: [String] = []
        for command in commands {
            guard let program = command.first else { continue }
            // %u as in desktop entries, %s as in $BROWSER.
            var arguments = command.dropFirst().map { $0.replacing("%u", with: url).replacing("%s", with: url) }
            if !command.contains(where: { $0.contains("%u") || $0.contains("%s") }) { arguments.append(url) }
            do {
                let isOnTerminal = Self.isTextBrowser(command)
                let messages = isOnlyWay ? try? BrowserMessages() : nil
                let result =
                    try await isOnTerminal ? runOnTerminal(program, arguments) : run(program, arguments, messages)
                if result.isSuccess { return }
                reasons.append("\(program) \(Self.end(result))\(messages?.lastLines.map { ": \($0)" } ?? "")")
            } catch {
                reasons.append("\(program) cannot be started")
            }
        }
        throw SusiError(
            .failed, "no browser opened the page",
            why: reasons.isEmpty ? "no browser found" : reasons.joined(separator: "; "),
            next: isOnlyWay
                ? "fix the browser command; it gets the address of the page"
                : "open the page another way: SignInSurface takes a browser, and reports the address")
    }

    private func run(
        _ program: String, _ arguments: [String], _ messages: BrowserMessages?
    ) async throws -> TerminationStatus {
        var options = PlatformOptions()
        // A session of its own, so that Ctrl-C in the terminal stops this program and not the browser.
        options.createSession = true
        guard let messages else {
            return try await Subprocess.run(
                Executable(program: program), arguments: Arguments(arguments), platformOptions: options, input: .none,
                output: .discarded, error: .discarded
            ).terminationStatus
        }
        return try await Subprocess.run(
            Executable(program: program), arguments: Arguments(arguments), platformOptions: options, input: .none,
            output: .discarded, error: .fileDescriptor(messages.file, closeAfterSpawningProcess: false)
        ).terminationStatus
    }

    // Uses the terminal itself, because this program's own streams may be redirected.
    private func runOnTerminal(_ program: String, _ arguments: [String]) async throws -> TerminationStatus {
        let terminal = try FileDescriptor.open(FilePath("/dev/tty"), .readWrite, options: .closeOnExec)
        defer { try? terminal.close() }
        return try await Subprocess.run(
            Executable(program: program), arguments: Arguments(arguments),
            input: .fileDescriptor(terminal, closeAfterSpawningProcess: false),
            output: .fileDescriptor(terminal, closeAfterSpawningProcess: false),
            error: .fileDescriptor(terminal, closeAfterSpawningProcess: false)
        ).terminationStatus
    }

    private static func end(_ status: TerminationStatus) -> String {
        switch status {
        case .exited(let code): "exited with code \(code)"
        case .signaled(let signal): "was killed by signal \(signal)"
        }
    }
}

/// What a browser writes to standard error.
///
/// A file without a name: a browser that outlives this process would lose a pipe, and one that a script leaves behind would keep it
/// open.
private final class BrowserMessages {
    let file: FileDescriptor
    /// In bytes.
    private static let longest: Int64 = 1_000

    init() throws {
        let path = FilePath("/tmp/susi-\(RandomBytes.text(16))")
        file = try FileDescriptor.open(
            path, .readWrite, options: [.create, .exclusiveCreate, .append, .noFollow, .closeOnExec],
            permissions: .ownerReadWrite)
        SmallFile.remove(path.string)
    }

    deinit { try? file.close() }

    /// The last lines on one line; `nil` if there are none.
    var lastLines: String? {
        guard let end = try? file.seek(offset: 0, from: .end),
            (try? file.seek(offset: max(0, end - Self.longest), from: .start)) != nil,
            let bytes = SmallFile.read(descriptor: file.rawValue, limit: Int(Self.longest))
        else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            .map { $0.split(separator: " ").joined(separator: " ") }.filter { !$0.isEmpty }
        return lines.isEmpty ? nil : lines.joined(separator: " / ")
    }
}
