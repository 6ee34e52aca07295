public import SusiPolicies

/// What `prompt` may ask (OpenID Connect Core 3.1.2.1).
public enum Prompt: String, CaseIterable, Sendable {
    case none
    case login
    case consent
    case selectAccount = "select_account"
}

/// What an authorization request may carry beside what the protocol itself demands.
public struct AuthorizationOptions: Hashable, Sendable {
    /// What the page is asked to show; nil leaves it to the server.
    public var prompt: Prompt?
    /// Whom the page may suggest; never a placeholder.
    public var loginHint: String?
    /// The identity provider or the domain that the page may go to at once (Azure AD B2C, Microsoft Entra ID).
    public var domainHint: String?
    /// The languages of the page, best first, with spaces between them (OpenID Connect Core 3.1.2.1).
    public var uiLocales: String?
    /// Seconds that the last sign-in may lie back; the id token's `auth_time` is then checked (OpenID Connect Core 3.1.2.1).
    public var maximumAge: Int64?
    /// The authentication contexts that are wanted, best first, with spaces between them (OpenID Connect Core 3.1.2.1).
    public var acrValues: String?
    /// Claims that are wanted or demanded (OpenID Connect Core 5.5).
    public var claims: ClaimsRequest?
    /// An id token of the person. It is a secret: an address that carries it is neither shown nor given to a program.
    public var idTokenHint: String?
    /// Parameters that a custom policy reads.
    public var extra: [ExtraParameter]
    /// How the answer comes back; nil leaves it to the policy.
    public var responseMode: ResponseMode?

    /// Makes options; without any argument nothing is asked.
    public init(
        prompt: Prompt? = nil, loginHint: String? = nil, domainHint: String? = nil, uiLocales: String? = nil,
        maximumAge: Int64? = nil, acrValues: String? = nil, claims: ClaimsRequest? = nil, idTokenHint: String? = nil,
        extra: [ExtraParameter] = [], responseMode: ResponseMode? = nil
    ) {
        self.prompt = prompt
        self.loginHint = loginHint
        self.domainHint = domainHint
        self.uiLocales = uiLocales
        self.maximumAge = maximumAge
        self.acrValues = acrValues
        self.claims = claims
        self.idTokenHint = idTokenHint
        self.extra = extra
        self.responseMode = responseMode
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
