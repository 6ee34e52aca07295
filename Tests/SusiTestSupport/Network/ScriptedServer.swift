import NIOCore
import Synchronization

/// A server on 127.0.0.1 whose responses a test defines byte by byte: one request on each connection.
package final class ScriptedServer: Sendable {
    package let port: Int
    package var origin: String { "http://127.0.0.1:\(port)" }
    private let log: Log

    package var requests: [Request] { log.requests }

    package struct Request: Sendable {
        /// The request line and the header lines.
        package let head: String
        package let body: String

        package func header(_ name: String) -> String? {
            let lines = head.split(whereSeparator: \.isNewline).dropFirst()
            let line = lines.first { $0.lowercased().hasPrefix("\(name.lowercased()):") }
            return line.map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
        }
    }

    /// A response; the connection closes after it.
    package struct Response: Sendable {
        let bytes: String

        /// Returns a response of exactly these bytes.
        package static func raw(_ bytes: String) -> Response { Response(bytes: bytes) }

        package static func ok(_ text: String) -> Response { .status("200 OK", text) }

        package static func status(_ status: String, _ text: String, headers: [String] = []) -> Response {
            let lines = ["HTTP/1.1 \(status)"] + headers + ["Content-Length: \(text.utf8.count)", "Connection: close"]
            return .raw(lines.joined(separator: "\r\n") + "\r\n\r\n" + text)
        }
    }

    final class Log: Sendable {
        private let store = Mutex<[Request]>([])
        var requests: [Request] { store.withLock { $0 } }
        func append(_ request: Request) { store.withLock { $0.append(request) } }
    }

    private init(port: Int, log: Log) { (self.port, self.log) = (port, log) }

    package static func with<T>(
        _ response: @escaping @Sendable (Request) -> Response, _ body: (ScriptedServer) async throws -> T
    ) async throws -> T {
        let log = Log()
        return try await withConnections(
            { try await serve($0, log, response) }, { try await body(ScriptedServer(port: $0, log: log)) })
    }

    static func serve(
        _ client: NIOAsyncChannel<ByteBuffer, ByteBuffer>, _ log: Log,
        _ response: @escaping @Sendable (Request) -> Response
    ) async throws {
        try await client.executeThenClose { arriving, leaving in
            var bytes: [UInt8] = []
            for try await piece in arriving {
                bytes += piece.readableBytesView
                guard let head = httpHead(bytes) else { continue }
                let length = Request(head: head, body: "").header("Content-Length").flatMap { Int($0) } ?? 0
                let body = bytes.dropFirst(head.utf8.count + 4)
                guard body.count >= length else { continue }
                let request = Request(head: head, body: String(decoding: body, as: UTF8.self))
                log.append(request)
                try await leaving.write(ByteBuffer(string: response(request).bytes))
                return
            }
        }
    }
}
