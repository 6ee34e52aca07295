import SusiBase

/// A parsed web address. The same value is validated and contacted, so that no second parser can disagree about the
/// host.
package struct WebAddress: Hashable, Sendable, CustomStringConvertible {
    /// `http` or `https`.
    package let scheme: String
    /// The host in lower case; an IPv6 address without brackets.
    package let host: String
    /// The port, unless it is the default of the scheme.
    package let port: Int?
    /// The path's segments, percent-encoded and not empty.
    package let segments: [String]
    /// The address as given. It does not affect equality; use it where every character counts, as in an issuer (OpenID
    /// Connect Discovery 1.0 section 4.3).
    package let spelling: String

    /// Parses `text` (RFC 3986 section 3, a subset).
    ///
    /// The parser is small because it is on the path to a cached token.
    package init(_ text: String) throws(InvalidAddress) {
        let invalid = { (reason: String) in InvalidAddress(text: text, reason: reason) }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "\\") }) else {
            throw invalid("it contains a space, a backslash or a character outside ASCII")
        }
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), text[colon...].hasPrefix("://") else {
            throw invalid("expected a whole address such as https://host/path")
        }
        scheme = text[..<colon].lowercased()
        guard scheme == "https" || scheme == "http" else { throw invalid("the scheme is “\(scheme)”, not https") }
        let rest = text.utf8[colon...].dropFirst(3)
        guard !rest.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }) else {
            throw invalid("it has a query or a fragment")
        }
        let authority = rest.prefix { $0 != UInt8(ascii: "/") }
        guard !authority.contains(UInt8(ascii: "@")) else { throw invalid("it contains a user name") }
        guard let (host, port) = Self.hostAndPort(Substring(authority)) else {
            throw invalid("“\(Substring(authority))” is not a host with an optional port")
        }
        segments = rest.dropFirst(authority.count).split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        guard !segments.contains(where: Self.misleads) else {
            throw invalid("its path contains dots or encoded characters that change its meaning")
        }
        self.host = host
        self.port = port == (scheme == "https" ? 443 : 80) ? nil : port
        spelling = text
    }

    /// Compares scheme, host, port and path.
    package static func == (left: WebAddress, right: WebAddress) -> Bool {
        left.host == right.host && left.port == right.port && left.scheme == right.scheme
            && left.segments == right.segments
    }

    /// Hashes the host: few addresses that are compared have the same.
    package func hash(into hasher: inout Hasher) { hasher.combine(host) }

    // A name of letters, digits, dots, hyphens and underscores, or an IPv6 address in brackets; then an optional port.
    private static func hostAndPort(_ text: Substring) -> (host: String, port: Int?)? {
        let isBracketed = text.utf8.first == UInt8(ascii: "[")
        let end = isBracketed ? UInt8(ascii: "]") : UInt8(ascii: ":")
        let host = text.utf8.dropFirst(isBracketed ? 1 : 0).prefix { $0 != end }
        var rest = text.utf8[host.endIndex...]
        if isBracketed, rest.popFirst() != end { return nil }
        guard !host.isEmpty, host.allSatisfy({ isHostByte($0) || isBracketed && $0 == UInt8(ascii: ":") }) else {
            return nil
        }
        let name = Substring(host).lowercased()
        guard !rest.isEmpty else { return (name, nil) }
        guard rest.popFirst() == UInt8(ascii: ":"), rest.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(Substring(rest)), port > 0
        else { return nil }
        return (name, Int(port))
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || ".-_".utf8.contains(byte)
    }

    // A dot segment moves up; so does an encoded one once a server decodes it, and one with a parameter where a server
    // reads a segment only up to its semicolon (RFC 3986 section 3.3). Encoded slashes do the same.
    private static func misleads(_ segment: String) -> Bool {
        var text = segment
        while true {
            let name = text.utf8.prefix { $0 != UInt8(ascii: ";") }
            if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) { return true }
            guard text.utf8.contains(UInt8(ascii: "%")) else { return false }
            // Decoding `%%32e` once gives `%2e`, which means a dot after the next round.
            let lower = text.lowercased()
            if ["%2e", "%2f", "%5c", "%25", "%00"].contains(where: lower.contains) { return true }
            let decoded = PercentEncoding.decodeLeniently(text)
            guard decoded != text else { return false }
            text = decoded
        }
    }

    /// Parses an address up to its query or fragment.
    package init(ignoringQuery text: String) throws(InvalidAddress) {
        try self.init(String(text.prefix { $0 != "?" && $0 != "#" }))
    }

    /// Makes an address of canonical parts.
    init(scheme: String, host: String, port: Int?, segments: [String]) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.segments = segments
        spelling = Self.origin(scheme: scheme, host: host, port: port) + Self.path(segments)
    }

    /// Scheme, host and port (RFC 6454 section 4), without a slash at the end.
    package var origin: String { Self.origin(scheme: scheme, host: host, port: port) }

    /// Host and port as a URL writes them.
    package var authority: String { Self.authority(host, port) }

    private static func origin(scheme: String, host: String, port: Int?) -> String {
        "\(scheme)://\(authority(host, port))"
    }

    private static func authority(_ host: String, _ port: Int?) -> String {
        let written = host.contains(":") ? "[\(host)]" : host
        return port.map { "\(written):\($0)" } ?? written
    }

    /// The path with a slash before each segment; empty without segments.
    package var path: String { Self.path(segments) }

    // `joined()` would search the conformances of the program, on the path to a cached token.
    private static func path(_ segments: [String]) -> String { segments.reduce("") { $0 + "/" + $1 } }

    /// The whole address, without a slash at the end.
    package var description: String { origin + path }

    /// Whether the host is this machine: `localhost`, 127.0.0.0/8 or ::1 (RFC 8252 section 8.3).
    package var isLoopback: Bool {
        if host == "localhost" || host == "::1" { return true }
        let bytes = host.split(separator: ".", omittingEmptySubsequences: false).map { part in
            // Only the canonical spelling: resolvers read 0127.0.0.1 in base 8, which is another machine.
            UInt8(part).flatMap { String($0) == part ? $0 : nil }
        }
        return bytes.count == 4 && !bytes.contains(nil) && bytes.first == 127
    }

    /// Whether a request may go there: https, or plain http on this machine.
    package var isSecure: Bool { scheme == "https" || isLoopback }

    /// Returns the address with more segments, which must need no escaping.
    package func appending(_ more: String...) -> WebAddress { appending(more) }

    /// Returns the address with more segments, which must need no escaping.
    package func appending(_ more: [String]) -> WebAddress {
        replacing(segments: segments + more)
    }

    func replacing(segments: [String]) -> WebAddress {
        WebAddress(scheme: scheme, host: host, port: port, segments: segments)
    }

    /// Whether `other` has the same origin and is at or below this path, segment by segment.
    package func contains(_ other: WebAddress) -> Bool {
        origin == other.origin && other.segments.starts(with: segments)
    }
}

/// A text that is not a supported address.
package struct InvalidAddress: Error, Hashable, Sendable, CustomStringConvertible {
    package let text: String
    package let reason: String

    /// Text and reason in one sentence.
    package var description: String { "invalid address “\(text)”: \(reason)" }
}
