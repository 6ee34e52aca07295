import SusiBase
package import SusiPolicies

/// A request of a public client to the token endpoint.
package enum TokenRequest: Hashable, Sendable {
    /// Exchanges a code (RFC 6749 4.1.3, RFC 7636 4.5).
    case code(String, request: AuthorizationRequest)
    /// Exchanges a refresh token (RFC 6749 section 6). Without a scope the server grants everything as before.
    case refresh(String, clientID: String, scope: ScopeSet?)
    /// Signs in by user name and password (RFC 6749 4.3.2).
    case password(
        PasswordCredentials, authority: Authority, clientID: String, scopes: ScopeSet, openIDScopes: ScopeSet = .openID)
    /// Polls for the tokens of a device (RFC 8628 3.4).
    case deviceCode(String, clientID: String)

    /// Whether the request may be sent again after a response that leaves open whether it was processed.
    ///
    /// A code is redeemed once, a password may count as another attempt, and a device polls anyway. A refresh token may be
    /// spent too where they rotate; but it is the only one that is stored, so the next command would send it as well, later.
    package var isRepeatable: Bool { if case .refresh = self { true } else { false } }

    /// The form-encoded body. It contains secrets: it is sent and never shown.
    package var body: String { FormEncoding.encode(fields + [(name: "client_info", value: "1")]) }

    private var fields: [(name: String, value: String)] {
        switch self {
        case .code(let code, let request):
            [
                (name: "grant_type", value: "authorization_code"),
                (name: "client_id", value: request.clientID),
                (name: "code", value: code),
                (name: "redirect_uri", value: request.redirectURI),
                (name: "code_verifier", value: request.pkce.verifier),
                (name: "scope", value: request.scopes.union(request.openIDScopes).description),
            ] + (request.options.claims.map { [(name: "claims", value: $0.text)] } ?? [])
        case .refresh(let token, let clientID, let scope):
            [
                (name: "grant_type", value: "refresh_token"),
                (name: "client_id", value: clientID),
                (name: "refresh_token", value: token),
            ] + (scope.map { [(name: "scope", value: $0.description)] } ?? [])
        case .password(let credentials, let authority, let clientID, let scopes, let openIDScopes):
            [
                (name: "grant_type", value: "password"),
                (name: "client_id", value: clientID),
                (name: "username", value: credentials.username),
                (name: "password", value: credentials.password),
                (name: "scope", value: scopes.union(openIDScopes).description),
            ]
                + (authority.kind.traits.passwordGrantNeedsResponseType
                    ? [(name: "response_type", value: "token id_token")] : [])
        case .deviceCode(let code, let clientID):
            [
                (name: "grant_type", value: "urn:ietf:params:oauth:grant-type:device_code"),
                (name: "client_id", value: clientID),
                (name: "device_code", value: code),
            ]
        }
    }
}

/// A user name with its password. It is a secret.
public struct PasswordCredentials: Hashable, Sendable {
    package let username: String
    package let password: String

    /// Makes credentials.
    public init(username: String, password: String) {
        self.username = username
        self.password = password
    }
}
