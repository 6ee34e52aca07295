import SusiPolicies

/// What an application asked at the authorization endpoint, after everything in it was found right.
struct AuthorizationRequest: Codable, Sendable {
    enum ResponseMode: String, Codable { case query, fragment, formPost = "form_post" }

    var clientID: String
    var redirectURI = ""
    var responseMode = ResponseMode.query
    var policy: String
    var scope: String
    var state: String?
    var nonce: String?
    var challenge = ""
    /// A list in which each word stands once (OpenID Connect Core section 3.1.2.1).
    var prompts: Set<String> = []
    var loginHint: String?
    /// The identity provider to go to at once.
    var domainHint: String?
    /// The oldest sign-in that will do, in seconds.
    var maxAge: Int64?
    /// The `claims` parameter as it came.
    var claims: String?
    /// The person whom an id token as a hint names.
    var expectedUser: String?
    /// The language of its pages.
    var language: Language?
    /// Parameters that become claims.
    var parameters: [String: String] = [:]
    var wantsClientInfo = false
    /// The code that a device shows; the answer goes to that device then, and not to an address.
    var device: String?

    /// Whether a session may answer this request without asking the person.
    func accepts(_ session: Session, now: Int64) -> Bool {
        guard prompts.isDisjoint(with: ["login", "select_account", "create"]) else { return false }
        if let maxAge, session.authTime + maxAge < now { return false }
        if let expectedUser, expectedUser != session.user.objectID { return false }
        // What a session has shown is not enough for an authentication context of its own.
        return ClaimsRequest(claims)?.contexts.isEmpty ?? true
    }
}

extension AuthorizationRequest {
    /// Reads the rest of a request whose return address is known.
    init(_ parameters: Parameters, _ address: ReturnAddress, _ place: Place, now: Int64) throws {
        if let repeated = parameters.repeated {
            throw Refusal(.badParameter, "The request contains the parameter more than once: \(repeated).")
        }
        guard let type = parameters["response_type"] else { throw Refusal.missing("response_type") }
        guard type == "code" else {
            throw Refusal(
                .implicitNotAllowed, "The provided application is not configured to allow the 'OAuth' Implicit flow."
            ).because("response_type \(type); only code is allowed")
        }
        let mode = parameters["response_mode"] ?? "query"
        guard ResponseMode(rawValue: mode) != nil else {
            throw Refusal(.badParameter, "The response mode '\(mode)' provided in request is not supported.")
        }
        guard let scope = parameters["scope"] else { throw Refusal.missing("scope") }
        let configuration = place.tenant.configuration
        let scopes = try RequestedScopes(scope, clientID: address.clientID, configuration)
        guard scopes.wants("openid") else {
            throw Refusal(.scopeUnsupported, "The scope '\(scope)' provided in the request must contain 'openid'.")
        }
        self.init(clientID: address.clientID, policy: place.policy.name.spelling, scope: scope)
        redirectURI = address.redirectURI
        responseMode = address.responseMode
        state = address.state
        nonce = parameters["nonce"]
        challenge = try Self.challenge(parameters)
        prompts = try Self.prompts(parameters)
        loginHint = parameters["login_hint"]
        domainHint = parameters["domain_hint"]
        maxAge = try Self.maxAge(parameters)
        claims = try Self.claims(parameters)
        expectedUser = try parameters["id_token_hint"].map { try IDTokenHint($0, place, now: now).person }
        for name in configuration.claimedParameters { self.parameters[name] = parameters[name] }
        wantsClientInfo = parameters["client_info"] == "1"
    }

    // RFC 7636 section 4.3: without a method it is `plain`, which this tenant refuses, as RFC 9700 section 2.1.1 advises.
    private static func challenge(_ parameters: Parameters) throws(Refusal) -> String {
        guard let challenge = parameters["code_challenge"] else { throw .missing("code_challenge") }
        let method = parameters["code_challenge_method"] ?? "plain"
        guard method == "S256" else {
            throw Refusal(
                .challengeMethod, "The code_challenge_method '\(method)' is not supported. Supported is 'S256'.")
        }
        guard bytes(base64URL: challenge)?.count == 32 else {
            throw Refusal(.badParameter, "The code_challenge is no SHA-256 in base64url.")
        }
        return challenge
    }

    private static func prompts(_ parameters: Parameters) throws(Refusal) -> Set<String> {
        let prompts = Set((parameters["prompt"] ?? "").split(separator: " ").map(String.init))
        guard !prompts.contains("none") || prompts.count == 1 else {
            throw Refusal(.badParameter, "The prompt 'none' does not go with another one.")
        }
        return prompts
    }

    private static func maxAge(_ parameters: Parameters) throws(Refusal) -> Int64? {
        guard let text = parameters["max_age"] else { return nil }
        guard let age = Int64(text), age >= 0, age < 1 << 40 else {
            throw Refusal(.badParameter, "The max_age '\(text)' provided in the request is no number of seconds.")
        }
        return age
    }

    static func claims(_ parameters: Parameters) throws(Refusal) -> String? {
        guard let text = parameters["claims"] else { return nil }
        guard ClaimsRequest(text) != nil else {
            throw Refusal(.badParameter, "The claims parameter provided in the request is no JSON object.")
        }
        return text
    }
}
