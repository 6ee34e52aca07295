import FoundationEssentials

/// An `http` or `https` address without user, query and fragment, in one canonical spelling.
///
/// What is validated and what is contacted come from this one parse, so that no two parsers can disagree about the host.
public struct WebAddress: Hashable, Sendable, CustomStringConvertible {
    /// `http` or `https`.
    public let scheme: String
    /// The host in lower case; an IPv6 address without brackets.
    public let host: String
    /// The port when it is not the scheme's own.
    public let port: Int?
    /// The path's segments, percent-encoded, none of them empty.
    public let segments: [String]

    /// Why a text is no address that can be used here.
    public struct Invalid: Error, Hashable, Sendable, CustomStringConvertible {
        /// The text.
        public let text: String
        /// What is wrong with it.
        public let reason: String

        /// Text and reason in one sentence.
        public var description: String { "“\(text)” cannot be used: \(reason)" }
    }

    /// Parses `text`.
    public init(_ text: String) throws(Invalid) {
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != 0x5c }) else {
            throw Invalid(text: text, reason: "it contains a space, a backslash or a character outside ASCII")
        }
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            let host = parts.host?.lowercased(), !host.isEmpty
        else { throw Invalid(text: text, reason: "it is not a whole address such as https://host/path") }
        // A percent-encoded host is decoded by the parser: one with “/”, “@” or “?” in it would be read differently next time.
        guard host.utf8.allSatisfy({ Self.isPlain($0) || $0 == 0x3a || $0 == 0x5b || $0 == 0x5d }),
            !(parts.encodedHost ?? "").contains("%")
        else { throw Invalid(text: text, reason: "its host contains a character that no host has") }
        guard scheme == "https" || scheme == "http" else {
            throw Invalid(text: text, reason: "its scheme is “\(scheme)”, not https")
        }
        guard parts.user == nil, parts.password == nil else {
            throw Invalid(text: text, reason: "it names a user")
        }
        guard parts.query == nil, parts.fragment == nil else {
            throw Invalid(text: text, reason: "it has a query or a fragment")
        }
        if let port = parts.port, !(1...65_535).contains(port) {
            throw Invalid(text: text, reason: "\(port) is no port")
        }
        let segments = parts.percentEncodedPath.split(separator: "/").map(String.init)
        guard !segments.contains(where: { $0 == "." || $0 == ".." || $0.lowercased().contains("%2") }) else {
            throw Invalid(text: text, reason: "its path contains dots or encoded characters that change its meaning")
        }
        self.scheme = scheme
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        self.port = parts.port == (scheme == "https" ? 443 : 80) ? nil : parts.port
        self.segments = segments
    }

    private init(scheme: String, host: String, port: Int?, segments: [String]) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.segments = segments
    }

    /// Scheme, host and port (RFC 6454 section 4), without a slash at the end.
    public var origin: String { "\(scheme)://\(authority)" }

    /// Host and port as a URL writes them.
    public var authority: String {
        let written = host.contains(":") ? "[\(host)]" : host
        return port.map { "\(written):\($0)" } ?? written
    }

    /// The path with a slash before each segment; empty when there is none.
    public var path: String { segments.map { "/" + $0 }.joined() }

    /// The whole address, without a slash at the end.
    public var description: String { origin + path }

    /// Whether the host is this machine: `localhost`, 127.0.0.0/8 or ::1 (RFC 8252 section 8.3).
    public var isLoopback: Bool {
        if host == "localhost" || host == "::1" { return true }
        let bytes = host.split(separator: ".", omittingEmptySubsequences: false).map { part in
            // Only the canonical spelling: resolvers read 0127.0.0.1 in base 8, which is another machine.
            UInt8(part).flatMap { String($0) == part ? $0 : nil }
        }
        return bytes.count == 4 && !bytes.contains(nil) && bytes.first == 127
    }

    // Letters, digits, dot, dash and underscore.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x2d, 0x2e, 0x5f: true
        default: false
        }
    }

    /// Whether a request may go there: https, or plain http on this machine.
    public var isSecure: Bool { scheme == "https" || isLoopback }

    /// The address with segments added; each is taken as it is and must need no escaping.
    public func appending(_ more: String...) -> WebAddress {
        WebAddress(scheme: scheme, host: host, port: port, segments: segments + more)
    }

    /// The address with other segments.
    public func replacingPath(_ segments: [String]) -> WebAddress {
        WebAddress(scheme: scheme, host: host, port: port, segments: segments)
    }

    /// Whether `other` has the same origin and lies at or below this path, segment by segment.
    public func contains(_ other: WebAddress) -> Bool {
        origin == other.origin && other.segments.starts(with: segments)
    }
}
