public import SusiPolicies

/// What `prompt` may ask (OpenID Connect Core 3.1.2.1).
public enum Prompt: String, CaseIterable, Sendable {
    case none
    case login
    case consent
    case selectAccount = "select_account"
}

/// One authorization request: code flow with PKCE, state and nonce (RFC 6749 4.1.1, RFC 7636 4.3, OpenID Connect Core 3.1.2.1).
public struct AuthorizationRequest: Hashable, Sendable {
    /// Who is asked.
    public let authority: Authority
    /// The application's (client) id.
    public let clientID: String
    /// Where the answer goes.
    public let redirectURI: String
    /// The API's scopes; those of OpenID Connect are added.
    public let scopes: ScopeSet
    /// What the page is asked to show; nil leaves it to the server.
    public let prompt: Prompt?
    /// Whom the page may suggest; never a placeholder.
    public let loginHint: String?
    /// Ties the answer to this request (RFC 6749 section 10.12).
    public let state: String
    /// Ties the id token to this request.
    public let nonce: String
    /// Ties the code to this process.
    public let pkce: PKCE

    /// Makes a request with a fresh state, nonce and verifier.
    public init(
        authority: Authority, clientID: String, redirectURI: String, scopes: ScopeSet, prompt: Prompt? = nil,
        loginHint: String? = nil
    ) {
        self.authority = authority
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.scopes = scopes
        self.prompt = prompt
        self.loginHint = loginHint
        state = RandomText.make()
        nonce = RandomText.make()
        pkce = PKCE()
    }

    /// The address that the browser opens.
    public func url(at endpoint: Endpoint) -> String {
        var fields = [
            (name: "client_id", value: clientID),
            (name: "response_type", value: "code"),
            (name: "redirect_uri", value: redirectURI),
            (name: "response_mode", value: "query"),
            (name: "scope", value: scopes.union(.openID).description),
            (name: "state", value: state),
            (name: "nonce", value: nonce),
            (name: "code_challenge", value: pkce.challenge),
            (name: "code_challenge_method", value: "S256"),
            (name: "client_info", value: "1"),
        ]
        if let prompt { fields.append((name: "prompt", value: prompt.rawValue)) }
        if let loginHint { fields.append((name: "login_hint", value: loginHint)) }
        return endpoint.adding(query: FormEncoding.encode(fields))
    }
}
