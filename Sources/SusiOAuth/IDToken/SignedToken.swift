package import SusiBase
import SusiPolicies

/// A signed JWT in compact form (RFC 7515 section 3.1), parsed but not verified.
package struct SignedToken: Hashable, Sendable {
    /// The header's `alg`.
    package let algorithm: String
    /// The header's `kid`.
    package let keyID: String?
    /// The header's `typ`, the type of the token.
    package let type: String?
    package let claims: JSONNode
    /// The claims as the signed JSON text.
    package let claimsText: String
    let signedBytes: [UInt8]
    let signature: [UInt8]

    /// Parses a token.
    ///
    /// Encrypted tokens and headers with critical extensions are errors; no extension is supported (RFC 7515 4.1.11).
    /// Keys and key addresses in the header are ignored (RFC 8725 3.10).
    package init(parsing token: String) throws(ProtocolViolation) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count != 5 else {
            throw ProtocolViolation(
                .idToken, "it is encrypted (JWE), which is not supported",
                source: "OpenID Connect Core 3.1.3.7 (1)")
        }
        guard parts.count == 3, let head = Base64URL.decode(parts[0], allowsPadding: true),
            let body = Base64URL.decode(parts[1], allowsPadding: true),
            let signature = Base64URL.decode(parts[2], allowsPadding: true),
            let text = String(validating: body, as: UTF8.self),
            let header = try? JSONNode(parsing: head), let claims = try? JSONNode(parsing: body), claims.isObject,
            let algorithm = header["alg"]?.string
        else { throw ProtocolViolation(.idToken, "not a signed JWT", source: "RFC 7519 7.2") }
        try Self.check(header)
        self.algorithm = algorithm
        keyID = header["kid"]?.string
        type = header["typ"]?.string
        self.claims = claims
        claimsText = text
        signedBytes = Array("\(parts[0]).\(parts[1])".utf8)
        self.signature = signature
    }

    /// Whether a `typ` names another type than an id token, for example `at+jwt` (RFC 8725 section 3.11).
    package static func isOtherKind(_ type: String) -> Bool { type.lowercased().hasSuffix("+jwt") }

    private static func check(_ header: JSONNode) throws(ProtocolViolation) {
        guard !header.members.contains(where: { $0.name == "crit" }) else {
            throw ProtocolViolation(.idToken, "its header requires extensions (crit)", source: "RFC 7515 4.1.11")
        }
        if let keyID = header["kid"], keyID.string == nil {
            throw ProtocolViolation(.idToken, "kid: expected a string, found \(keyID.kind)", source: "RFC 7515 4.1.4")
        }
    }
}
