public import SusiPolicies

/// An authorization request: code flow with PKCE, state and nonce (RFC 6749 4.1.1, RFC 7636 4.3, OpenID Connect Core
/// 3.1.2.1).
public struct AuthorizationRequest: Hashable, Sendable {
    /// The authority.
    public let authority: Authority
    /// The application's (client) ID.
    public let clientID: String
    /// The redirect address.
    public let redirectURI: String
    /// The API's scopes; those of OpenID Connect are added.
    public let scopes: ScopeSet
    /// Optional parameters.
    public let options: AuthorizationOptions
    /// Binds the response to this request (RFC 6749 section 10.12).
    public let state: String
    /// Binds the id token to this request.
    public let nonce: String
    /// Binds the code to this process.
    public let pkce: PKCE

    /// Makes a request with a new state, nonce and verifier.
    public init(
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

    /// The response mode.
    public var responseMode: ResponseMode { options.responseMode ?? .query }

    /// The address that the browser opens.
    public func url(at endpoint: Endpoint) -> String {
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
