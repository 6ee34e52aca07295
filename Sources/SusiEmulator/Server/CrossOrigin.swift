import HTTPTypes

/// Which web pages may read an answer (the CORS protocol of the Fetch Standard).
///
/// Metadata and keys are for everybody, as with Azure AD B2C: nothing in them is secret, and a library in a page reads them
/// before it knows anything else. Tokens and claims are for the pages of registered origins alone. Everything else is for
/// the emulator's own pages.
enum CrossOrigin {
    private static let shared: Set<Endpoint> = [.metadata, .keys]
    private static let registered: Set<Endpoint> = [.token, .userInfo, .revocation]

    /// The same answer with what its reader's browser needs. Of several clients the one that asked counts.
    static func opening(_ answer: Answer, of route: Route, _ place: Place, _ visit: Visit) -> Answer {
        guard let origin = visit.headers[.origin], case .endpoint(let endpoint) = route.target else { return answer }
        if shared.contains(endpoint) { return answer.setting("Access-Control-Allow-Origin", "*") }
        guard registered.contains(endpoint) else { return answer }
        // Whether it is there depends on who asks, and caches have to know.
        let varying = answer.setting("Vary", "Origin")
        guard applications(endpoint, place, visit).contains(where: { $0.origins.contains(origin) }) else {
            return varying
        }
        return varying.setting("Access-Control-Allow-Origin", origin)
            .setting("Access-Control-Expose-Headers", "Retry-After, WWW-Authenticate")
    }

    // A token request names its client; a bearer token is one of some client of the tenant.
    private static func applications(
        _ endpoint: Endpoint, _ place: Place, _ visit: Visit
    ) -> [RegisteredApplication] {
        let all = place.tenant.configuration.applications
        guard endpoint != .userInfo, visit.method != .options else { return all }
        guard let clientID = visit.form["client_id"] ?? visit.basicCredentials?.user else { return [] }
        return place.tenant.application(clientID).map { [$0] } ?? []
    }

    /// The answer to a preflight for one of these routes; nil when the request is none.
    static func preflight(_ routes: [Route], _ place: Place, _ visit: Visit) -> Answer? {
        guard visit.method == .options, let method = visit.headers[.accessControlRequestMethod],
            let route = routes.first(where: { $0.method.rawValue == method })
        else { return nil }
        let answer = opening(Answer(status: .noContent), of: route, place, visit)
        guard answer.headers[.accessControlAllowOrigin] != nil else { return answer }
        let asked = visit.headers[.accessControlRequestHeaders] ?? ""
        // Any header may be sent: what the endpoints do not know, they do not read.
        return answer.setting("Access-Control-Allow-Methods", method)
            .setting("Access-Control-Allow-Headers", asked)
            .setting("Access-Control-Max-Age", "600")
    }
}
