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
    package let openIDScopes: ScopeSet
    package let options: AuthorizationOptions
    /// Binds the response to this request (RFC 6749 section 10.12).
    package let state: String
    /// Binds the id token to this request.
    package let nonce: String
    /// Binds the code to this process.
    package let pkce: PKCE

    /// Makes a request with a new state, nonce and verifier.
    package init(
        authority: Authority, clientID: String, redirectURI: String, scopes: ScopeSet, openIDScopes: ScopeSet = .openID,
        options: AuthorizationOptions = AuthorizationOptions()
    ) {
        self.authority = authority
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.scopes = scopes
        self.openIDScopes = openIDScopes
        self.options = options
        state = RandomBytes.text()
        nonce = RandomBytes.text()
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
            (name: "scope", value: scopes.union(openIDScopes).description),
            (name: "state", value: state),
            (name: "nonce", value: nonce),
            (name: "code_challenge", value: pkce.challenge),
            (name: "code_challenge_method", value: "S256"),
            (name: "client_info", value: "1"),
        ]
        return endpoint.adding(query: FormEncoding.encode(fields + options.fields))
    }
}

/// The values of `prompt` (OpenID Connect Core 3.1.2.1).
public enum Prompt: String, CaseIterable, Sendable {
    case none
    case login
    case consent
    case selectAccount = "select_account"
    /// Begins with the sign-up (Initiating User Registration via OpenID Connect 1.0).
    case create
}

/// The optional parameters of an authorization request.
public struct AuthorizationOptions: Hashable, Sendable {
    /// The prompt; `nil` leaves it to the server.
    package var prompt: Prompt?
    /// The login hint; never a placeholder.
    package var loginHint: String?
    /// The identity provider or domain to go to directly (Azure AD B2C, Microsoft Entra ID).
    package var domainHint: String?
    /// The languages of the page, best first, separated by spaces (OpenID Connect Core 3.1.2.1).
    package var uiLocales: String?
    /// The maximum age of the last sign-in in seconds; the id token's `auth_time` is checked (OpenID Connect Core
    /// 3.1.2.1).
    package var maximumAge: Int64?
    /// The requested authentication contexts, best first, separated by spaces (OpenID Connect Core 3.1.2.1).
    package var acrValues: String?
    /// The requested claims (OpenID Connect Core 5.5).
    package var claims: ClaimsRequest?
    /// An id token for the request's own policy, which the application may have issued itself. It is a secret: an address
    /// that contains it is neither shown nor passed to a program.
    package var idTokenHint: String?
    /// The stored id token of the person, for policies that need one.
    package var storedIDToken: String?
    /// Parameters for a custom policy.
    package var extra: [ExtraParameter] = []
    /// The response mode; `nil` leaves it to the policy.
    package var responseMode: ResponseMode?

    /// Makes options; all are optional. `idTokenHint` is a secret.
    public init(
        prompt: Prompt? = nil, loginHint: String? = nil, domainHint: String? = nil, uiLocales: String? = nil,
        maximumAge: Int64? = nil, acrValues: String? = nil, idTokenHint: String? = nil
    ) {
        self.prompt = prompt
        self.loginHint = loginHint
        self.domainHint = domainHint
        self.uiLocales = uiLocales
        self.maximumAge = maximumAge
        self.acrValues = acrValues
        self.idTokenHint = idTokenHint
    }

    /// The parameters, in a fixed order.
    var fields: [(name: String, value: String)] {
        let given = [
            ("prompt", prompt?.rawValue), ("login_hint", loginHint), ("domain_hint", domainHint),
            ("ui_locales", uiLocales), ("max_age", maximumAge.map(String.init)), ("acr_values", acrValues),
            ("claims", claims?.text), ("id_token_hint", idTokenHint),
        ]
        return given.compactMap { field in field.1.map { (name: field.0, value: $0) } }
            + extra.map { (name: $0.name, value: $0.value) }
    }
}
