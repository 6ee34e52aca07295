import NIOCore
package import SusiPolicies

/// The addresses on which an emulator listens, and its public address.
///
/// By default it listens on the loopback and its host is `localhost`. Passwords are in files and on the developer page, so
/// access for other machines is opt-in. They reach the tenants and the sample APIs, but not the developer page and the admin
/// API.
public struct ListenOptions: Hashable, Sendable {
    /// This machine only.
    public static let loopback = ListenOptions()

    /// Another numeric address of this machine; `0.0.0.0` and `::` are all its addresses.
    package let address: String?
    /// The origins in documents and tokens: the one that a request names, else the first one. Without any it is that of the
    /// request.
    package let publicOrigins: [String]
    let publicAuthorities: [String]
    /// Hosts of the cloud under which the tenants are served too, over https, with their port unless it is 443. Programs reach
    /// them only through a ``CloudProxy``.
    package var cloudHosts: Set<String> = []
    /// The hosts of the public origins over https.
    package let secureHosts: [String]
    /// The certificate of all https ports; nil for one of the emulator's own.
    package var certificate: OwnCertificate?

    private init() { (address, publicOrigins, publicAuthorities, secureHosts) = (nil, [], [], []) }

    /// Opens an emulator to other machines at `address`. Clients use one of `publicAddresses`, which have no path: for example
    /// the name of a container, a forwarded port, or a proxy with its own certificate.
    ///
    /// Throws `EmulatorError.addressUnusable` if one of them is invalid.
    package init(address: String?, publicAddresses: [WebAddress] = []) throws(EmulatorError) {
        self.address = try address.map { text throws(EmulatorError) in
            guard let known = try? SocketAddress(ipAddress: text, port: 0), let number = known.ipAddress else {
                throw .addressUnusable(text, reason: "it is not an IP address such as 0.0.0.0 or 192.168.1.5")
            }
            return number
        }.flatMap { ["127.0.0.1", "::1"].contains($0) ? nil : $0 }
        if let wrong = publicAddresses.first(where: { !$0.segments.isEmpty }) {
            throw .addressUnusable(wrong.spelling, reason: "it has a path; expected scheme, host and port")
        }
        publicOrigins = publicAddresses.map(\.origin)
        publicAuthorities = publicAddresses.map(\.authority)
        secureHosts = publicAddresses.filter { $0.scheme == "https" }.map(\.host)
    }

    /// Whether only this machine can reach the emulator, as far as it knows.
    var isPlain: Bool { address == nil && publicOrigins.isEmpty }

    /// The hosts to listen on, in this order.
    var hosts: [ListenedHost] {
        switch address {
        case nil: ListenedHost.loopback
        // The address for all also includes the loopback.
        case "0.0.0.0": [ListenedHost(name: "0.0.0.0"), ListenedHost(name: "::1", isOptional: true)]
        case "::": [ListenedHost(name: "::")]
        case let other?: ListenedHost.loopback + [ListenedHost(name: other)]
        }
    }

    /// The origin for a request with this Host header (RFC 9110 section 7.2), received at `port` of the address `own`; nil if
    /// the header names another machine.
    ///
    /// This stops DNS rebinding: a page of another site still sends its own name. A numeric address cannot be rebound, but it must
    /// be the address of the connection.
    func origin(host: String?, at port: EmulatorPort, own: @autoclosure () -> String?) -> String? {
        guard let host = host?.lowercased() else { return nil }
        let name = host.hasSuffix(":443") ? String(host.dropLast(4)) : host
        if port.isSecure, cloudHosts.contains(name) { return "https://\(name)" }
        if let index = publicAuthorities.firstIndex(of: host) { return publicOrigins[index] }
        let publicOrigin = publicOrigins.first
        if EmulatorPort.hosts.contains(where: { port.authority(host: $0) == host }) {
            return publicOrigin ?? port.origin
        }
        if isPlain { return nil }
        // A container's port is published under another number. Only this machine has these names, so they cannot be rebound.
        if address != nil, let published = EmulatorPort(host: host, isSecure: port.isSecure) {
            return publicOrigin ?? published.origin
        }
        guard address != nil, let own = own().map(Self.written), port.authority(host: own) == host else { return nil }
        return publicOrigin ?? port.origin(host: own)
    }

    // Returns an address as it is written in URLs (RFC 3986 section 3.2.2). A socket for both IP versions maps IPv4
    // addresses to IPv6.
    private static func written(_ address: String) -> String {
        if address.hasPrefix("::ffff:"), address.contains(".") { return String(address.dropFirst("::ffff:".count)) }
        return address.contains(":") ? "[\(address)]" : address
    }
}

struct ListenedHost: Sendable {
    static let loopback = [ListenedHost(name: "127.0.0.1"), ListenedHost(name: "::1", isOptional: true)]

    let name: String
    /// Whether it is skipped if the machine does not have it.
    var isOptional = false
}

extension SocketAddress {
    /// Whether it is a loopback address: 127.0.0.0/8 or ::1, mapped or not.
    var isLoopback: Bool {
        guard let address = ipAddress else { return false }
        return address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.")
    }
}
