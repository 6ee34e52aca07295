import SusiPolicies

/// Where the answer to an authorization request goes; it is known before the rest of the request is read.
struct ReturnAddress: Sendable {
    let endpoint: PolicyEndpoint
    let clientID: String
    let redirectURI: String
    let responseMode: AuthorizationRequest.ResponseMode
    let state: String?
    /// For the audit trail.
    let acrValues: String?
    /// The language of a page on the way there.
    var language = Language.english

    /// Reads the redirect address. A refusal of it is never redirected (RFC 6749 section 4.1.2.1).
    init(_ parameters: Parameters, of application: RegisteredApplication, _ endpoint: PolicyEndpoint) throws(Refusal) {
        guard let address = parameters["redirect_uri"] else { throw .missing("redirect_uri") }
        guard application.allows(redirect: address, ports: endpoint.tenant.configuration.redirectPorts) else {
            throw Refusal(
                .redirectNotRegistered,
                """
                The redirect URI '\(address)' provided in the request is not registered for the client id \
                '\(application.clientID)'.
                """
            ).because(
                """
                redirect_uri \(address) is not registered for \(application.clientID); registered: \
                \(application.redirectAddresses.joined(separator: ", "))
                """)
        }
        self.endpoint = endpoint
        clientID = application.clientID
        redirectURI = address
        state = parameters["state"]
        acrValues = parameters["acr_values"]
        responseMode = Self.mode(parameters)
    }

    init(_ request: AuthorizationRequest, _ endpoint: PolicyEndpoint) {
        self.endpoint = endpoint
        clientID = request.clientID
        redirectURI = request.redirectURI
        responseMode = request.responseMode
        state = request.state
        acrValues = request.acrValues
        language = request.language ?? .english
    }

    // What gives tokens goes into the fragment, its errors too (OAuth 2.0 Multiple Response Type Encoding Practices
    // section 2.1).
    private static func mode(_ parameters: Parameters) -> AuthorizationRequest.ResponseMode {
        let asked = parameters["response_mode"].flatMap(AuthorizationRequest.ResponseMode.init)
        let givesTokens = parameters["response_type"].flatMap { ResponseTypes($0) }?.giveTokens ?? false
        return givesTokens && asked != .formPost ? .fragment : asked ?? .query
    }

    /// A code, tokens, or both.
    func answer(_ fields: [(String, String?)]) -> Response { send(fields + [("state", state)]) }

    /// An error (RFC 6749 section 4.1.2.1).
    func answer(_ refusal: Refusal, now: Int64) -> Response {
        let message = endpoint.message(of: refusal, now: now)
        let answer = send(
            [
                ("error", refusal.code == .consentNeeded ? "consent_required" : message.error),
                ("error_description", message.text), ("claims", refusal.claims), ("state", state),
            ])
        return answer.noting(refusal, message)
    }

    private func send(_ fields: [(String, String?)]) -> Response {
        var answer = response(fields)
        answer.facts.clientID = clientID
        answer.facts.acrValues = acrValues
        return answer
    }

    private func response(_ fields: [(String, String?)]) -> Response {
        // RFC 9207 section 2: on errors too.
        let issuer = endpoint.tenant.configuration.issuerParameter == .off ? nil : endpoint.issuer
        let present = (fields + [("iss", issuer)]).compactMap { name, value in value.map { (name, $0) } }
        let text = present.map { "\($0)=\(percentEncoded($1))" }.joined(separator: "&")
        switch responseMode {
        case .query:
            let joint = redirectURI.contains("?") ? "&" : "?"
            return .redirect(to: redirectURI + joint + text)
        case .fragment:
            return .redirect(to: "\(redirectURI)#\(text)")
        case .formPost:
            return FormPostPage.answer(Words(language: language), to: redirectURI, fields: present)
        }
    }

    /// What a content security policy calls the redirect's target: its origin, or a scheme that is not of the web.
    static func origin(of address: String) -> String {
        guard let colon = address.firstIndex(of: ":") else { return "" }
        let scheme = address[..<colon].lowercased()
        var source = "\(scheme):"
        if ["http", "https"].contains(scheme), let start = address.firstRange(of: "://")?.upperBound {
            let end = address[start...].firstIndex { "/?#".contains($0) } ?? address.endIndex
            source = String(address[..<end])
        }
        // Characters that would end the directive cannot come from a registered address; they are dropped all the same.
        return source.filter { !" ;,'".contains($0) }
    }
}
