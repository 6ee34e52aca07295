public import SusiPolicies

/// An authority's OpenID configuration (OpenID Connect Discovery 1.0 section 3), checked against the authority.
public struct ProviderMetadata: Hashable, Sendable {
    /// Who issues the tokens.
    public let issuer: String
    /// The tenant's GUID, as the issuer states it.
    public let tenantID: String
    /// Where the browser goes.
    public let authorizationEndpoint: WebAddress
    /// Where codes and refresh tokens are exchanged.
    public let tokenEndpoint: WebAddress
    /// Where the signing keys are.
    public let keysEndpoint: WebAddress
    /// Where a browser's session ends; nil when the server has no such place.
    public let endSessionEndpoint: WebAddress?
    /// The algorithms that id tokens are signed with.
    public let signingAlgorithms: [String]
    /// Whether every answer of the authorization endpoint carries `iss` (RFC 9207).
    public let announcesIssuerParameter: Bool

    /// Reads the answer to a discovery request.
    ///
    /// The issuer must be right for the authority, and every endpoint must be on the authority's own origin: a
    /// configuration cannot send a code or a token elsewhere.
    public init(parsing body: [UInt8], of authority: Authority) throws(ProtocolViolation) {
        let node: JSONNode
        do { node = try JSONNode(parsing: body) } catch {
            throw ProtocolViolation(.metadata, "it is no JSON: \(error.problem)", source: "OpenID Discovery 4.2")
        }
        guard let issuer = node["issuer"]?.string else {
            throw ProtocolViolation(.metadata, "it has no issuer", source: "OpenID Discovery 3")
        }
        guard let tenantID = authority.tenantID(inIssuer: issuer) else {
            throw ProtocolViolation(
                .metadata, "its issuer “\(issuer)” is not right for \(authority.address)",
                source: "OpenID Discovery 4.3")
        }
        self.issuer = issuer
        self.tenantID = tenantID
        let required = { (name: String) throws(ProtocolViolation) -> WebAddress in
            guard let endpoint = try Self.endpoint(name, node, authority) else {
                throw ProtocolViolation(.metadata, "it has no \(name)", source: "OpenID Discovery 3")
            }
            return endpoint
        }
        authorizationEndpoint = try required("authorization_endpoint")
        tokenEndpoint = try required("token_endpoint")
        keysEndpoint = try required("jwks_uri")
        endSessionEndpoint = try Self.endpoint("end_session_endpoint", node, authority)
        signingAlgorithms = node["id_token_signing_alg_values_supported"]?.strings ?? []
        announcesIssuerParameter = node["authorization_response_iss_parameter_supported"]?.bool ?? false
    }

    private static func endpoint(
        _ name: String, _ node: JSONNode, _ authority: Authority
    ) throws(ProtocolViolation) -> WebAddress? {
        guard let field = node[name] else { return nil }
        guard let text = field.string, let address = try? WebAddress(text) else {
            throw ProtocolViolation(.metadata, "its \(name) is no address", source: "OpenID Discovery 3")
        }
        guard address.origin == authority.base.origin else {
            throw ProtocolViolation(
                .metadata, "its \(name) is at \(address.origin), not at \(authority.base.origin)",
                source: "RFC 9700 4.4")
        }
        return address
    }
}
