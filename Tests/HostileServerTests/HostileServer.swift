import NIOCore
import SusiTestSupport
import Synchronization

struct Asked: Sendable {
    let method: String
    let target: String
    let body: String
    let authorization: String?

    var path: String { String(target.prefix { $0 != "?" }) }
    var query: String { String(target.dropFirst(path.count + 1)) }
}

enum Reply: Sendable {
    case response(status: Int = 200, headers: [(String, String)] = [], body: [UInt8] = [])
    /// These bytes; then the connection closes.
    case bytes([UInt8])
    /// These bytes, then the same piece again and again, with a pause of so many milliseconds between.
    case endless(start: String, piece: [UInt8], pause: Int64)
    case silence

    static func text(
        _ text: String, status: Int = 200, type: String = "application/json", _ headers: (String, String)...
    ) -> Reply {
        .response(status: status, headers: [("Content-Type", type)] + headers, body: Array(text.utf8))
    }

    static func bytes(_ text: String) -> Reply { .bytes(Array(text.utf8)) }

    static let chunkedHead =
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"

    static func chunk(_ bytes: [UInt8]) -> [UInt8] {
        Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)
    }
}

/// A server on a free loopback port that sends arbitrary bytes and records its requests.
final class HostileServer: Sendable {
    private let memory: Memory
    let port: Int

    var origin: String { "http://127.0.0.1:\(port)" }
    var asked: [Asked] { memory.asked.withLock { $0 } }
    var connections: Int { memory.connections.withLock { $0 } }

    final class Memory: Sendable {
        let connections = Mutex(0)
        let asked = Mutex<[Asked]>([])
        let reply = Mutex<@Sendable (Asked) -> Reply>({ _ in .silence })
    }

    private init(port: Int, memory: Memory) { (self.port, self.memory) = (port, memory) }

    /// Sets the reply to all further requests.
    func setReply(_ reply: @escaping @Sendable (Asked) -> Reply) { memory.reply.withLock { $0 = reply } }

    static func with<T>(_ body: (HostileServer) async throws -> T) async throws -> T {
        let memory = Memory()
        return try await withListener { channel in
            memory.connections.withLock { $0 += 1 }
            try channel.pipeline.syncOperations.addHandler(Handler(memory))
        } _: { port in
            try await body(HostileServer(port: port, memory: memory))
        }
    }

    private final class Handler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let memory: Memory
        private var text = ""

        init(_ memory: Memory) { self.memory = memory }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            text += String(buffer: unwrapInboundIn(data))
            guard let asked = Self.request(text) else { return }
            text = ""
            memory.asked.withLock { $0.append(asked) }
            let reply = memory.reply.withLock { $0 }
            Self.send(reply(asked), on: context.channel)
        }

        // One request for each connection: the head and a body of the length in the head.
        private static func request(_ text: String) -> Asked? {
            guard let end = text.firstRange(of: "\r\n\r\n") else { return nil }
            let lines = text[..<end.lowerBound].split(separator: "\r\n")
            let length = lines.first { $0.lowercased().hasPrefix("content-length:") }
                .flatMap { Int($0.drop { $0 != ":" }.dropFirst().filter(\.isNumber)) }
            let body = text[end.upperBound...]
            guard body.utf8.count >= length ?? 0 else { return nil }
            let words = lines.first?.split(separator: " ").map(String.init) ?? []
            let authorization = lines.first { $0.lowercased().hasPrefix("authorization: ") }
                .map { String($0.dropFirst("authorization: ".count)) }
            return Asked(
                method: words.first ?? "", target: words.dropFirst().first ?? "", body: String(body),
                authorization: authorization)
        }

        private static func send(_ reply: Reply, on channel: any Channel) {
            switch reply {
            case .silence: break
            case .bytes(let bytes): end(bytes, on: channel)
            case .response(let status, let headers, let body):
                let fields = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
                let head = "HTTP/1.1 \(status) X\r\n\(fields)Content-Length: \(body.count)\r\nConnection: close\r\n\r\n"
                end(Array(head.utf8) + body, on: channel)
            case .endless(let start, let piece, let pause):
                channel.writeAndFlush(ByteBuffer(string: start), promise: nil)
                pump(ByteBuffer(bytes: piece), pause, on: channel)
            }
        }

        private static func end(_ bytes: [UInt8], on channel: any Channel) {
            channel.writeAndFlush(ByteBuffer(bytes: bytes)).whenComplete { _ in channel.close(promise: nil) }
        }

        // Ends when the client closes the connection.
        private static func pump(_ piece: ByteBuffer, _ pause: Int64, on channel: any Channel) {
            channel.writeAndFlush(piece).whenSuccess {
                channel.eventLoop.scheduleTask(in: .milliseconds(pause)) { pump(piece, pause, on: channel) }
            }
        }
    }
}
