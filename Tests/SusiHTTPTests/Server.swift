import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1
import SusiTestSupport

struct Asked: Sendable {
    let method: String
    let target: String
    let headers: HTTPHeaders
    let body: String
}

enum Reply: Sendable {
    case response(status: Int, headers: [(String, String)] = [], body: String = "")
    /// The head, then one byte at a time, then the end or silence.
    case drip(bytes: Int, every: TimeAmount, ends: Bool = true)
    case silence

    static func redirect(_ location: String, status: Int = 302, headers: [(String, String)] = []) -> Reply {
        .response(status: status, headers: [("Location", location)] + headers)
    }
}

/// A small HTTP server on a free loopback port, which remembers every connection and request.
final class Server: Sendable {
    let port: Int
    private let memory: Memory

    fileprivate struct Memory: Sendable {
        let connections = NIOLockedValueBox(0)
        let asked = NIOLockedValueBox<[Asked]>([])
    }

    var origin: String { "http://127.0.0.1:\(port)" }
    var asked: [Asked] { memory.asked.withLockedValue { $0 } }
    var connections: Int { memory.connections.withLockedValue { $0 } }

    private init(port: Int, memory: Memory) { (self.port, self.memory) = (port, memory) }

    static func with<T>(
        _ reply: @escaping @Sendable (Asked) -> Reply, _ body: (Server) async throws -> T
    ) async throws -> T {
        let memory = Memory()
        return try await withListener { channel in
            memory.connections.withLockedValue { $0 += 1 }
            try channel.pipeline.syncOperations.configureHTTPServerPipeline()
            try channel.pipeline.syncOperations.addHandler(Handler(memory: memory, reply: reply))
        } _: { port in
            try await body(Server(port: port, memory: memory))
        }
    }

    /// Serves with the same reply to every request.
    static func with<T>(_ reply: Reply, _ body: (Server) async throws -> T) async throws -> T {
        try await with({ _ in reply }, body)
    }

    /// Serves with replies that name the server's own origin.
    static func serving<T>(
        _ reply: @escaping @Sendable (Asked, String) -> Reply, _ body: (Server) async throws -> T
    ) async throws -> T {
        try await with({ asked in reply(asked, "http://\(asked.headers.first(name: "Host") ?? "")") }, body)
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart
        private let memory: Memory
        private let reply: @Sendable (Asked) -> Reply
        private var head: HTTPRequestHead?
        private var body = ""

        init(memory: Memory, reply: @escaping @Sendable (Asked) -> Reply) {
            (self.memory, self.reply) = (memory, reply)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head): (self.head, body) = (head, "")
            case .body(let buffer): body += String(buffer: buffer)
            case .end: respond(context)
            }
        }

        private func respond(_ context: ChannelHandlerContext) {
            guard let head else { return }
            let asked = Asked(method: head.method.rawValue, target: head.uri, headers: head.headers, body: body)
            memory.asked.withLockedValue { $0.append(asked) }
            switch reply(asked) {
            case .response(let status, let fields, let text): send(text, status, fields, after: head, context)
            case .drip(let bytes, let pause, let ends):
                let head = HTTPResponseHead(version: .http1_1, status: .ok)
                context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
                drip(bytes, pause, ends, context)
            case .silence: break
            }
        }

        private func drip(_ left: Int, _ pause: TimeAmount, _ ends: Bool, _ context: ChannelHandlerContext) {
            guard left > 0 else {
                if ends { context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil) }
                return
            }
            context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: "x")))), promise: nil)
            context.eventLoop.assumeIsolated().scheduleTask(in: pause) { self.drip(left - 1, pause, ends, context) }
        }

        private func send(
            _ text: String, _ status: Int, _ fields: [(String, String)], after head: HTTPRequestHead,
            _ context: ChannelHandlerContext
        ) {
            var headers = HTTPHeaders(fields)
            headers.add(name: "Content-Length", value: "\(text.utf8.count)")
            let response = HTTPResponseHead(
                version: .http1_1, status: HTTPResponseStatus(statusCode: status), headers: headers)
            context.write(wrapOutboundOut(.head(response)), promise: nil)
            if head.method != .HEAD {
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: text)))), promise: nil)
            }
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}

final class Trace: Sendable {
    private let box = NIOLockedValueBox<[String]>([])
    var lines: [String] { box.withLockedValue { $0 } }
    func add(_ line: String) { box.withLockedValue { $0.append(line) } }
}
