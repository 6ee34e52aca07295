import AsyncHTTPClient
import NIOCore
import NIOPosix
import NIOSSL
import SusiPolicies
import Synchronization

extension WebClient {
    /// Adds the reason for which a certificate was refused, if its validity period is the reason.
    func explained(_ failure: NetworkFailure, _ address: WebAddress) async -> NetworkFailure {
        guard failure.kind == .tls(.unknownAuthority), let now = clock?(),
            let validity = await connections.validity(of: address)
        else { return failure }
        let reason: NetworkFailure.TLSReason =
            if now > validity.end { .expired(validity.end) } else if now < validity.start {
                .notYetValid(validity.start)
            } else { .unknownAuthority }
        return NetworkFailure(
            kind: .tls(reason), origin: failure.origin, detail: failure.detail, proxy: failure.proxy)
    }
}

extension Connections {
    /// The validity period of a certificate, in seconds since 1970.
    struct Validity: Sendable {
        let start: Int64
        let end: Int64
    }

    private final class Shown: Sendable { let validity = Mutex<Validity?>(nil) }

    private struct Seen: Error {}

    /// Reads the validity period of a server's certificate; returns `nil` if it shows none. The library reports nothing
    /// of a refused certificate, so a second connection accepts any. It ends before a request, so the server receives
    /// nothing.
    func validity(of address: WebAddress) async -> Validity? {
        guard var configuration = try? configuration(to: address) else { return nil }
        configuration.tlsConfiguration?.certificateVerification = .none
        let shown = Shown()
        configuration.http1_1ConnectionDebugInitializer = { channel in
            channel.nioSSL_peerCertificate().flatMapThrowing { certificate in
                channel.close(promise: nil)
                shown.validity.withLock { validity in
                    validity = certificate.map {
                        Validity(start: Int64($0.notValidBefore), end: Int64($0.notValidAfter))
                    }
                }
                throw Seen()
            }
        }
        let client = HTTPClient(
            eventLoopGroup: ClientThreads.group, configuration: configuration)
        let request = HTTPClientRequest(url: "\(address.origin)/")
        _ = try? await client.execute(request, timeout: .seconds(WebClient.longestConnecting))
        try? await client.shutdown()
        return shown.validity.withLock(\.self)
    }
}
