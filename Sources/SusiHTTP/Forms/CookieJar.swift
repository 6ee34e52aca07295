import Synchronization

/// The cookies of a browser, by host and name; ports share them (RFC 6265 section 8.5).
package final class CookieJar: Sendable {
    private let stored: Mutex<[String: [String: String]]>

    package init(_ cookies: [String: [String: String]] = [:]) { stored = Mutex(cookies) }

    package var cookies: [String: [String: String]] { stored.withLock { $0 } }

    func header(for host: String) -> String? {
        let pairs = cookies[host, default: [:]].map { "\($0.key)=\($0.value)" }
        return pairs.isEmpty ? nil : pairs.joined(separator: "; ")
    }

    /// Keeps the cookies of `Set-Cookie` headers and removes those that have ended.
    func keep(_ headers: [Substring], of host: String) {
        for header in headers {
            let parts = header.split(separator: ";")
            let pair = parts.first?.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false) ?? []
            guard pair.count == 2 else { continue }
            let ends = parts.contains { $0.lowercased().contains("max-age=0") }
            stored.withLock { $0[host, default: [:]][String(pair[0])] = ends ? nil : String(pair[1]) }
        }
    }
}
