import NIOCore
import NIOPosix
import SusiBase

/// An HTTP proxy for one run (`CONNECT`, RFC 9110 section 9.3.6), which leads the host names of the cloud to an emulator on this
/// machine. It sees only where connections go: their content is encrypted for the emulator or for the other host.
package struct CloudProxy: Sendable {
    /// What happens to connections to other hosts.
    package enum Others: Hashable, Sendable {
        case direct
        /// Through the proxy that this machine uses.
        case through(host: String, port: Int)
        case refused
    }

    enum Route: Hashable, Sendable {
        case emulator
        case direct(ProxyRequest.Place)
        /// Another proxy, which gets the same request.
        case proxy(ProxyRequest.Place)
        case refused(String)
    }

    /// The hosts that lead to the emulator, in lower case, with their port unless it is 443.
    package let hosts: Set<String>
    let others: Others

    package init(hosts: Set<String>, others: Others) {
        self.hosts = hosts
        self.others = others
    }

    func route(to place: ProxyRequest.Place) -> Route {
        if hosts.contains(place.authority) { return .emulator }
        // The real host must not be reached by accident.
        if hosts.contains(where: { $0.prefix { $0 != ":" } == place.host }) {
            return .refused("the emulator does not serve port \(place.port) of \(place.host)")
        }
        return switch others {
        case .direct: .direct(place)
        case .through(let host, let port): .proxy(ProxyRequest.Place(host: host, port: port))
        case .refused: .refused("other hosts than the emulator's are refused, because of --offline")
        }
    }

    /// Listens on a free port of 127.0.0.1 while `body` runs, for the emulator at `port` of this machine. `refused` gets host and
    /// port of each refused connection. Throws `EmulatorError` if it cannot listen.
    package func run<T>(
        to port: UInt16, refused: @escaping @Sendable (String) -> Void, _ body: (_ port: UInt16) async throws -> T
    ) async throws -> T {
        let listener: any Channel
        do {
            listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(
                            ConnectHandler(proxy: self, emulator: port, refused: refused))
                    }
                }
                .bind(host: "127.0.0.1", port: 0).get()
        } catch { throw EmulatorError.cannotListen(port: 0, reason: FileFailure.reason(error)) }
        let result: Result<T, any Error>
        do {
            result = .success(try await body(UInt16(clamping: listener.localAddress?.port ?? 0)))
        } catch { result = .failure(error) }
        try? await listener.close()
        return try result.get()
    }
}
