import AsyncHTTPClient
import SusiBase
import SusiOAuth
package import SusiPolicies

/// A proxy for https servers: HTTP (`CONNECT`, RFC 9110 section 9.3.6) or SOCKS 5 (RFC 1928).
///
/// Its description contains no credentials.
package struct Proxy: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: String, Sendable {
        case http
        case socks = "socks5"
    }

    package let kind: Kind
    package let host: String
    package let port: Int
    private let credentials: Credentials?
    package var hasCredentials: Bool { credentials != nil }

    private struct Credentials: Hashable {
        let user: String
        let password: String
    }

    /// Parses the value of `HTTPS_PROXY` or `ALL_PROXY`: `http://user:password@host:port`, `socks5://host:port`, or a
    /// host with a port. Proxies with TLS (`https://`) are not supported.
    package init(_ text: String) throws(InvalidProxy) {
        var rest = text[...]
        let scheme = text.firstRange(of: "://").map { text[..<$0.lowerBound].lowercased() }
        if let end = text.firstRange(of: "://")?.upperBound { rest = text[end...] }
        switch scheme {
        case nil, "http": kind = .http
        case "socks5", "socks5h", "socks": kind = .socks
        case "https": throw InvalidProxy(reason: "a proxy that is reached over TLS is not supported")
        default: throw InvalidProxy(reason: "unsupported scheme; supported: http, socks5, socks5h")
        }
        rest = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        var user: Substring?
        if let at = rest.lastIndex(of: "@") {
            user = rest[..<at]
            rest = rest[rest.index(after: at)...]
        }
        guard let address = try? WebAddress("http://\(rest)") else {
            throw InvalidProxy(reason: "expected a host with a port")
        }
        host = address.host
        // The default port is curl's; a parsed address omits the default port of its scheme.
        port = address.port ?? (rest.hasSuffix(":80") ? 80 : 1080)
        credentials = try user.map(Self.credentials)
        guard kind == .http || credentials == nil else {
            throw InvalidProxy(reason: "SOCKS with a user name and a password is not supported")
        }
    }

    private static func credentials(_ text: Substring) throws(InvalidProxy) -> Credentials {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let decoded = parts.map { PercentEncoding.decode($0) }
        guard let user = decoded[0], let password = decoded.count > 1 ? decoded[1] : "" else {
            throw InvalidProxy(reason: "its user name or password is not percent-encoded correctly")
        }
        return Credentials(user: user, password: password)
    }

    /// Protocol, host and port.
    package var description: String { "\(kind.rawValue)://\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    var setting: HTTPClient.Configuration.Proxy {
        switch kind {
        case .http:
            .server(
                host: host, port: port,
                authorization: credentials.map { .basic(username: $0.user, password: $0.password) })
        case .socks: .socksServer(host: host, port: port)
        }
    }
}

/// A malformed address of a proxy. It does not quote the text, which may contain a password.
package struct InvalidProxy: Error, Hashable, Sendable {
    package let reason: String
}

/// The hosts that are reached without the proxy (`NO_PROXY`).
package struct ProxyExceptions: Hashable, Sendable {
    private let entries: [String]

    /// Parses a comma-separated list: host names, which include their subdomains, and addresses, with or without a
    /// port, or `*` for everything.
    package init(_ text: String) {
        entries = text.split { $0 == "," || $0.isWhitespace }.map { entry in
            var entry = entry.lowercased()
            if entry.hasPrefix("*.") { entry.removeFirst() }
            if entry.hasPrefix(".") { entry.removeFirst() }
            return entry
        }
    }

    package func contains(_ address: WebAddress) -> Bool {
        let port = address.port ?? (address.scheme == "https" ? 443 : 80)
        return entries.contains { entry in
            if entry == "*" { return true }
            guard let (host, wanted) = Self.parts(entry), wanted == nil || wanted == port else { return false }
            return address.host == host || address.host.hasSuffix(".\(host)")
        }
    }

    private static func parts(_ entry: String) -> (host: String, port: Int?)? {
        // An IPv6 address without a port needs no brackets.
        let isPlainIPv6 = !entry.hasPrefix("[") && entry.filter { $0 == ":" }.count > 1
        guard let address = try? WebAddress("http://\(isPlainIPv6 ? "[\(entry)]" : entry)") else { return nil }
        return (address.host, entry.hasSuffix(":80") ? 80 : address.port)
    }
}
