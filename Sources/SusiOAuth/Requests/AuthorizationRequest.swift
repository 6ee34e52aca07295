import SusiBase
package import SusiPolicies

/// An authorization request: code flow with PKCE, state and nonce (RFC 6749 4.1.1, RFC 7636 4.3, OpenID Connect Core
/// 3.1.2.1).
package struct AuthorizationRequest: Hashable, Sendable {
    package let authority: Authority
    package let clientID: String
    package let redirectURI: String
    /// The API's scopes; those of OpenID Connect are added.
    package let scopes: ScopeSet
    package let options: AuthorizationOptions
    /// Binds the response to this request (RFC 6749 section 10.12).
    package let state: String
    /// Binds the id token to this request.
    package let nonce: String
    /// Binds the code to this process.
    package let pkce: PKCE

    /// Makes a request with a new state, nonce and verifier.
    package init(
        authority: Authority, clientID: String, redirectURI: String, scopes: ScopeSet,
        options: AuthorizationOptions = AuthorizationOptions()
    ) {
        self.authority = authority
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.scopes = scopes
        self.options = options
        state = RandomText.make()
        nonce = RandomText.make()
        pkce = PKCE()
    }

    package var responseMode: ResponseMode { options.responseMode ?? .query }

    /// The address that the browser opens.
    package func url(at endpoint: Endpoint) -> String {
        let fields = [
            (name: "client_id", value: clientID),
            (name: "response_type", value: "code"),
            (name: "redirect_uri", value: redirectURI),
            (name: "response_mode", value: responseMode.rawValue),
            (name: "scope", value: scopes.union(.openID).description),
            (name: "state", value: state),
            (name: "nonce", value: nonce),
            (name: "code_challenge", value: pkce.challenge),
            (name: "code_challenge_method", value: "S256"),
            (name: "client_info", value: "1"),
        ]
        return endpoint.adding(query: FormEncoding.encode(fields + options.fields))
    }
}
