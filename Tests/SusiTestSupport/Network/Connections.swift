import NIOCore
import NIOPosix
import NIOSSL

/// Serves connections of bytes on a free loopback port while `body` runs, each with `serve` in a separate task. `tls` is
/// asked at each connection; `nil` is one without TLS.
func withConnections<T>(
    tls: @escaping @Sendable () -> NIOSSLContext? = { nil },
    _ serve: @escaping @Sendable (NIOAsyncChannel<ByteBuffer, ByteBuffer>) async throws -> Void,
    _ body: (_ port: Int) async throws -> T
) async throws -> T {
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .bind(host: "127.0.0.1", port: 0) { channel in
            channel.eventLoop.makeCompletedFuture {
                if let tls = tls() { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
                return try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            try await withThrowingDiscardingTaskGroup { connections in
                try await listener.executeThenClose { arriving in
                    // A broken connection does not fail the test.
                    for try await connection in arriving { connections.addTask { try? await serve(connection) } }
                }
            }
        }
        defer { group.cancelAll() }
        return try await body(listener.channel.localAddress?.port ?? 0)
    }
}

/// Passes bytes between a client and a new connection to a port of this machine until one of them ends. `first` was read
/// from the client before; `greeting` is sent to it after the connection.
func pass(
    _ first: ByteBuffer?, _ arriving: inout NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator,
    _ toClient: NIOAsyncChannelOutboundWriter<ByteBuffer>, greeting: String? = nil, to port: Int
) async throws {
    let server = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .connect(host: "127.0.0.1", port: port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
    try await server.executeThenClose { fromServer, toServer in
        // Nothing may fail before this line: a channel that is never executed ends the process.
        if let greeting { try await toClient.write(ByteBuffer(string: greeting)) }
        if let first { try await toServer.write(first) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for try await piece in fromServer { try await toClient.write(piece) } }
            while let piece = try await arriving.next() { try await toServer.write(piece) }
            group.cancelAll()
        }
    }
}

/// Returns the head of an HTTP message if it is complete.
func httpHead(_ bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.firstRange(of: "\r\n\r\n").map { String(text[..<$0.lowerBound]) }
}
