import NIOCore
import SusiPolicies

/// The user whose program is at the other end of a connection within this machine: Linux lists every socket with its owner in
/// `/proc/net/tcp` and `/proc/net/tcp6` (proc_net(5)).
enum ConnectionOwner: Equatable {
    /// The program of a user, by its id.
    case user(UInt32)
    /// The other end has been closed: its socket belongs to no program any more.
    case closed
    /// The system does not say: no such tables, or a relay whose socket is not in them.
    case unknown

    private static let longestTable = 1 << 24
    private static let established = "01"

    /// Looks the client's socket up.
    static func of(client: SocketAddress?, server: SocketAddress?) -> ConnectionOwner {
        // A channel forgets its addresses when it is closed.
        guard let client, let server else { return .closed }
        let tables = ["tcp", "tcp6"].compactMap { name -> String? in
            guard let bytes = SmallFile.read("/proc/net/\(name)", limit: longestTable),
                bytes.count <= longestTable
            else { return nil }
            return String(decoding: bytes, as: UTF8.self)
        }
        return find(client: names(client), server: names(server), in: tables)
    }

    /// Looks the socket between two ends up, each named in every way that a table may name it.
    static func find(client: [String], server: [String], in tables: [String]) -> ConnectionOwner {
        let rows = tables.flatMap { $0.split(separator: "\n") }.compactMap(Row.init)
        // A table that changes while it is read may name a socket twice.
        let owners = Set(
            rows.filter { client.contains($0.local) && server.contains($0.remote) && $0.isOpen }.map(\.user))
        if owners.count > 1 { return .unknown }
        if let owner = owners.first { return .user(owner) }
        // Our own end tells whether the other one is gone or only not listed.
        let own = rows.first { server.contains($0.local) && client.contains($0.remote) && $0.isOpen }
        return tables.isEmpty || own?.state == established ? .unknown : .closed
    }

    private struct Row {
        let local: String
        let remote: String
        let state: String
        let user: UInt32
        /// Whether a program has the socket: a closed one is listed for some time, as root's.
        let isOpen: Bool

        init?(_ line: Substring) {
            // sl, local address, remote address, state, queues, timer, retransmissions, owner, timeout, inode.
            let fields = line.split(separator: " ", maxSplits: 10).map(String.init)
            guard fields.count > 9, let user = UInt32(fields[7]) else { return nil }
            (local, remote, state, self.user, isOpen) = (fields[1], fields[2], fields[3], user, fields[9] != "0")
        }
    }

    /// An address and a port as the tables write them: 32-bit words in the machine's byte order, in hexadecimal digits. A
    /// socket of IPv6 may hold an address of IPv4. Only loopback addresses are named.
    static func names(_ address: SocketAddress) -> [String] {
        guard let port = address.port, let host = address.ipAddress else { return [] }
        let end = ":" + hex(UInt32(port), digits: 4)
        if host == "::1" { return ["000000000000000000000000" + word([0, 0, 0, 1]) + end] }
        let bytes = host.split(separator: ".").compactMap { UInt32($0) }
        guard bytes.count == 4, bytes[0] == 127 else { return [] }
        return [word(bytes) + end, "0000000000000000" + word([0, 0, 0xff, 0xff]) + word(bytes) + end]
    }

    private static func word(_ bytes: [UInt32]) -> String {
        hex(UInt32(bigEndian: bytes.reduce(0) { $0 << 8 | $1 }), digits: 8)
    }

    private static func hex(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
