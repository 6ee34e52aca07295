import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// Returns a port for a server that listens later, or that stops and listens at the same port again.
///
/// A process returns each port once until all were returned. Systems do not pick these ports for port 0 or for outgoing
/// connections (Linux picks from 32768 and macOS from 49152 on).
package func freePort() async throws -> UInt16 {
    while true {
        let port = nextPort.withLock { next in
            next = next < 31_999 ? next + 1 : 20_000
            return next
        }
        if try await isFree(port) { return port }
    }
}

/// Processes that test at the same time begin at different ports.
private let nextPort = Mutex(20_000 + UInt16(ProcessInfo.processInfo.processIdentifier % 1_000) * 12)

private func isFree(_ port: UInt16) async throws -> Bool {
    for host in ["127.0.0.1", "::1"] {
        do {
            let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            try await bootstrap.bind(host: host, port: Int(port)).get().close()
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            return false
        } catch is IOError where host == "::1" {
            // This machine has no ::1.
        }
    }
    return true
}
