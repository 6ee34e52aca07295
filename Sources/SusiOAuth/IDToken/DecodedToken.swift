package import SusiBase
import SusiPolicies

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
        if parts.count == 3, let header = Self.object(parts[0]), let claims = Self.object(parts[1]) {
            self = .signed(header: header, claims: claims)
        } else if parts.count == 5, let header = Self.object(parts[0]) {
            self = .encrypted(header: header)
        } else {
            self = .opaque
        }
    }

    /// Returns the JSON object in base64url; `nil` if it is something else.
    package static func object(_ text: some StringProtocol) -> JSONNode? {
        Base64URL.decode(text, allowsPadding: true).flatMap { try? JSONNode(parsing: $0) }.flatMap {
            $0.isObject ? $0 : nil
        }
    }
}
