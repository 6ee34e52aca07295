import SusiPolicies

/// What an application asked at the authorization endpoint, after everything in it was found right.
struct AuthorizationRequest: Codable, Sendable {
    enum ResponseMode: String, Codable { case query, fragment, formPost = "form_post" }

    let clientID: String
    let redirectURI: String
    let responseMode: ResponseMode
    let policy: String
    let scope: String
    let state: String?
    let nonce: String?
    let challenge: String
    let prompt: String?
    let loginHint: String?
    let wantsClientInfo: Bool
}

/// Where the answer to an authorization request goes; it is known before the rest of the request is read.
struct ReturnAddress: Sendable {
    let clientID: String
    let redirectURI: String
    let responseMode: AuthorizationRequest.ResponseMode
    let state: String?

    /// Reads client and redirect address. A refusal of these is never redirected (RFC 6749 section 4.1.2.1).
    init(_ parameters: Parameters, _ tenant: Tenant) throws(Refusal) {
        guard let clientID = parameters["client_id"] else {
            throw Refusal(.clientMissing, "The request does not contain a client id parameter.")
        }
        guard let application = tenant.application(clientID) else {
            throw Refusal(
                .clientUnknown,
                """
                The provided application with ID '\(clientID)' is not valid against this service. \
                Please use an application created via the B2C portal and try again.
                """)
        }
        guard let address = parameters["redirect_uri"] else { throw .missing("redirect_uri") }
        guard application.allows(redirect: address, ports: tenant.configuration.redirectPorts) else {
            throw Refusal(
                .redirectNotRegistered,
                """
                The redirect URI '\(address)' provided in the request is not registered for the client id \
                '\(clientID)'.
                """)
        }
        self.clientID = application.clientID
        redirectURI = address
        state = parameters["state"]
        responseMode = parameters["response_mode"].flatMap(AuthorizationRequest.ResponseMode.init) ?? .query
    }

    init(_ request: AuthorizationRequest) {
        clientID = request.clientID
        redirectURI = request.redirectURI
        responseMode = request.responseMode
        state = request.state
    }
}

extension AuthorizationRequest {
    /// Reads the rest of the request.
    init(_ parameters: Parameters, _ address: ReturnAddress, _ place: Place) throws(Refusal) {
        if let repeated = parameters.repeated {
            throw Refusal(.badParameter, "The request contains the parameter more than once: \(repeated).")
        }
        guard let type = parameters["response_type"] else { throw .missing("response_type") }
        guard type == "code" else {
            throw Refusal(
                .implicitNotAllowed, "The provided application is not configured to allow the 'OAuth' Implicit flow.")
        }
        let mode = parameters["response_mode"] ?? "query"
        guard ResponseMode(rawValue: mode) != nil else {
            throw Refusal(.badParameter, "The response mode '\(mode)' provided in request is not supported.")
        }
        guard let scope = parameters["scope"] else { throw .missing("scope") }
        let apis = place.tenant.configuration.apis
        let scopes = try RequestedScopes(scope, clientID: address.clientID, apis: apis)
        guard scopes.wantsOpenID else {
            throw Refusal(.scopeUnsupported, "The scope '\(scope)' provided in the request must contain 'openid'.")
        }
        self.init(
            clientID: address.clientID, redirectURI: address.redirectURI, responseMode: address.responseMode,
            policy: place.policy.name.spelling, scope: scope, state: address.state, nonce: parameters["nonce"],
            challenge: try Self.challenge(parameters), prompt: parameters["prompt"],
            loginHint: parameters["login_hint"], wantsClientInfo: parameters["client_info"] == "1")
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
}
