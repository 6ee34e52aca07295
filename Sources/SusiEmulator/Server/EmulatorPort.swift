/// A port of this machine on which an emulator listens; 0 takes a free one.
public struct EmulatorPort: Hashable, Sendable {
    /// Its number.
    public var number: UInt16
    /// Whether it speaks https.
    public var isSecure: Bool

    /// Names a port.
    public init(_ number: UInt16, isSecure: Bool = false) {
        self.number = number
        self.isSecure = isSecure
    }

    /// Scheme, `localhost` and, where it is not the scheme's own, the port, without a slash at the end.
    public var origin: String { origin(host: "localhost") }

    /// The same with another name of this machine.
    func origin(host: String) -> String { "\(isSecure ? "https" : "http")://\(authority(host: host))" }

    /// Host and port as the Host header has them (RFC 9110 section 7.2).
    func authority(host: String) -> String { number == (isSecure ? 443 : 80) ? host : "\(host):\(number)" }

    /// The names of this machine as addresses write them.
    static let hosts = ["localhost", "127.0.0.1", "[::1]"]
}
