/// The values of `response_type`, in any order (OAuth 2.0 Multiple Response Type Encoding Practices, section 3).
struct ResponseTypes: OptionSet, Hashable, Codable, Sendable {
    let rawValue: Int

    static let code = ResponseTypes(rawValue: 1)
    static let idToken = ResponseTypes(rawValue: 2)
    static let token = ResponseTypes(rawValue: 4)

    private static let words: [Substring: ResponseTypes] = ["code": .code, "id_token": .idToken, "token": .token]

    init(rawValue: Int) { self.rawValue = rawValue }

    /// Reads `response_type`. Returns `nil` if a value is unknown or repeated, or if there is none.
    init?(_ text: String) {
        var types: ResponseTypes = []
        for word in text.split(separator: " ") {
            guard let type = Self.words[word], types.insert(type).inserted else { return nil }
        }
        guard !types.isEmpty else { return nil }
        self = types
    }

    /// Whether the redirect carries a token, which is not allowed in a query (section 5).
    var giveTokens: Bool { !isDisjoint(with: [.idToken, .token]) }
}

extension ResponseTypes {
    /// Reads the types of a request. Refuses those that the tenant or the application does not allow.
    init(
        _ parameters: Parameters, of application: RegisteredApplication, _ endpoint: PolicyEndpoint
    ) throws(Refusal) {
        guard let text = parameters["response_type"] else { throw .missing("response_type") }
        guard let types = ResponseTypes(text),
            endpoint.dialect.traits.responseTypes.contains(where: { ResponseTypes($0) == types })
        else {
            throw Refusal(
                .responseTypeUnsupported,
                "The requested response type '\(text)' provided in the request is not supported."
            ).because(
                "response_type \(text); supported: \(endpoint.dialect.traits.responseTypes.joined(separator: ", "))")
        }
        guard application.allowsImplicit || !types.giveTokens else {
            throw Refusal(
                .implicitNotAllowed, "The provided application is not configured to allow the 'OAuth' Implicit flow."
            ).because(
                "response_type \(text); the application does not allow the implicit flow, only response_type code")
        }
        if let mode = parameters["response_mode"],
            AuthorizationRequest.ResponseMode(rawValue: mode) == nil || types.giveTokens && mode == "query"
        {
            throw Refusal(
                .responseModeUnsupported,
                "The requested response mode '\(mode)' provided in the request is not supported.")
        }
        // OpenID Connect Core section 3.2.2.1.
        if types.contains(.idToken), parameters["nonce"] == nil { throw .missing("nonce") }
        self = types
    }

    /// Refuses scopes that do not allow these response types.
    func check(_ scopes: RequestedScopes, _ scope: String) throws(Refusal) {
        let hasResource = if case .none = scopes.resource { false } else { true }
        if contains(.idToken), !scopes.wants("openid") {
            throw Refusal(
                .openIDMissing,
                "The scope parameter must include 'openid' when requesting a response_type that includes 'id_token'.")
        }
        if contains(.token), !hasResource { throw .withoutResource(scope) }
        guard hasResource || scopes.wants("openid") else {
            throw Refusal(
                .nothingAsked,
                """
                When requesting the 'code' response_type, the scope parameter must include a resource or client ID for \
                access tokens, and 'openid' for ID tokens. Additionally include 'offline_access' for refresh tokens.
                """)
        }
    }
}
