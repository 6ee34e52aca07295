public import SusiPolicies

/// A request that ends the browser's session at the provider (OpenID Connect RP-Initiated Logout 1.0 section 2).
public struct EndSessionRequest: Hashable, Sendable {
    /// The application's (client) id.
    public let clientID: String
    /// Where the browser goes afterwards.
    public let redirectURI: String
    /// Whose session it is: an id token, which may have expired; nil when none is stored. It is a secret.
    public let idTokenHint: String?
    /// Comes back with the browser.
    public let state: String

    /// Makes a request with a fresh state.
    public init(clientID: String, redirectURI: String, idTokenHint: String?) {
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.idTokenHint = idTokenHint
        state = RandomText.make()
    }

    /// The address that the browser goes to. With a hint it is a secret: it must not stand in an argument list.
    public func url(at endpoint: Endpoint) -> String {
        var fields = [
            (name: "client_id", value: clientID),
            (name: "post_logout_redirect_uri", value: redirectURI),
            (name: "state", value: state),
        ]
        if let idTokenHint { fields.append((name: "id_token_hint", value: idTokenHint)) }
        return endpoint.adding(query: FormEncoding.encode(fields))
    }

    /// Whether a query that came to the redirect address answers this request.
    public func isAnswered(by query: String) -> Bool {
        FormEncoding.decode(query)?.filter { $0.name == "state" }.map(\.value) == [state]
    }
}
