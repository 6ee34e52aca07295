import NIOCore
import SusiPolicies

/// Finds the user whose program is at the other end of a connection within this machine: Linux lists every socket with its
/// owner in `/proc/net/tcp` and `/proc/net/tcp6` (proc_net(5)).
enum ConnectionOwner {
    private static let longestTable = 1 << 24

    /// The owner of the client's socket; nil where the kernel does not say.
    static func of(client: SocketAddress?, server: SocketAddress?) -> UInt32? {
        guard let client, let server else { return nil }
        let owners = ["tcp", "tcp6"].compactMap { name -> UInt32? in
            guard let bytes = SmallFile.read("/proc/net/\(name)", limit: longestTable),
                bytes.count <= longestTable
            else { return nil }
            return find(
                client: names(client), server: names(server), in: String(decoding: bytes, as: UTF8.self))
        }
        // A row in both tables would be two sockets of one name, which the kernel does not allow.
        return owners.count == 1 ? owners.first : nil
    }

    /// The owner of the one socket between two ends, each named in every way that a table may name it.
    static func find(client: [String], server: [String], in table: String) -> UInt32? {
        let owners = table.split(separator: "\n").compactMap { row -> UInt32? in
            // sl, local address, remote address, state, queues, timer, retransmissions, owner.
            let fields = row.split(separator: " ", maxSplits: 8).map(String.init)
            guard fields.count > 7, client.contains(fields[1]), server.contains(fields[2]) else {
                return nil
            }
            return UInt32(fields[7])
        }
        return owners.count == 1 ? owners.first : nil
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
