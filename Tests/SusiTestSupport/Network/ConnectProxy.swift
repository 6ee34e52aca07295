import NIOCore
import Synchronization

/// An HTTP proxy that connects every `CONNECT` (RFC 9110 section 9.3.6) to one port of this machine, for any host name.
package final class ConnectProxy: Sendable {
    package let port: Int
    private let log: Log

    private final class Log: Sendable { let heads = Mutex<[String]>([]) }

    /// The first lines of the requests so far, for instance `CONNECT api.contoso.example:443 HTTP/1.1`.
    package var requestLines: [String] {
        log.heads.withLock { heads in heads.map { String($0.prefix { !$0.isNewline }) } }
    }

    private init(port: Int, log: Log) { (self.port, self.log) = (port, log) }

    /// Runs a proxy while `body` runs. With `authorization`, requests without that `Proxy-Authorization` get status 407.
    package static func with<T>(
        leadingTo target: Int, authorization: String? = nil, _ body: (ConnectProxy) async throws -> T
    ) async throws -> T {
        let log = Log()
        return try await withConnections(
            { try await serve($0, target, authorization, log) },
            { try await body(ConnectProxy(port: $0, log: log)) })
    }

    private static func serve(
        _ client: NIOAsyncChannel<ByteBuffer, ByteBuffer>, _ target: Int, _ authorization: String?, _ log: Log
    ) async throws {
        try await client.executeThenClose { fromClient, toClient in
            var head: [UInt8] = []
            var arriving = fromClient.makeAsyncIterator()
            while httpHead(head) == nil, let piece = try await arriving.next() { head += piece.readableBytesView }
            let text = httpHead(head) ?? ""
            log.heads.withLock { $0.append(text) }
            if let authorization, !text.lowercased().contains("proxy-authorization: \(authorization.lowercased())") {
                try await toClient.write(ByteBuffer(string: "HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n"))
                return
            }
            try await pass(
                nil,
                &arriving, toClient, greeting: "HTTP/1.1 200 Connection established\r\n\r\n", to: target)
        }
    }
}
