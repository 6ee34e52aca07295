import Susi

/// The destination of a response: a file, a pipe, or a terminal, where it is formatted.
actor BodySink {
    private let console: Console
    private var spinner: Spinner?
    private let file: OutputFile?
    private var progress: ProgressLine?
    private let includesHead: Bool
    private let saysStatus: Bool
    // The body of an error; it is not written to the file.
    private var complaint: [UInt8]?
    private var readable: [UInt8] = []
    private static let longestReadable = 1 << 20
    private static let longestComplaint = 64 << 10

    /// Opens the file, if one is named. With `saysStatus` the status is printed if it matters to the user.
    init(console: Console, file: String?, includesHead: Bool, saysStatus: Bool) throws {
        self.console = console
        self.includesHead = includesHead
        self.saysStatus = saysStatus
        self.file = try file.map { try OutputFile($0) }
    }

    /// Lets the spinner move until there is an answer.
    func show(after spinner: Spinner?) { self.spinner = spinner }

    /// The head of a response whose body was not read because the reader has closed the pipe.
    private(set) var unreadHead: APICall.Head?

    func take(_ head: APICall.Head, _ piece: [UInt8]?) throws {
        if file == nil, console.hasNoReader {
            unreadHead = head
            throw CancellationError()
        }
        guard let piece else {
            spinner?.stop()
            show(head)
            // An error response does not belong into the file.
            if head.status >= 400, file?.isWhole ?? false { complaint = [] }
            if file != nil, complaint == nil, console.errMoves { progress = ProgressLine(total: head.contentLength) }
            return
        }
        if let complaint {
            self.complaint = complaint + piece.prefix(Self.longestComplaint - complaint.count)
        } else if let file {
            try file.write(piece)
            if let line = progress?.advance(by: piece.count, now: ContinuousClock.now) { console.ask(line) }
        } else if console.outIsTerminal, readable.count + piece.count <= Self.longestReadable {
            readable += piece
        } else {
            flush()
            show(piece)
        }
    }

    func finish() throws {
        wipeProgress()
        if let complaint {
            file?.discard()
            return tell(complaint)
        }
        try file?.keep()
        guard file == nil, console.outIsTerminal, !readable.isEmpty else { return }
        if let node = try? JSONNode(parsing: readable) { console.out(PrettyJSON.text(node)) } else { show(readable) }
        readable = []
    }

    /// An incomplete response: the file is removed.
    func discard() {
        wipeProgress()
        flush()
        file?.discard()
    }

    private func tell(_ complaint: [UInt8]) {
        guard !complaint.isEmpty else { return }
        let text = (try? JSONNode(parsing: complaint)).map { PrettyJSON.text($0) }
        console.err(text ?? Terminal.safe(String(decoding: complaint, as: UTF8.self), keepingLines: true))
    }

    private func wipeProgress() {
        if let line = progress?.wiped { console.ask(line) }
        progress = nil
    }

    private func show(_ head: APICall.Head) {
        let status = "\(head.status) \(Terminal.safe(head.reason))"
        if includesHead {
            let isTerminal = console.outIsTerminal
            console.out("HTTP/1.1 \(status)")
            for header in head.headers {
                let line = "\(header.name): \(header.value)"
                console.out(isTerminal ? Terminal.safe(line) : line)
            }
            console.out("")
        } else if saysStatus, console.outIsTerminal || head.status >= 400 {
            console.err(head.status < 400 ? console.errStyle.good(status) : console.errStyle.bad(status))
        }
        if saysStatus, head.status == 401 || head.status == 403, let challenge = head.header("WWW-Authenticate") {
            console.err("  \(Terminal.safe(challenge))")
        }
    }

    private func flush() {
        if !readable.isEmpty { show(readable) }
        readable = []
    }

    // Also a long body: nothing that a server sent commands a terminal.
    private func show(_ bytes: [UInt8]) {
        if console.outIsTerminal {
            console.out(Terminal.safe(String(decoding: bytes, as: UTF8.self), keepingLines: true))
        } else {
            console.out(bytes: bytes)
        }
    }
}
