import Susi
import SusiEmulator
import SusiTestSupport
import Synchronization
import SystemPackage

/// A session of commands with their output, as text for review.
///
/// Lines of standard error begin with `!`. Values that differ between runs are replaced; see ``normal(_:)``.
final class Recording: Sendable {
    private let lines = Mutex<[String]>([])
    private let names = Mutex<[(text: String, name: String)]>([])

    var text: String { lines.withLock { $0.joined(separator: "\n") + "\n" } }

    /// Replaces a home's paths with this name.
    func name(_ home: Home, as name: String) {
        names.withLock { $0 += [(home.workingFolder.string, "\(name)/project"), (home.folder.string, name)] }
    }

    /// Replaces an emulator's port with this one.
    func name(_ port: UInt16, as name: String) {
        names.withLock { $0.append(("localhost:\(port)", "localhost:\(name)")) }
    }

    func section(_ title: String) {
        lines.withLock { $0 += $0.isEmpty ? ["# \(title)"] : ["", "# \(title)"] }
    }

    /// Adds a command with its output. `shown` selects lines of the result.
    func add(_ command: String, _ outcome: ProgramOutcome, shown: (String) -> Bool = { _ in true }) {
        add(command, outcome.standardOutput, outcome.standardError, outcome.status, shown: shown)
    }

    /// Adds a command with its output on both streams and its exit code.
    func add(
        _ command: String, _ output: String, _ error: String, _ status: Int32, shown: (String) -> Bool = { _ in true }
    ) {
        var added = ["", "$ \(normal(command))"]
        added += (Self.split(normal(output)) + Self.split(normal(error)).map { "! \($0)" }).filter(shown)
        if status != 0 { added.append("(exit \(status))") }
        lines.withLock { $0 += added.map { String($0.reversed().drop { $0 == " " }.reversed()) } }
    }

    /// Adds a page of the client: its heading, its text and its command.
    func add(page html: String) {
        let body = html.firstMatch(of: #/<h1>(?s:(.*))<\/main>/#).map { String($0.1) } ?? ""
        let text = body.replacing(#/<[^>]+>/#, with: "\n").replacing("&amp;", with: "&").replacing("&#39;", with: "'")
        lines.withLock { $0 += Self.split(normal(text)).filter { !$0.isEmpty }.map { "  [page] \($0)" } }
    }

    private static func split(_ text: String) -> [String] {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if lines.last == "" { lines.removeLast() }
        return lines
    }

    /// Replaces the values that differ between runs.
    func normal(_ text: String) -> String {
        var text = text.replacing("\r\n", with: "\n").replacing(#/\u{1b}\[[0-9;?]*[A-Za-z]/#, with: "")
        for (own, name) in names.withLock({ $0 }) { text = text.replacing(own, with: name) }
        return
            text
            // Ports that the system chose, and random addresses.
            .replacing(#/localhost:\d{5}/#, with: "localhost:PORT")
            .replacing(#/policies-\d{5}\.json/#, with: "policies-PORT.json")
            .replacing(#/ -L \d+:/#, with: " -L PORT:").replacing(#/\bport \d{5}\b/#, with: "port PORT")
            .replacing(#//go/[a-z2-9]{8}/#, with: "/go/abcdefgh")
            .replacing(#/authorize\?\S+/#, with: "authorize?…")
            .replacing(#/[A-Z]{4}-[A-Z]{4}/#, with: "ABCD-EFGH")
            // Secrets, identifiers and checksums.
            .replacing(#/eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_.-]+/#, with: "TOKEN")
            .replacing(#/(?m)( (first|second|both) +)([\w-]{22}|[\w-]{43})$/#) { "\($0.1)RANDOM" }
            .replacing(#/( (nonce|kid|jti|sid|at_hash|c_hash) +)(?!first|second|both|\()\S+/#) { "\($0.1)RANDOM" }
            .replacing(#/correlation id: .*/#, with: "correlation id: ID, TIME")
            .replacing(#/susi emulator [0-9a-f]{8}\b/#, with: "susi emulator 12345678")
            .replacing(#/[^ (]*\/susi-demo-[^\/]+/#, with: "/demo")
            .replacing(#/\b[0-9a-f]{64}\b/#, with: "SHA256")
            .replacing(#/\b[0-9a-f]{12}…/#, with: "SHA256…")
            .replacing(#/\b([0-9A-F]{2}:){31}[0-9A-F]{2}\b/#, with: "SHA256")
            // Times: absolute ones, and durations since events of this session.
            .replacing(#/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/#, with: "TIME")
            .replacing(#/\b[12]\d{9}\b/#, with: "EPOCH")
            .replacing(#/\b\d+ s ago(\) *)?/#) { $0.1 == nil ? "0 s ago" : "0 s ago)  " }
            .replacing(#/\b(valid|access token) \d\d min\b/#) { "\($0.1) 60 min" }
            .replacing(#/\d+(\.\d)? (kB|KiB)/#, with: "SIZE")
    }
}

/// A program in one home that records its commands.
struct RecordedProgram: Sendable {
    let susi: SusiBinary
    let recording: Recording

    /// Runs a command without a terminal.
    @discardableResult
    func run(
        _ arguments: String..., environment: [String: String] = [:], input: String? = nil, note: String = "",
        shown: (String) -> Bool = { _ in true }
    ) async throws -> ProgramOutcome {
        let outcome = try await susi.command(
            arguments, environment: environment, input: input.map(SusiTestSupport.Program.Input.text) ?? .none
        ).run()
        recording.add(Self.line(arguments, environment, note), outcome, shown: shown)
        return outcome
    }

    /// Runs a command on a terminal of 80 columns and answers its questions.
    @discardableResult
    func ask(
        _ arguments: String..., answers: [(question: String, answer: String)], environment: [String: String] = [:]
    ) async throws -> ProgramOutcome {
        let plain = ["TERM": "dumb", "NO_COLOR": "1"]
        let command = try susi.command(arguments, environment: environment.merging(plain) { $1 })
            .inTerminal(columns: 80)
        let outcome = try await command.start { run in
            for (question, answer) in answers {
                try await run.type("\(answer)\n", at: question)
            }
            return try await run.waitUntilExit()
        }
        recording.add(Self.line(arguments, environment, "on a terminal"), outcome)
        return outcome
    }

    /// Runs a command that opens the browser, goes through the pages, and records the last one.
    @discardableResult
    func browse(
        _ arguments: String..., as person: LocalTenant.Person, typing more: [String: String] = [:],
        presses: [String] = [], environment: [String: String] = [:]
    ) async throws -> ProgramOutcome {
        let browser = try await BrowserCommand.capture(in: susi.home.folder)
        let answers = person.answers.merging(more) { $1 }
        let command = susi.command(arguments, environment: environment.merging(["BROWSER": browser.command]) { $1 })
        let (outcome, page) = try await command.start { run in
            let url = try await browser.nextArgument()
            let page = try await WebClient.with { web in
                try await FormVisitor(answers: answers, presses: presses, client: web).visit(url)
            }
            return (try await run.waitUntilExit(), page)
        }
        recording.add(Self.line(arguments, environment, ""), outcome)
        recording.add(page: page)
        return outcome
    }

    private static func line(_ arguments: [String], _ environment: [String: String], _ note: String) -> String {
        let variables = environment.filter { $0.key.hasPrefix("SUSI_") }.sorted { $0.key < $1.key }
            .map { "\($0.key)=\($0.value) " }.joined()
        return
            "\(variables)susi \(arguments.map(\.shellWord).joined(separator: " "))\(note.isEmpty ? "" : "    # \(note)")"
    }
}
