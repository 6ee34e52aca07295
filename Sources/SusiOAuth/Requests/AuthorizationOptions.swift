public import SusiPolicies

/// The values of `prompt` (OpenID Connect Core 3.1.2.1).
public enum Prompt: String, CaseIterable, Sendable {
    case none
    case login
    case consent
    case selectAccount = "select_account"
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
    /// An id token of the person. It is a secret: an address that contains it is neither shown nor passed to a program.
    package var idTokenHint: String?
    /// Parameters for a custom policy.
    package var extra: [ExtraParameter]
    /// The response mode; `nil` leaves it to the policy.
    package var responseMode: ResponseMode?

    /// Makes options; all are optional.
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
