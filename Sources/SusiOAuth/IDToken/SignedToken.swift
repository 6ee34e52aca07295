public import SusiPolicies

/// A token in the compact form of a signed JWT (RFC 7515 section 3.1), taken apart and not yet believed.
public struct SignedToken: Hashable, Sendable {
    /// The header's `alg`.
    public let algorithm: String
    /// The header's `kid`.
    public let keyID: String?
    /// The claims.
    public let claims: JSONNode
    /// The claims as the JSON text that was signed.
    public let claimsText: String
    /// The bytes under the signature.
    let signedBytes: [UInt8]
    let signature: [UInt8]

    /// Takes a token apart. A header that names critical extensions is refused, since none is understood (RFC 7515 4.1.11).
    public init(parsing token: String) throws(ProtocolViolation) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let head = Base64URL.decode(parts[0]), let body = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2]), let text = String(validating: body, as: UTF8.self),
            let header = try? JSONNode(parsing: head), let claims = try? JSONNode(parsing: body),
            let algorithm = header["alg"]?.string
        else { throw ProtocolViolation(.idToken, "it is no signed JWT", source: "RFC 7519 7.2") }
        guard !header.members.contains(where: { $0.name == "crit" }) else {
            throw ProtocolViolation(.idToken, "its header demands extensions", source: "RFC 7515 4.1.11")
        }
        self.algorithm = algorithm
        keyID = header["kid"]?.string
        self.claims = claims
        claimsText = text
        signedBytes = Array("\(parts[0]).\(parts[1])".utf8)
        self.signature = signature
    }
}
