import NIOCore
import NIOPosix
import NIOSSL

/// Serves connections of bytes on a free loopback port while `body` runs, each with `serve` in a separate task.
func withConnections<T>(
    tls: NIOSSLContext? = nil,
    _ serve: @escaping @Sendable (NIOAsyncChannel<ByteBuffer, ByteBuffer>) async throws -> Void,
    _ body: (_ port: Int) async throws -> T
) async throws -> T {
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .bind(host: "127.0.0.1", port: 0) { channel in
            channel.eventLoop.makeCompletedFuture {
                if let tls { try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls)) }
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

/// Returns the head of an HTTP message if it is complete.
func httpHead(_ bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.firstRange(of: "\r\n\r\n").map { String(text[..<$0.lowerBound]) }
}
