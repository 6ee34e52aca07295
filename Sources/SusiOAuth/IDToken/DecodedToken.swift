package import SusiPolicies

/// A token that is decoded without any check.
package enum DecodedToken: Hashable, Sendable {
    /// A signed JWT (RFC 7515 section 3.1): its header and its claims.
    case signed(header: JSONNode, claims: JSONNode)
    /// An encrypted JWT (RFC 7516 section 3.1): its header. Only its receiver can decrypt the rest.
    case encrypted(header: JSONNode)
    /// Not a JWT. Refresh tokens are opaque, access tokens may be.
    case opaque

    /// Decodes a token as far as possible.
    package init(_ token: String) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        let node = { (index: Int) -> JSONNode? in
            guard let bytes = Base64URL.decode(parts[index]), let node = try? JSONNode(parsing: bytes),
                case .object = node.value
            else { return nil }
            return node
        }
        if parts.count == 3, let header = node(0), let claims = node(1) {
            self = .signed(header: header, claims: claims)
        } else if parts.count == 5, let header = node(0) {
            self = .encrypted(header: header)
        } else {
            self = .opaque
        }
    }
}
