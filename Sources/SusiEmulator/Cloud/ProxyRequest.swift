/// The head of a request to a proxy.
struct ProxyRequest: Hashable {
    /// A place that a client asks for.
    struct Place: Hashable, Sendable {
        let host: String
        let port: Int

        /// As a host of the cloud is written.
        var authority: String { port == 443 ? host : "\(host):\(port)" }
    }

    static let largest = 16 * 1_024

    let method: String
    /// The place of a `CONNECT`; nil if it is malformed.
    let place: Place?
    /// The size of the head in bytes.
    let size: Int

    /// Reads the first line of the head; nil until the head is complete.
    init?(_ bytes: some Collection<UInt8>) {
        guard let end = bytes.firstRange(of: "\r\n\r\n".utf8)?.upperBound else { return nil }
        size = bytes.distance(from: bytes.startIndex, to: end)
        let line = String(
            decoding: bytes.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        method = String(words[0])
        place = words.count == 3 && method == "CONNECT" ? Self.place(words[1].lowercased()) : nil
    }

    private static func place(_ text: String) -> Place? {
        // Another character could end or change the name that the system looks up.
        guard text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }), let colon = text.lastIndex(of: ":") else {
            return nil
        }
        let digits = text[colon...].dropFirst()
        guard digits.allSatisfy({ ("0"..."9").contains($0) }), let port = UInt16(digits), port > 0 else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        // A name with a dot at its end is the same host.
        while host.hasSuffix(".") { host = host.dropLast() }
        return host.isEmpty ? nil : Place(host: String(host), port: Int(port))
    }
}
