import NIOCore
public import SusiPolicies

/// From where an emulator is reached, and what it calls itself there.
///
/// Unless told otherwise it listens on this machine's loopback alone and calls itself `localhost`. The users' passwords stand in
/// files and on the developer's page, and whoever can reach it can get tokens for them, so that every other machine has to be let
/// in on purpose. These are let in to the tenants and the sample APIs; the developer's page and the admin API stay here.
public struct ListenOptions: Hashable, Sendable {
    /// This machine alone.
    public static let loopback = ListenOptions()

    /// A further address of this machine on which it listens, in numbers; `0.0.0.0` and `::` are all that it has.
    public let address: String?
    /// The origin that documents and tokens name, whichever way a request came; nil names the one that was asked.
    public let publicOrigin: String?
    private let publicAuthority: String?

    private init() { (address, publicOrigin, publicAuthority) = (nil, nil, nil) }

    /// Opens an emulator to other machines at `address`, and lets clients find it at `publicAddress`, which has no path: the
    /// name of a container, a forwarded port, a proxy with a certificate of its own.
    ///
    /// Throws `EmulatorError.addressUnusable` when one of the two cannot be used so.
    public init(address: String?, publicAddress: WebAddress?) throws(EmulatorError) {
        self.address = try address.map { text throws(EmulatorError) in
            guard let known = try? SocketAddress(ipAddress: text, port: 0), let number = known.ipAddress else {
                throw .addressUnusable(text, reason: "it is not an IP address such as 0.0.0.0 or 192.168.1.5")
            }
            return number
        }.flatMap { ["127.0.0.1", "::1"].contains($0) ? nil : $0 }
        if let publicAddress, !publicAddress.segments.isEmpty {
            throw .addressUnusable(
                publicAddress.spelling, reason: "it has a path; expected scheme, host and port")
        }
        publicOrigin = publicAddress?.origin
        publicAuthority = publicAddress?.authority
    }

    /// Whether nobody but this machine reaches it, as far as it knows.
    var isPlain: Bool { address == nil && publicOrigin == nil }

    /// What is listened on, in this order.
    var hosts: [ListenedHost] {
        switch address {
        case nil: ListenedHost.loopback
        // The one for all addresses is also the one for the loopback's.
        case "0.0.0.0": [ListenedHost(name: "0.0.0.0"), ListenedHost(name: "::1", isOptional: true)]
        case "::": [ListenedHost(name: "::")]
        case let other?: ListenedHost.loopback + [ListenedHost(name: other)]
        }
    }

    /// The origin for a request with this Host header (RFC 9110 section 7.2), which came in at `port` of the address `own`; nil
    /// when the header names another machine.
    ///
    /// A page of another site that rebinds its name to this machine still sends its own name. An address in numbers is no name,
    /// and nobody can rebind it, but it has to be the one that was connected to.
    func origin(host: String?, at port: EmulatorPort, own: @autoclosure () -> String?) -> String? {
        guard let host = host?.lowercased() else { return nil }
        if EmulatorPort.hosts.contains(where: { port.authority(host: $0) == host }) {
            return publicOrigin ?? port.origin
        }
        if isPlain { return nil }
        if let publicAuthority, publicAuthority == host { return publicOrigin }
        guard address != nil, let own = own().map(Self.written), port.authority(host: own) == host else { return nil }
        return publicOrigin ?? port.origin(host: own)
    }

    // As addresses are written in URLs (RFC 3986 section 3.2.2). A socket for both versions maps those of the older one.
    private static func written(_ address: String) -> String {
        if address.hasPrefix("::ffff:"), address.contains(".") { return String(address.dropFirst("::ffff:".count)) }
        return address.contains(":") ? "[\(address)]" : address
    }
}

/// An address that is listened on.
struct ListenedHost: Sendable {
    static let loopback = [ListenedHost(name: "127.0.0.1"), ListenedHost(name: "::1", isOptional: true)]

    let name: String
    /// Whether it is left out where the machine does not have it.
    var isOptional = false
}

extension SocketAddress {
    /// Whether it is one of this machine alone: 127.0.0.0/8 or ::1, mapped or not.
    var isLoopback: Bool {
        guard let address = ipAddress else { return false }
        return address == "::1" || address.hasPrefix("127.") || address.hasPrefix("::ffff:127.")
    }
}
