import Susi
import SusiBase

/// A writer for response bodies: unchanged to a file or pipe, formatted to a terminal.
actor BodySink {
    private let console: Console
    private var spinner: Spinner?
    private let file: OutputFile?
    private var progress: ProgressLine?
    private let includesHead: Bool
    private let printsStatus: Bool
    // The body of an error response; printed, not written to the file.
    private var errorBody: (head: APICall.Head, bytes: [UInt8])?
    private var buffered: [UInt8] = []
    private var endsLine = true
    private static let largestFormatted = 1 << 20
    private static let largestErrorBody = 64 << 10

    /// Opens the file, if there is one. With `printsStatus`, the status line is printed on standard error.
    init(console: Console, file: String?, includesHead: Bool, printsStatus: Bool) throws {
        self.console = console
        self.includesHead = includesHead
        self.printsStatus = printsStatus
        self.file = try file.map { try OutputFile($0) }
    }

    /// Keeps the spinner running until the response arrives.
    func show(after spinner: Spinner?) { self.spinner = spinner }

    /// Takes the head, then each piece of the body. Nothing more is fetched after the reader of standard output has gone; the
    /// status still counts.
    func take(_ head: APICall.Head, _ piece: [UInt8]?) throws -> APICall.Demand {
        if file == nil, console.hasNoReader { return .enough }
        guard let piece else {
            spinner?.stop()
            show(head)
            // The file is for a successful response, not for an error body.
            if head.status >= 400, file?.isAtomic ?? false { errorBody = (head, []) }
            if file != nil, errorBody == nil, console.errMoves { progress = ProgressLine(total: head.contentLength) }
            return .more
        }
        if let (head, bytes) = errorBody {
            errorBody = (head, bytes + piece.prefix(Self.largestErrorBody - bytes.count))
        } else if let file {
            try file.write(piece)
            if let line = progress?.advance(by: piece.count, now: ContinuousClock.now) { console.ask(line) }
        } else if console.outIsTerminal, buffered.count + piece.count <= Self.largestFormatted {
            buffered += piece
        } else {
            flush()
            show(piece)
        }
        return .more
    }

    func finish() throws {
        eraseProgress()
        if let (head, bytes) = errorBody {
            file?.discard()
            return printError(bytes, of: head)
        }
        try file?.keep()
        // Standard output gets the body unchanged, as from curl. In a log, the next message would follow on the same line.
        if !endsLine, console.isOneLog { console.err("") }
        guard file == nil, console.outIsTerminal, !buffered.isEmpty else { return }
        if let node = try? JSONNode(parsing: buffered) {
            console.out(console.outStyle.json(PrettyJSON.text(node)))
        } else {
            show(buffered)
        }
        buffered = []
    }

    func discard() {
        eraseProgress()
        flush()
        file?.discard()
    }

    // A message, and not the body that the caller asked for: it shows no token that the API repeats.
    private func printError(_ body: [UInt8], of head: APICall.Head) {
        guard !body.isEmpty else { return }
        let text = (try? JSONNode(parsing: body)).map { PrettyJSON.text($0) }
        let shown = text ?? Terminal.safe(String(decoding: body, as: UTF8.self), keepingLines: true)
        console.err(head.sent.hidden(in: shown))
    }

    private func eraseProgress() {
        if let line = progress?.wiped { console.ask(line) }
        progress = nil
    }

    private func show(_ head: APICall.Head) {
        var status: String { "\(head.status) \(Terminal.safe(head.reason))" }
        if includesHead {
            let isTerminal = console.outIsTerminal
            console.out("HTTP/1.1 \(status)")
            for header in head.headers {
                let line = "\(header.name): \(header.value)"
                console.out(isTerminal ? Terminal.safe(line) : line)
            }
            console.out("")
        } else if printsStatus, console.outIsTerminal || head.status >= 400 {
            console.err(head.status < 400 ? console.errStyle.good(status) : console.errStyle.bad(status))
        }
        if printsStatus, head.status == 401 || head.status == 403, let challenge = head.header("WWW-Authenticate") {
            console.err("  \(Terminal.safe(challenge))")
        }
    }

    private func flush() {
        if !buffered.isEmpty { show(buffered) }
        buffered = []
    }

    // Applies to long bodies too: no control character from a server reaches the terminal.
    private func show(_ bytes: [UInt8]) {
        if console.outIsTerminal {
            console.out(Terminal.safe(String(decoding: bytes, as: UTF8.self), keepingLines: true))
        } else {
            console.out(bytes: bytes)
            endsLine = bytes.last.map { $0 == UInt8(ascii: "\n") } ?? endsLine
        }
    }
}
