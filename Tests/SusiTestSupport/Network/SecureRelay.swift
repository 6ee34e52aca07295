import NIOCore
import NIOSSL
import Synchronization

/// A TLS server that passes what it decrypts to a plain server, to which it connects when the first bytes arrive. A test
/// can change its certificate for further connections, and demand clients' certificates of an authority.
package final class SecureRelay: Sendable {
    package let port: Int
    private let shown: Shown

    private final class Shown: Sendable {
        let context: Mutex<NIOSSLContext>
        init(_ context: NIOSSLContext) { self.context = Mutex(context) }
    }

    private init(port: Int, shown: Shown) { (self.port, self.shown) = (port, shown) }

    package func origin(_ host: String = "localhost") -> String { "https://\(host):\(port)" }

    package func show(_ identity: TestAuthority.Identity) throws {
        let context = try identity.context()
        shown.context.withLock { $0 = context }
    }

    package static func with<T>(
        leadingTo target: Int, showing identity: TestAuthority.Identity, demanding authority: TestAuthority? = nil,
        _ body: (SecureRelay) async throws -> T
    ) async throws -> T {
        let shown = Shown(try identity.context(demanding: authority))
        return try await withConnections(
            tls: { shown.context.withLock { $0 } },
            { client in
                try await client.executeThenClose { fromClient, toClient in
                    var arriving = fromClient.makeAsyncIterator()
                    guard let first = try await arriving.next() else { return }
                    try await pass(first, &arriving, toClient, to: target)
                }
            }, { try await body(SecureRelay(port: $0, shown: shown)) })
    }
}
