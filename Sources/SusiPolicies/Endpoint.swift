/// A place that is contacted: an address and, where the server's own address has them, a slash at the end and a query.
///
/// Servers route `…/token/` apart from `…/token`. Azure AD B2C names a policy in the query of every endpoint when its
/// discovery was asked so, and OAuth lets any endpoint carry one, which stays whatever is added (RFC 6749 sections 3.1 and 3.2).
public struct Endpoint: Hashable, Sendable, CustomStringConvertible {
    /// Everything before the query.
    public let address: WebAddress
    /// What follows the question mark, as it was written; nil for none.
    public let query: String?
    private let slash: String

    /// Puts the parts together; the query is taken as it is.
    public init(_ address: WebAddress, query: String? = nil) {
        self.address = address
        self.query = query
        slash = ""
    }

    /// Parses an address with or without a query. A fragment is refused, as RFC 6749 section 3.1 has it.
    public init(_ text: String) throws(WebAddress.Invalid) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        address = try WebAddress(String(parts.first ?? ""))
        slash = parts.first?.hasSuffix("/") ?? false ? "/" : ""
        query = parts.count > 1 ? String(parts[1]) : nil
        guard query?.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "#") }) ?? true else {
            throw WebAddress.Invalid(
                text: text, reason: "its query contains a fragment, a space or a character outside ASCII")
        }
    }

    /// The whole address with more behind its query; `more` is form-encoded already.
    public func adding(query more: String) -> String {
        let before = query.map { $0.isEmpty ? "" : "\($0)&" } ?? ""
        return "\(address)\(slash)?\(before)\(more)"
    }

    /// The whole address.
    public var description: String { "\(address)\(slash)" + (query.map { "?\($0)" } ?? "") }
}
