package import NIOCore
import NIOPosix

/// Listens on a loopback port while `body` runs; port 0 is any free one. `connect` sets up the pipeline of each connection.
package func withListener<T>(
    host: String = "127.0.0.1", port: Int = 0, connect: @escaping @Sendable (any Channel) throws -> Void = { _ in },
    _ body: (_ port: Int) async throws -> T
) async throws -> T {
    let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .childChannelInitializer { channel in channel.eventLoop.makeCompletedFuture { try connect(channel) } }
        .bind(host: host, port: port).get()
    do {
        let result = try await body(listener.localAddress?.port ?? 0)
        try await listener.close()
        return result
    } catch {
        try? await listener.close()
        throw error
    }
}
