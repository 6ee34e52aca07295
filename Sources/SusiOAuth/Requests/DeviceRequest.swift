import SusiBase

/// A request for a device code (RFC 8628 3.1).
package struct DeviceRequest: Hashable, Sendable {
    package let clientID: String
    /// The API's scopes; those of OpenID Connect are added.
    package let scopes: ScopeSet
    package let openIDScopes: ScopeSet
    package let claims: ClaimsRequest?
    /// The authentication contexts that a server requires, separated by spaces.
    package let acrValues: String?
    /// The maximum age of the sign-in in seconds that a server requires.
    package let maximumAge: Int64?

    package init(
        clientID: String, scopes: ScopeSet, openIDScopes: ScopeSet = .openID, claims: ClaimsRequest? = nil,
        acrValues: String? = nil, maximumAge: Int64? = nil
    ) {
        self.clientID = clientID
        self.scopes = scopes
        self.openIDScopes = openIDScopes
        self.claims = claims
        self.acrValues = acrValues
        self.maximumAge = maximumAge
    }

    /// The form-encoded body.
    package var body: String {
        let demands = [("claims", claims?.text), ("acr_values", acrValues), ("max_age", maximumAge.map(String.init))]
        return FormEncoding.encode(
            [
                (name: "client_id", value: clientID), (name: "scope", value: scopes.union(openIDScopes).description),
            ] + demands.compactMap { field in field.1.map { (name: field.0, value: $0) } })
    }
}
