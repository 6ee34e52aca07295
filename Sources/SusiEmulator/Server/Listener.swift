import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
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

/// Serves `responder` on one address while `body` runs, over TLS if `tls` is given. Port 0 picks a free one; `body` gets the
/// actual port.
func withListener<T: Sendable>(
    host: String, port: UInt16, tls: ServerTLS?, responder: SiteResponder, _ body: (UInt16) async throws -> T
) async throws -> T {
    let (ports, found) = AsyncStream.makeStream(of: UInt16.self)
    let server = Server(
        childChannelSetup: SiteChannel(responder, tls: tls),
        configuration: ServerConfiguration(address: .hostname(host, port: Int(port))),
        onServerRunning: { channel in found.yield(UInt16(clamping: channel.localAddress?.port ?? 0)) },
        eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
        logger: Logger(label: "SusiEmulator", factory: { _ in SwiftLogNoOpLogHandler() }))
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            defer { found.finish() }
            try await server.run()
        }
        guard let bound = await ports.first(where: { _ in true }) else {
            do {
                try await group.next()
                throw CancellationError()
            } catch { throw error is CancellationError ? error : ListenFailure(host, error) }
        }
        let result: Result<T, any Error>
        do { result = .success(try await body(bound)) } catch { result = .failure(error) }
        // Cancellation closes the listening socket and the open connections; wait for both.
        group.cancelAll()
        while let ended = await group.nextResult() { _ = ended }
        return try result.get()
    }
}
