import Susi
import SystemPackage

/// Where an answer goes: to a file, to a pipe as it is, to a person in a readable form.
actor BodySink {
    private let console: Console
    private let spinner: Spinner?
    private let path: String?
    private var file: FileDescriptor?
    private var progress: ProgressLine?
    private let includesHead: Bool
    private var readable: [UInt8] = []
    private static let longestReadable = 1 << 20

    init(console: Console, spinner: Spinner?, file: String?, includesHead: Bool) throws {
        self.console = console
        self.spinner = spinner
        self.includesHead = includesHead
        path = file
        if let file, SmallFile.exists(file) {
            throw UsageError("“\(file)” cannot be written", why: "it exists", next: "name a new file with -o")
        }
    }

    func take(_ head: APICall.Head, _ piece: [UInt8]?) throws {
        guard let piece else {
            spinner?.stop()
            // Made when an answer is there, so that a call that failed leaves nothing behind.
            file = try path.map(Self.make)
            show(head)
            if file != nil, console.errMoves { progress = ProgressLine(total: head.contentLength) }
            return
        }
        if let file {
            try file.writeAll(piece)
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
        try file?.close()
        guard path == nil, console.outIsTerminal, !readable.isEmpty else { return }
        if let node = try? JSONNode(parsing: readable) { console.out(PrettyJSON.text(node)) } else { show(readable) }
        readable = []
    }

    /// A part of an answer is no answer: the file goes.
    func discard() {
        wipeProgress()
        flush()
        guard let file, let path else { return }
        try? file.close()
        SmallFile.remove(path)
    }

    private static func make(_ path: String) throws -> FileDescriptor {
        try FileDescriptor.open(
            FilePath(path), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
            permissions: .ownerReadWrite)
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
        } else if console.outIsTerminal || head.status >= 400 {
            console.err(head.status < 400 ? console.errStyle.good(status) : console.errStyle.bad(status))
        }
        if head.status == 401 || head.status == 403, let challenge = head.header("WWW-Authenticate") {
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
