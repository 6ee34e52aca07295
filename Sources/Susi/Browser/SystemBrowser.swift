import Subprocess
import SusiBase
import SystemPackage

/// A browser that is a program of the machine.
public struct SystemBrowser: Browser {
    /// Command lines in the order in which they are tried. `%u` is replaced by the address; without it, the address is
    /// appended.
    package let commands: [[String]]
    /// Whether no person can open the printed address instead, as in a CI job. By default, a person can.
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
                let messages = try messages()
                defer { try? messages.close() }
                let result =
                    try await isOnTerminal ? runOnTerminal(program, arguments) : run(program, arguments, messages)
                if result.isSuccess { return }
                reasons.append("\(program) \(Self.end(result))\(isOnlyWay ? Self.end(of: messages) : "")")
            } catch {
                reasons.append("\(program) cannot be started")
            }
        }
        throw SusiError(
            .failed, isOnlyWay ? "the browser command failed" : "no browser opened the page",
            why: reasons.isEmpty ? "no browser found" : reasons.joined(separator: "; "),
            next: isOnlyWay
                ? "fix the command, which gets the address of the page"
                : "open the page another way: SignInSurface takes a browser, and reports the address")
    }

    private func run(
        _ program: String, _ arguments: [String], _ messages: FileDescriptor
    ) async throws -> TerminationStatus {
        var options = PlatformOptions()
        // A session of its own, so that Ctrl-C in the terminal stops this program and not the browser.
        options.createSession = true
        return try await Subprocess.run(
            Executable(program: program), arguments: Arguments(arguments), platformOptions: options, input: .none,
            output: .discarded, error: .fileDescriptor(messages, closeAfterSpawningProcess: false)
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

    // Opens a file for standard error. It has no name: a browser that outlives this process would lose a pipe, and a program that a
    // script leaves behind would keep it open.
    private func messages() throws -> FileDescriptor {
        guard isOnlyWay else {
            return try FileDescriptor.open(FilePath("/dev/null"), .writeOnly, options: .closeOnExec)
        }
        let path = "/tmp/susi-\(RandomBytes.text(16))"
        defer { SmallFile.remove(path) }
        return try FileDescriptor.open(
            FilePath(path), .readWrite, options: [.create, .exclusiveCreate, .append, .noFollow, .closeOnExec],
            permissions: .ownerReadWrite)
    }

    // Returns the last lines, at most 1,000 bytes, on one line.
    private static func end(of file: FileDescriptor) -> String {
        guard let size = try? file.seek(offset: 0, from: .end),
            (try? file.seek(offset: max(0, size - 1_000), from: .start)) != nil
        else { return "" }
        let text = String(decoding: SmallFile.read(descriptor: file.rawValue, limit: 1_000) ?? [], as: UTF8.self)
        let lines = text.split(whereSeparator: \.isNewline).map { $0.split(separator: " ").joined(separator: " ") }
        return lines.filter { !$0.isEmpty }.map { " / \($0)" }.joined()
    }
}
