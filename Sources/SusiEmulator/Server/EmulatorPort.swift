/// A port of this machine on which an emulator listens; 0 picks a free one.
public struct EmulatorPort: Hashable, Sendable {
    /// 1 to 65535, or 0 for a free one.
    public var number: UInt16
    /// Whether the port uses https.
    public var isSecure: Bool

    /// Makes a port; by default for http.
    public init(_ number: UInt16, isSecure: Bool = false) {
        self.number = number
        self.isSecure = isSecure
    }

    /// The port in a Host header with a name of this machine; nil for another host.
    init?(host: String, isSecure: Bool) {
        guard let name = Self.hosts.first(where: { host == $0 || host.hasPrefix("\($0):") }) else { return nil }
        let text = host.dropFirst(name.count + 1)
        guard let number = host == name ? (isSecure ? 443 : 80) : UInt16(text), number > 0 else { return nil }
        self.init(number, isSecure: isSecure)
    }

    /// The origin `http://localhost:PORT`, without the scheme's default port and without a trailing slash.
    public var origin: String { origin(host: "localhost") }

    /// The origin with another host name of this machine.
    func origin(host: String) -> String { "\(isSecure ? "https" : "http")://\(authority(host: host))" }

    /// Host and port as in the Host header (RFC 9110 section 7.2).
    func authority(host: String) -> String { number == (isSecure ? 443 : 80) ? host : "\(host):\(number)" }

    /// The host names of this machine in addresses.
    static let hosts = ["localhost", "127.0.0.1", "[::1]"]
}
