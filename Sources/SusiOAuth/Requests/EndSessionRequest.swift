import SusiBase
package import SusiPolicies

/// A request that ends the browser's session at the provider (OpenID Connect RP-Initiated Logout 1.0 section 2).
package struct EndSessionRequest: Hashable, Sendable {
    package let clientID: String
    /// The address that the browser opens afterwards.
    package let redirectURI: String
    /// An id token of the session, which may have expired; `nil` if none is stored. It is a secret.
    package let idTokenHint: String?
    /// Binds the response to this request.
    package let state: String

    /// Makes a request with a new state.
    package init(clientID: String, redirectURI: String, idTokenHint: String?) {
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.idTokenHint = idTokenHint
        state = RandomBytes.text()
    }

    /// The address that the browser opens. With a hint it is a secret and must not appear in an argument list.
    package func url(at endpoint: Endpoint) -> String {
        var fields = [
            (name: "client_id", value: clientID),
            (name: "post_logout_redirect_uri", value: redirectURI),
            (name: "state", value: state),
        ]
        if let idTokenHint { fields.append((name: "id_token_hint", value: idTokenHint)) }
        return endpoint.adding(query: FormEncoding.encode(fields))
    }

    /// Whether a query at the redirect address is the response to this request.
    package func isCompleted(by query: String) -> Bool {
        FormEncoding.decode(query)?.filter { $0.name == "state" }.map(\.value) == [state]
    }
}
