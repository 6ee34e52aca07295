import SusiBase
import SusiPolicies

/// The destination of an authorization response. It is known before the rest of the request is read.
struct ReturnAddress: Sendable {
    let endpoint: PolicyEndpoint
    let clientID: String
    let redirectURI: String
    let responseMode: AuthorizationRequest.ResponseMode
    let state: String?
    /// The requested authentication contexts, for the audit trail.
    let acrValues: String?
    /// The language of the page that posts the response.
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
        self.init(parameters, to: address, of: application, endpoint)
    }

    /// The registered address that learns of another one's refusal, in the service as captured; nil where a page shows it. No
    /// source tells which one of several the service takes.
    init?(_ parameters: Parameters, registeredFor application: RegisteredApplication, _ endpoint: PolicyEndpoint) {
        guard endpoint.dialect.traits.redirectsToRegistered, let address = application.redirectAddresses.first
        else { return nil }
        self.init(parameters, to: address, of: application, endpoint)
    }

    private init(
        _ parameters: Parameters, to address: String, of application: RegisteredApplication, _ endpoint: PolicyEndpoint
    ) {
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

    // Tokens go into the fragment, and so do the errors of their requests (OAuth 2.0 Multiple Response Type Encoding
    // Practices section 2.1).
    private static func mode(_ parameters: Parameters) -> AuthorizationRequest.ResponseMode {
        let asked = parameters["response_mode"].flatMap(AuthorizationRequest.ResponseMode.init)
        let givesTokens = parameters["response_type"].flatMap { ResponseTypes($0) }?.giveTokens ?? false
        return givesTokens && asked != .formPost ? .fragment : asked ?? .query
    }

    /// The response with a code, tokens, or both.
    func response(_ fields: [(String, String?)]) -> Response { sent(fields + [("state", state)]) }

    /// The error response (RFC 6749 section 4.1.2.1).
    func response(_ refusal: Refusal, now: Int64) -> Response {
        let message = endpoint.message(of: refusal, now: now)
        let response = sent(
            [
                ("error", refusal.code == .consentNeeded ? "consent_required" : message.error),
                ("error_description", message.text.isEmpty ? nil : message.text), ("claims", refusal.claims),
                ("state", state),
            ])
        return response.noting(refusal, message)
    }

    private func sent(_ fields: [(String, String?)]) -> Response {
        var response = encoded(fields)
        response.facts.clientID = clientID
        response.facts.acrValues = acrValues
        return response
    }

    private func encoded(_ fields: [(String, String?)]) -> Response {
        // RFC 9207 section 2: on errors too.
        let issuer = endpoint.tenant.configuration.issuerParameter == .off ? nil : endpoint.issuer
        let present = (fields + [("iss", issuer)]).compactMap { name, value in value.map { (name, $0) } }
        let text = present.map { "\($0)=\(PercentEncoding.encode($1))" }.joined(separator: "&")
        switch responseMode {
        case .query:
            let joint = redirectURI.contains("?") ? "&" : "?"
            return .redirect(to: redirectURI + joint + text)
        case .fragment:
            return .redirect(to: "\(redirectURI)#\(text)")
        case .formPost:
            return FormPostPage.response(Words(language: language), to: redirectURI, fields: present)
        }
    }

    /// The source expression of an address in a content security policy: its origin, or the scheme if it is not a web page.
    static func origin(of address: String) -> String {
        guard let colon = address.firstIndex(of: ":") else { return "" }
        let scheme = address[..<colon].lowercased()
        var source = "\(scheme):"
        if ["http", "https"].contains(scheme), let start = address.firstRange(of: "://")?.upperBound {
            let end = address[start...].firstIndex { "/?#".contains($0) } ?? address.endIndex
            source = String(address[..<end])
        }
        // Registered addresses have no characters that end the directive; this drops them anyway.
        return source.filter { !" ;,'".contains($0) }
    }
}
