import SusiPolicies

/// Where the answer to an authorization request goes; it is known before the rest of the request is read.
struct ReturnAddress: Sendable {
    let place: Place
    let clientID: String
    let redirectURI: String
    let responseMode: AuthorizationRequest.ResponseMode
    let state: String?
    /// The language of a page on the way there.
    var language = Language.english

    /// Reads client and redirect address. A refusal of these is never redirected (RFC 6749 section 4.1.2.1).
    init(_ parameters: Parameters, _ place: Place) throws(Refusal) {
        let tenant = place.tenant
        guard let clientID = parameters["client_id"] else {
            throw Refusal(.clientMissing, "The request does not contain a client id parameter.")
        }
        guard let application = place.registered(clientID) else {
            throw Refusal(
                .clientUnknown,
                """
                The provided application with ID '\(clientID)' is not valid against this service. \
                Please use an application created via the B2C portal and try again.
                """
            ).because(tenant.unknownClient(clientID))
        }
        guard let address = parameters["redirect_uri"] else { throw .missing("redirect_uri") }
        guard application.allows(redirect: address, ports: tenant.configuration.redirectPorts) else {
            throw Refusal(
                .redirectNotRegistered,
                """
                The redirect URI '\(address)' provided in the request is not registered for the client id \
                '\(clientID)'.
                """
            ).because(
                """
                redirect_uri \(address) is not registered for \(application.clientID); registered are \
                \(application.redirectAddresses.joined(separator: ", "))
                """)
        }
        self.place = place
        self.clientID = application.clientID
        redirectURI = address
        state = parameters["state"]
        responseMode = parameters["response_mode"].flatMap(AuthorizationRequest.ResponseMode.init) ?? .query
    }

    init(_ request: AuthorizationRequest, _ place: Place) {
        self.place = place
        clientID = request.clientID
        redirectURI = request.redirectURI
        responseMode = request.responseMode
        state = request.state
        language = request.language ?? .english
    }

    /// A code (RFC 6749 section 4.1.2).
    func answer(code: String, clientInfo: String?) -> Answer {
        send([("code", code), ("state", state), ("client_info", clientInfo)])
    }

    /// An error (RFC 6749 section 4.1.2.1).
    func answer(_ refusal: Refusal, now: Int64) -> Answer {
        let message = place.shape.message(of: refusal, now: now)
        let answer = send(
            [
                ("error", refusal.code == .consentNeeded ? "consent_required" : message.error),
                ("error_description", message.text), ("claims", refusal.claims), ("state", state),
            ])
        return answer.noting(refusal, message)
    }

    private func send(_ fields: [(String, String?)]) -> Answer {
        var answer = response(fields)
        answer.facts.clientID = clientID
        return answer
    }

    private func response(_ fields: [(String, String?)]) -> Answer {
        // RFC 9207 section 2: on errors too.
        let issuer = place.tenant.configuration.issuerParameter == .off ? nil : place.issuer
        let present = (fields + [("iss", issuer)]).compactMap { name, value in value.map { (name, $0) } }
        let text = present.map { "\($0)=\(percentEncoded($1))" }.joined(separator: "&")
        switch responseMode {
        case .query:
            let joint = redirectURI.contains("?") ? "&" : "?"
            return .redirect(to: redirectURI + joint + text)
        case .fragment:
            return .redirect(to: "\(redirectURI)#\(text)")
        case .formPost:
            // The form is sent by the person: the pages have no script that could do it.
            return FormPostPage.answer(Words(language: language), to: redirectURI, fields: present)
        }
    }

    /// The origin of the redirect address, for the content security policy.
    var origin: String { Self.origin(of: redirectURI) }

    static func origin(of address: String) -> String {
        guard let scheme = address.firstRange(of: "://") else { return "" }
        let end = address[scheme.upperBound...].firstIndex { "/?#".contains($0) } ?? address.endIndex
        // Characters that would end the directive cannot come from a registered address; they are dropped all the same.
        return String(address[..<end].filter { !" ;,'".contains($0) })
    }
}
