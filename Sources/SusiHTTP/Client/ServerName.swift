import NIOCore
import NIOSSL

/// The host that a client asks, as the certificate of its server must name it (RFC 9525 section 6).
///
/// The TLS library compares the addresses in a certificate with that of the connection, whatever host was asked. Authorities
/// issue certificates for addresses, so an attacker who redirects a name to his own address could be that host.
enum ServerName: Hashable, Sendable {
    /// A host name as its labels, in lower case.
    case name([String])
    case address(SocketAddress)

    /// The certificate names other hosts.
    struct Mismatch: Error {}

    init(_ host: String) {
        self = (try? SocketAddress(ipAddress: host, port: 0)).map(Self.address) ?? .name(Self.labels(host))
    }

    /// Fails and closes a new connection if the server's certificate does not name the host. Nothing was sent before.
    @Sendable func check(_ connection: any Channel) -> EventLoopFuture<Void> {
        connection.nioSSL_peerCertificate().flatMapThrowing { certificate in
            guard let certificate, isNamed(in: certificate) else {
                connection.close(promise: nil)
                throw Mismatch()
            }
        }
    }

    // The common name is no host name (RFC 9525 section 2).
    private func isNamed(in certificate: NIOSSLCertificate) -> Bool {
        certificate._subjectAlternativeNames().contains { name in
            switch (self, name.nameType) {
            case (.name(let labels), .dnsName): Self.matches(Array(name.contents), labels)
            case (.address(let address), .ipAddress):
                (try? SocketAddress(packedIPAddress: ByteBuffer(bytes: name.contents), port: 0)) == address
            default: false
            }
        }
    }

    // A wildcard stands for one whole label, the first one (RFC 9525 section 6.3).
    private static func matches(_ name: [UInt8], _ labels: [String]) -> Bool {
        guard let text = String(validating: name, as: Unicode.ASCII.self) else { return false }
        let named = Self.labels(text)
        guard named.first == "*" else { return named == labels }
        return named.count > 1 && named.count == labels.count && named.dropFirst() == labels.dropFirst()
    }

    // A dot at the end of a host name means that it is complete.
    private static func labels(_ host: String) -> [String] {
        let name = host.hasSuffix(".") ? host.dropLast() : host[...]
        return name.lowercased().split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }
}
