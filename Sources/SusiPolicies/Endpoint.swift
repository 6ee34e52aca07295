/// The URL of an endpoint: an address, and a trailing slash and a query if the server's URL has them.
///
/// Servers distinguish `…/token/` from `…/token`. Azure AD B2C names the policy in the query of every endpoint if its
/// discovery URL did, and OAuth allows any endpoint to have a query, which clients must keep (RFC 6749 sections 3.1 and
/// 3.2).
package struct Endpoint: Hashable, Sendable, CustomStringConvertible {
    /// Everything before the query.
    package private(set) var address: WebAddress
    /// The text after the question mark; `nil` if there is none.
    package let query: String?
    private let slash: String

    /// Makes an endpoint of its parts; the query is not encoded.
    package init(_ address: WebAddress, query: String? = nil) {
        self.address = address
        self.query = query
        slash = ""
    }

    /// Parses a URL with or without a query. A fragment is an error (RFC 6749 section 3.1).
    package init(_ text: String) throws(InvalidAddress) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        address = try WebAddress(String(parts.first ?? ""))
        slash = parts.first?.hasSuffix("/") ?? false ? "/" : ""
        query = parts.count > 1 ? String(parts[1]) : nil
        guard query?.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "#") }) ?? true else {
            throw InvalidAddress(
                text: text, reason: "its query contains a fragment, a space or a character outside ASCII")
        }
    }

    func replacing(segments: [String]) -> Endpoint {
        var copy = self
        copy.address = address.replacing(segments: segments)
        return copy
    }

    /// Returns the URL with form-encoded parameters added to its query.
    package func adding(query more: String) -> String {
        let before = query.map { $0.isEmpty ? "" : "\($0)&" } ?? ""
        return "\(address)\(slash)?\(before)\(more)"
    }

    package var description: String { "\(address)\(slash)" + (query.map { "?\($0)" } ?? "") }
}
