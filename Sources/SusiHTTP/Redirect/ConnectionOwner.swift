import NIOCore
import SusiBase
import SusiPolicies

/// Finds the user of the program at the other end of a connection within this machine: Linux lists all sockets with
/// their owners in `/proc/net/tcp` and `/proc/net/tcp6` (proc_net(5)).
enum ConnectionOwner: Equatable {
    /// A program of the user with that id.
    case user(UInt32)
    /// The other end is closed.
    case closed
    /// Unknown: the tables are missing, or a relay's socket is not listed.
    case unknown

    private static let longestTable = 1 << 24
    private static let established = "01"

    static func of(client: SocketAddress?, server: SocketAddress?) -> ConnectionOwner {
        // A closed channel has no addresses.
        guard let client, let server else { return .closed }
        let tables = ["tcp", "tcp6"].compactMap { name -> String? in
            guard let bytes = SmallFile.read("/proc/net/\(name)", limit: longestTable),
                bytes.count <= longestTable
            else { return nil }
            return String(decoding: bytes, as: UTF8.self)
        }
        return find(client: names(client), server: names(server), in: tables)
    }

    /// Finds the socket between two ends, each given in all spellings of the tables.
    static func find(client: [String], server: [String], in tables: [String]) -> ConnectionOwner {
        let rows = tables.flatMap { $0.split(separator: "\n") }.compactMap(Row.init)
        // A table that changes during the read may list a socket twice.
        let owners = Set(
            rows.filter { client.contains($0.local) && server.contains($0.remote) && $0.isOpen }.map(\.user))
        if owners.count > 1 { return .unknown }
        if let owner = owners.first { return .user(owner) }
        // The entry of our own end shows whether the other one is closed or not listed.
        let own = rows.first { server.contains($0.local) && client.contains($0.remote) && $0.isOpen }
        return tables.isEmpty || own?.state == established ? .unknown : .closed
    }

    private struct Row {
        let local: String
        let remote: String
        let state: String
        let user: UInt32
        /// Whether a program has the socket: a closed one is listed for some time with owner root.
        let isOpen: Bool

        init?(_ line: Substring) {
            // sl, local address, remote address, state, queues, timer, retransmissions, owner, timeout, inode.
            let fields = line.split(separator: " ", maxSplits: 10).map(String.init)
            guard fields.count > 9, let user = UInt32(fields[7]) else { return nil }
            (local, remote, state, self.user, isOpen) = (fields[1], fields[2], fields[3], user, fields[9] != "0")
        }
    }

    /// Returns the spellings of an address and a port in the tables: 32-bit words in the machine's byte order,
    /// hexadecimal. An IPv6 socket may contain an IPv4 address. Only loopback addresses are supported.
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
