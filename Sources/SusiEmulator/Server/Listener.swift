import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import SusiBase
import SusiPolicies
import SystemPackage

struct ListenFailure: Error {
    let host: String
    let code: Errno
    let reason: String

    init(_ host: String, _ error: any Error) {
        self.host = host
        let number = (error as? IOError).map { Errno(rawValue: $0.errnoCode) }
        code = number ?? .noFunction
        reason = number.map { "\($0)" } ?? FileFailure.reason(error)
    }

    var isTaken: Bool { code == .addressInUse }

    // The machine does not have the address, for example without IPv6.
    var isUnavailable: Bool {
        [.addressNotAvailable, .addressFamilyNotSupported, .protocolFamilyNotSupported].contains(code)
    }
}

/// A server on one address.
struct Listener: Sendable {
    let port: UInt16
    private let server: Task<Void, any Error>

    /// Starts to serve `responder`, over TLS if `tls` is given. Port 0 picks a free one. Throws `ListenFailure`.
    init(host: String, port: UInt16, tls: ServerTLS?, responder: SiteResponder) async throws {
        let (ports, found) = AsyncStream.makeStream(of: UInt16.self)
        let configured = Server(
            childChannelSetup: SiteChannel(responder, tls: tls),
            configuration: ServerConfiguration(address: .hostname(host, port: Int(port))),
            onServerRunning: { channel in found.yield(UInt16(clamping: channel.localAddress?.port ?? 0)) },
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "SusiEmulator", factory: { _ in SwiftLogNoOpLogHandler() }))
        server = Task {
            defer { found.finish() }
            try await configured.run()
        }
        guard let bound = await ports.first(where: { _ in true }) else {
            server.cancel()
            if case .failure(let error) = await server.result, !(error is CancellationError) {
                throw ListenFailure(host, error)
            }
            throw CancellationError()
        }
        self.port = bound
    }

    /// Closes the listening socket and the open connections, and waits for both.
    func stop() async {
        server.cancel()
        _ = await server.result
    }
}

extension [Listener] {
    /// Serves one port of every host. A free port of one host may be in use on the next; then tries another one.
    init(_ reach: ListenOptions, port: UInt16, tls: ServerTLS?, responder: SiteResponder) async throws {
        self = []
        for attempt in 1...10 {
            do {
                for host in reach.hosts {
                    try await start(host, port: first?.port ?? port, tls: tls, responder: responder)
                }
                return
            } catch {
                await stop()
                self = []
                guard let failure = error as? ListenFailure else { throw error }
                if failure.isUnavailable, failure.host == reach.address {
                    throw EmulatorError.addressUnusable(failure.host, reason: "this machine has no such address")
                }
                guard failure.isTaken else { throw EmulatorError.cannotListen(port: port, reason: failure.reason) }
                if port != 0 || attempt == 10 { throw EmulatorError.portTaken(port) }
            }
        }
    }

    private mutating func start(
        _ host: ListenedHost, port: UInt16, tls: ServerTLS?, responder: SiteResponder
    ) async throws {
        do {
            append(try await Listener(host: host.name, port: port, tls: tls, responder: responder))
        } catch let failure as ListenFailure where host.isOptional && failure.isUnavailable {
            return
        }
    }

    func stop() async {
        for listener in self { await listener.stop() }
    }
}
