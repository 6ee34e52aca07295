/// A request for a device code (RFC 8628 3.1): the form that is posted.
public struct DeviceRequest: Hashable, Sendable {
    /// The application's (client) id.
    public let clientID: String
    /// The API's scopes; those of OpenID Connect are added.
    public let scopes: ScopeSet
    /// Claims that a server demanded.
    public let claims: ClaimsRequest?

    /// Makes a request.
    public init(clientID: String, scopes: ScopeSet, claims: ClaimsRequest? = nil) {
        self.clientID = clientID
        self.scopes = scopes
        self.claims = claims
    }

    /// The body, form-encoded.
    public var body: String {
        FormEncoding.encode(
            [
                (name: "client_id", value: clientID), (name: "scope", value: scopes.union(.openID).description),
            ] + (claims.map { [(name: "claims", value: $0.text)] } ?? []))
    }
}
