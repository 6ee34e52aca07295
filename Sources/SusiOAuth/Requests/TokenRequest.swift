/// A request to the token endpoint of a public client: the form that is posted.
public enum TokenRequest: Hashable, Sendable {
    /// Exchanges a code (RFC 6749 4.1.3, RFC 7636 4.5).
    case code(String, request: AuthorizationRequest)
    /// Exchanges a refresh token (RFC 6749 section 6).
    case refresh(String, clientID: String, scopes: ScopeSet)

    /// The body, form-encoded. It holds secrets: it is sent and never shown.
    public var body: String {
        switch self {
        case .code(let code, let request):
            FormEncoding.encode([
                (name: "grant_type", value: "authorization_code"),
                (name: "client_id", value: request.clientID),
                (name: "code", value: code),
                (name: "redirect_uri", value: request.redirectURI),
                (name: "code_verifier", value: request.pkce.verifier),
                (name: "scope", value: request.scopes.union(.openID).description),
                (name: "client_info", value: "1"),
            ])
        case .refresh(let token, let clientID, let scopes):
            FormEncoding.encode([
                (name: "grant_type", value: "refresh_token"),
                (name: "client_id", value: clientID),
                (name: "refresh_token", value: token),
                (name: "scope", value: scopes.union(.openID).description),
                (name: "client_info", value: "1"),
            ])
        }
    }
}
