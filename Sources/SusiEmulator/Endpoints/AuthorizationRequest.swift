import SusiJourneys
import SusiPolicies

/// A valid request of an application at the authorization endpoint.
struct AuthorizationRequest: Codable, Sendable {
    enum ResponseMode: String, Codable { case query, fragment, formPost = "form_post" }

    var clientID: String
    var redirectURI = ""
    var responseTypes = ResponseTypes.code
    var responseMode = ResponseMode.query
    var policy: String
    var scope: String
    var state: String?
    var nonce: String?
    var challenge = PKCEChallenge.none
    /// The values of `prompt` (OpenID Connect Core section 3.1.2.1).
    var prompts: Set<String> = []
    var loginHint: String?
    /// The identity provider that replaces the sign-in page.
    var domainHint: String?
    /// The maximum age of the last sign-in, in seconds.
    var maxAge: Int64?
    /// The `claims` parameter as it was sent.
    var claims: String?
    /// The accepted authentication contexts, in the order of preference (OpenID Connect Core section 3.1.2.1). The emulator
    /// provides none; the audit trail shows what was requested.
    var acrValues: String?
    /// The object ID of the user in the `id_token_hint`.
    var expectedUser: String?
    /// The content of the `id_token_hint`, for a policy that reads invitations.
    var invitation: Invitation?
    var language: Language?
    /// Parameters that become claims.
    var parameters: [String: String] = [:]
    /// All parameters, for the journey of a custom policy; without secrets.
    var journeyParameters: [String: String] = [:]
    var wantsClientInfo = false
    /// The code that a device shows. The response then goes to the device, not to a redirect address.
    var device: String?

    /// Returns whether a session signs its user in without a page. `isChosen` says that the user was selected on a page.
    func accepts(_ session: Session, isChosen: Bool, now: Int64) -> Bool {
        guard prompts.isDisjoint(with: ["login", "create"]), isChosen || !prompts.contains("select_account") else {
            return false
        }
        // 0 is the same as prompt=login (OpenID Connect Core section 3.1.2.1).
        if let maxAge, maxAge == 0 || session.authTime + maxAge < now { return false }
        if let email = invitation?.email, email.lowercased() != session.user.email?.lowercased() { return false }
        if let expectedUser, expectedUser != session.user.objectID { return false }
        // A session does not prove an authentication context.
        return ClaimsRequest(claims)?.contexts.isEmpty ?? true
    }
}

extension AuthorizationRequest {
    /// Reads the rest of a request whose return address is known.
    init(
        _ parameters: Parameters, of application: RegisteredApplication, _ address: ReturnAddress, now: Int64
    ) throws {
        let endpoint = address.endpoint
        if let repeated = parameters.repeated { throw Refusal.repeated(repeated) }
        try Self.checkObjects(parameters, endpoint)
        let types = try ResponseTypes(parameters, of: application, endpoint)
        guard let scope = parameters["scope"] else {
            throw Refusal(.scopeMissing, "The request does not contain a scope parameter.")
        }
        let configuration = endpoint.tenant.configuration
        try types.check(try RequestedScopes(scope, clientID: application.clientID, configuration), scope)
        self.init(clientID: application.clientID, policy: endpoint.policy.name.spelling, scope: scope)
        redirectURI = address.redirectURI
        responseTypes = types
        responseMode = address.responseMode
        state = address.state
        nonce = parameters["nonce"]
        if types.contains(.code) {
            let type = application.type(of: redirectURI, ports: configuration.redirectPorts)
            challenge = try PKCEChallenge(parameters, of: application, endpoint, type)
        }
        prompts = try Self.prompts(parameters, endpoint)
        loginHint = parameters["login_hint"]
        domainHint = parameters["domain_hint"]
        maxAge = try Self.maxAge(parameters)
        claims = try Self.claims(parameters)
        if let rules = endpoint.settings.invitations {
            invitation = try Invitation(
                parameters["id_token_hint"], rules, endpoint.tenant, clientID: application.clientID, now: now)
        } else if let token = parameters["id_token_hint"], endpoint.custom?.policy.readsHint != true {
            guard let user = try IDTokenHint(token, endpoint, now: now).user else { throw Refusal.userUnknown }
            expectedUser = user.objectID
        }
        acrValues = address.acrValues
        // A policy can read any parameter, `acr_values` too.
        for name in configuration.claimedParameters { self.parameters[name] = parameters[name] }
        wantsClientInfo = parameters["client_info"] == "1"
        if endpoint.custom != nil {
            journeyParameters = parameters.all.filter { !["id_token_hint", "client_secret"].contains($0.key) }
        }
    }

    // Ignoring a request object would ignore what it demands (OpenID Connect Core sections 6.1, 6.2 and 3.1.2.6).
    private static func checkObjects(_ parameters: Parameters, _ endpoint: PolicyEndpoint) throws(Refusal) {
        let codes: [(String, ErrorCode)] = [("request", .requestObject), ("request_uri", .requestAddress)]
        // A policy may define a parameter with that name.
        for (name, code) in codes where !endpoint.tenant.configuration.claimedParameters.contains(name) {
            guard parameters[name] == nil else {
                throw Refusal(
                    code, "The request parameter '\(name)' is not supported. Send the parameters individually.")
            }
        }
    }

    private static func prompts(_ parameters: Parameters, _ endpoint: PolicyEndpoint) throws(Refusal) -> Set<String> {
        let prompts = Set((parameters["prompt"] ?? "").split(separator: " ").map(String.init))
        let known = endpoint.dialect.traits.prompts
        guard prompts.isSubset(of: known), !prompts.contains("none") || prompts.count == 1 else {
            let names = known.map { "'\($0)'" }
            throw Refusal(
                .promptInvalid,
                """
                The prompt included in the request contains invalid values. Expected \
                \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "").
                """)
        }
        return prompts
    }

    private static func maxAge(_ parameters: Parameters) throws(Refusal) -> Int64? {
        guard let text = parameters["max_age"] else { return nil }
        guard let age = Int64(text), (0...Int64(Int32.max)).contains(age) else {
            throw Refusal(
                .maxAgeInvalid,
                """
                The max age parameter '\(text)' specified in the request is invalid. Max age must be an integer between \
                '0' and '\(Int32.max)' inclusive.
                """)
        }
        return age
    }

    static func claims(_ parameters: Parameters) throws(Refusal) -> String? {
        guard let text = parameters["claims"] else { return nil }
        guard ClaimsRequest(text) != nil else {
            throw Refusal(.badParameter, "The claims parameter provided in the request is not a JSON object.")
        }
        return text
    }
}
