import ArgumentParser
import Susi
import SystemPackage

/// `susi call`.
struct CallCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "call", abstract: "Call an API of policies.json as the current account.",
        discussion: """
            susi call hello
            susi call POST hello -d '{"text":"good morning"}'
            susi call hello /greetings?lang=en -a ben@contoso.example -i
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var policy: PolicyOption
    @OptionGroup var account: AccountOption

    @Argument(help: ArgumentHelp("[METHOD] API [PATH]; the path is below the API's base.", valueName: "call"))
    var words: [String]

    @Option(name: [.customShort("d"), .customLong("data")], help: "The body: text, @FILE, or @- for standard input.")
    var data: String?

    @Option(name: [.customShort("H"), .customLong("header")], help: "A header “Name: value”; may be repeated.")
    var headers: [String] = []

    @Flag(name: [.customShort("i"), .customLong("include")], help: "Print the answer's head too.")
    var includesHead = false

    @Option(
        name: [.customShort("o"), .customLong("output")], help: "Write the body to this file, which must not exist.")
    var output: String?

    private static let longestBody = 64 << 20
    private static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

    func run() async throws {
        let context = try Context(global)
        let sink = try BodySink(console: context.console, file: output, includesHead: includesHead)
        let head = try await context.client.call(
            try request(), of: AccountSelection(policy: policy.name, text: account.chosen),
            receive: { try await sink.take($0, $1) })
        try await sink.finish()
        if head.status >= 400 { throw CommandEnded(code: .api) }
    }

    private func request() throws -> CallRequest {
        var rest = words[...]
        var method = data == nil ? "GET" : "POST"
        if let first = rest.first, Self.methods.contains(first.uppercased()), rest.count > 1 {
            method = first.uppercased()
            rest = rest.dropFirst()
        }
        guard let api = rest.popFirst(), rest.count <= 1 else {
            throw UsageError(
                "“\(words.joined(separator: " "))” is no call", why: "expected [METHOD] API [PATH]",
                next: "susi help call")
        }
        let body = try data.map(Self.body)
        return CallRequest(
            api: api, path: rest.first ?? "", method: method, headers: try parsedHeaders(body), body: body)
    }

    private func parsedHeaders(_ body: [UInt8]?) throws -> [(name: String, value: String)] {
        var parsed = try headers.map { text in
            let parts = text.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, !parts[0].isEmpty, parts[0].allSatisfy({ $0.isASCII && $0 != " " }) else {
                throw UsageError("“\(text)” is no header", why: "expected “Name: value”", next: "susi help call")
            }
            guard parts[0].lowercased() != "authorization" else {
                throw UsageError("The header Authorization is set by susi", next: "leave it out")
            }
            guard parts[1].utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else {
                throw UsageError("The header \(parts[0]) has a control character in it", next: "susi help call")
            }
            return (name: String(parts[0]), value: String(parts[1].drop { $0 == " " }))
        }
        if let body, !parsed.contains(where: { $0.name.lowercased() == "content-type" }) {
            let isJSON = (try? JSONNode(parsing: body)) != nil
            parsed.append((name: "Content-Type", value: isJSON ? "application/json" : "text/plain; charset=utf-8"))
        }
        return parsed
    }

    private static func body(_ text: String) throws -> [UInt8] {
        guard text.hasPrefix("@") else { return Array(text.utf8) }
        let path = text.dropFirst() == "-" ? "/dev/stdin" : String(text.dropFirst())
        guard let body = SmallFile.read(path, limit: longestBody) else {
            throw UsageError("The body cannot be read from \(path)", next: "check the file's name")
        }
        guard body.count <= longestBody else {
            throw UsageError("The body is larger than \(longestBody) bytes", next: "send less at once")
        }
        return body
    }
}

/// Where an answer goes: to a file, to a pipe as it is, to a person in a readable form.
actor BodySink {
    private let console: Console
    private let path: String?
    private var file: FileDescriptor?
    private let includesHead: Bool
    private var readable: [UInt8] = []
    private static let longestReadable = 1 << 20

    init(console: Console, file: String?, includesHead: Bool) throws {
        self.console = console
        self.includesHead = includesHead
        path = file
        if let file, SmallFile.exists(file) {
            throw UsageError("“\(file)” cannot be written", why: "it exists", next: "name a new file with -o")
        }
    }

    func take(_ head: APICall.Head, _ piece: [UInt8]?) throws {
        guard let piece else {
            // Made when an answer is there, so that a call that failed leaves nothing behind.
            file = try path.map {
                try FileDescriptor.open(
                    FilePath($0), .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec],
                    permissions: .ownerReadWrite)
            }
            return show(head)
        }
        if let file {
            try file.writeAll(piece)
        } else if console.outIsTerminal, readable.count + piece.count <= Self.longestReadable {
            readable += piece
        } else {
            flush()
            show(piece)
        }
    }

    func finish() throws {
        try file?.close()
        guard path == nil, console.outIsTerminal, !readable.isEmpty else { return }
        if let node = try? JSONNode(parsing: readable) { console.out(PrettyJSON.text(node)) } else { show(readable) }
        readable = []
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
