import AsyncHTTPClient
import FoundationEssentials
import NIOCore
import NIOPosix
import NIOSSL
import SusiBase
import SusiPolicies
import Synchronization

/// The HTTP clients of a ``WebClient``, made on first use, so that certificates are read only for TLS.
final class Connections: Sendable {
    private struct Route: Hashable {
        /// The name that the server's certificate must have; `nil` without TLS.
        let name: ServerName?
        let isLoopback: Bool
        let proxy: Proxy?
    }

    private let network: NetworkSettings
    private let clients = Mutex<[Route: HTTPClient]>([:])

    init(_ network: NetworkSettings) { self.network = network }

    func client(to address: WebAddress) throws -> HTTPClient {
        let route = try route(to: address)
        return try clients.withLock { clients in
            if let client = clients[route] { return client }
            let client = HTTPClient(
                eventLoopGroup: ClientThreads.group, configuration: try configuration(route))
            clients[route] = client
            return client
        }
    }

    func proxy(to address: WebAddress) throws(InvalidProxy) -> Proxy? {
        if address.isLoopback || network.exceptions.contains(address) { return nil }
        switch network.gateway {
        case .direct: return nil
        case .proxy(let proxy): return proxy
        case .unusable(let reason): throw InvalidProxy(reason: reason)
        }
    }

    func close() async {
        let made = clients.withLock { clients in
            defer { clients = [:] }
            return Array(clients.values)
        }
        for client in made { try? await client.shutdown() }
    }

    private func route(to address: WebAddress) throws(InvalidProxy) -> Route {
        Route(
            name: address.scheme == "https" ? ServerName(address.host) : nil, isLoopback: address.isLoopback,
            proxy: try proxy(to: address))
    }

    func configuration(to address: WebAddress) throws -> HTTPClient.Configuration {
        try configuration(try route(to: address))
    }

    private func configuration(_ route: Route) throws -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow, timeout: .init(connect: .seconds(WebClient.longestConnecting)))
        // Otherwise the library retries a refused connection for seconds.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.httpVersion = .http1Only
        configuration.proxy = route.proxy?.setting
        if let name = route.name {
            configuration.tlsConfiguration = try tls(route, to: name)
            configuration.http1_1ConnectionDebugInitializer = name.check
            // Not used with this version; without the check, any certificate would pass if that changed.
            configuration.http2ConnectionDebugInitializer = name.check
        }
        return configuration
    }

    // Certificates for this machine are not trusted elsewhere, whatever names they contain.
    private func tls(_ route: Route, to name: ServerName) throws -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        // RFC 9325 section 3.1.1.
        tls.minimumTLSVersion = .tlsv12
        // The library would compare the address with that of a proxy.
        if case .address = name { tls.certificateVerification = .noHostnameVerification }
        let more = try route.isLoopback ? trustedHere : nil
        if let roots = network.roots {
            tls.trustRoots = .certificates(try roots.certificates())
        } else if !NetworkSettings.Roots.systemHasAny {
            // A container may have none. The library would make no connection at all.
            guard more != nil else {
                throw UnusableRoots(reason: "this system has no certificates to trust")
            }
            tls.trustRoots = .certificates([])
        }
        if let more { tls.additionalTrustRoots = [.certificates(try NetworkSettings.Roots(file: more).certificates())] }
        return tls
    }

    // The file with the authority of the emulator, if it exists.
    private var trustedHere: String? {
        get throws(UnusableRoots) {
            guard let file = network.loopbackRoots, SmallFile.exists(file) else { return nil }
            do { try OwnedFile.check(file) } catch {
                throw UnusableRoots(reason: "\(error.path): \(error.why)")
            }
            return file
        }
    }
}

/// Certificates that cannot be used to check a server, for the reason.
struct UnusableRoots: Error, Hashable { let reason: String }

extension NetworkSettings.Roots {
    #if os(Linux)
        /// Whether the system has certificates where swift-nio-ssl looks for them.
        static let systemHasAny = ["/etc/ssl/certs", "/etc/pki/tls/certs/ca-bundle.crt"].contains {
            SmallFile.exists($0)
        }
    #else
        static let systemHasAny = true
    #endif

    func certificates() throws(UnusableRoots) -> [NIOSSLCertificate] {
        var found: [NIOSSLCertificate] = []
        if let file {
            guard let certificates = try? NIOSSLCertificate.fromPEMFile(file) else {
                throw UnusableRoots(reason: "\(file) contains no readable certificate")
            }
            found += certificates
        }
        for folder in folders {
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
                throw UnusableRoots(reason: "the folder \(folder) cannot be read")
            }
            // The folders may contain other files, which are ignored.
            for name in names.sorted() { found += (try? NIOSSLCertificate.fromPEMFile("\(folder)/\(name)")) ?? [] }
        }
        guard !found.isEmpty else { throw UnusableRoots(reason: "no certificates in \(folders)") }
        return found
    }
}
