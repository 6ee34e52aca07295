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

    /// A place that a client asks for.
    struct Place: Hashable, Sendable {
        let host: String
        let port: Int

        /// As a host of the cloud is written.
        fileprivate var authority: String { port == 443 ? host : "\(host):\(port)" }
    }

    enum Route: Hashable, Sendable {
        case emulator
        case direct(Place)
        /// Another proxy, which gets the same request.
        case proxy(Place)
        case refused(String)
    }

    /// The hosts that lead to the emulator, in lower case, with their port unless it is 443.
    package let hosts: Set<String>
    let others: Others

    package init(hosts: Set<String>, others: Others) {
        self.hosts = hosts
        self.others = others
    }

    func route(to place: Place) -> Route {
        if hosts.contains(place.authority) { return .emulator }
        // The real host must not be reached by accident.
        if hosts.contains(where: { $0.prefix { $0 != ":" } == place.host }) {
            return .refused("the emulator does not serve port \(place.port) of \(place.host)")
        }
        return switch others {
        case .direct: .direct(place)
        case .through(let host, let port): .proxy(Place(host: host, port: port))
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

/// The head of a request to a proxy.
struct ProxyRequest: Hashable {
    static let largest = 16 * 1_024

    let method: String
    /// The place of a `CONNECT`; nil if it is malformed.
    let place: CloudProxy.Place?

    /// Reads the first line of a head.
    init(head: String) {
        let words = head.prefix { !$0.isNewline }.split(separator: " ", omittingEmptySubsequences: false)
        method = String(words[0])
        place = words.count == 3 && method == "CONNECT" ? Self.place(words[1].lowercased()) : nil
    }

    private static func place(_ text: String) -> CloudProxy.Place? {
        guard let colon = text.lastIndex(of: ":"), text[colon...].dropFirst().allSatisfy({ ("0"..."9").contains($0) }),
            let port = UInt16(String(text[colon...].dropFirst())), port > 0
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        // A name with a dot at its end is the same host.
        if host.hasSuffix(".") { host = host.dropLast() }
        return host.isEmpty ? nil : CloudProxy.Place(host: String(host), port: Int(port))
    }
}
