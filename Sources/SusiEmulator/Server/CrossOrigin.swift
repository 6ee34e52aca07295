import HTTPTypes

/// Which web pages may read an answer (the CORS protocol of the Fetch Standard).
///
/// Metadata and keys are for everybody, as with Azure AD B2C: nothing in them is secret, and a library in a page reads them
/// before it knows anything else. Tokens, claims and what the sample APIs say are for the pages of registered origins alone.
/// Everything else is for the emulator's own pages.
enum CrossOrigin {
    private static let shared: Set<Endpoint> = [.metadata, .keys]
    private static let registered: Set<Endpoint> = [.token, .userInfo, .revocation]

    /// The same answer with what its reader's browser needs. Of several clients the one that asked counts.
    static func opening(_ answer: Answer, of route: Route, _ place: Place, _ visit: Visit) -> Answer {
        guard case .endpoint(let endpoint) = route.target else { return answer }
        if shared.contains(endpoint) {
            return visit.headers[.origin] == nil ? answer : answer.setting("Access-Control-Allow-Origin", "*")
        }
        guard registered.contains(endpoint) else { return answer }
        return opening(answer, to: applications(endpoint, place, visit), of: place.tenant, visit)
    }

    /// The same answer of a sample API, for the pages of any application of its tenant.
    static func opening(_ answer: Answer, of tenant: Tenant, _ visit: Visit) -> Answer {
        opening(answer, to: tenant.configuration.applications, of: tenant, visit)
    }

    private static func opening(
        _ answer: Answer, to applications: [RegisteredApplication], of tenant: Tenant, _ visit: Visit
    ) -> Answer {
        guard let origin = visit.headers[.origin] else { return answer }
        // Whether it is there depends on who asks, and caches have to know.
        let varying = answer.setting("Vary", "Origin")
        let ports = tenant.configuration.redirectPorts
        guard applications.contains(where: { $0.allows(origin: origin, ports: ports) }) else { return varying }
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
        guard let method = asked(visit), let route = routes.first(where: { $0.method.rawValue == method }) else {
            return nil
        }
        return allowing(method, opening(Answer(status: .noContent), of: route, place, visit), visit)
    }

    /// The answer to a preflight for a sample API; nil when the request is none.
    static func preflight(of tenant: Tenant, _ visit: Visit) -> Answer? {
        asked(visit).map { allowing($0, opening(Answer(status: .noContent), of: tenant, visit), visit) }
    }

    // The method that a preflight is for.
    private static func asked(_ visit: Visit) -> String? {
        visit.method == .options ? visit.headers[.accessControlRequestMethod] : nil
    }

    private static func allowing(_ method: String, _ answer: Answer, _ visit: Visit) -> Answer {
        guard answer.headers[.accessControlAllowOrigin] != nil else { return answer }
        // Any header may be sent: what nobody here knows, nobody reads.
        return answer.setting("Access-Control-Allow-Methods", method)
            .setting("Access-Control-Allow-Headers", visit.headers[.accessControlRequestHeaders] ?? "")
            .setting("Access-Control-Max-Age", "600")
    }
}
