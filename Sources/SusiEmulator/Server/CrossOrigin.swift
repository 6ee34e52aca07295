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
    static func opening(_ answer: Response, of route: Route, _ place: PolicyEndpoint, _ context: RequestContext)
        -> Response
    {
        guard case .endpoint(let endpoint) = route.target else { return answer }
        if shared.contains(endpoint) {
            return context.headers[.origin] == nil ? answer : answer.setting("Access-Control-Allow-Origin", "*")
        }
        guard registered.contains(endpoint) else { return answer }
        return opening(answer, to: applications(endpoint, place, context), of: place.tenant, context)
    }

    /// The same answer of a sample API, for the pages of any application of its tenant.
    static func opening(_ answer: Response, of tenant: Tenant, _ context: RequestContext) -> Response {
        opening(answer, to: tenant.configuration.applications, of: tenant, context)
    }

    private static func opening(
        _ answer: Response, to applications: [RegisteredApplication], of tenant: Tenant, _ context: RequestContext
    ) -> Response {
        guard let origin = context.headers[.origin] else { return answer }
        // Whether it is there depends on who asks, and caches have to know.
        let varying = answer.setting("Vary", "Origin")
        let ports = tenant.configuration.redirectPorts
        guard applications.contains(where: { $0.allows(origin: origin, ports: ports) }) else { return varying }
        return varying.setting("Access-Control-Allow-Origin", origin)
            .setting("Access-Control-Expose-Headers", "Retry-After, WWW-Authenticate")
    }

    // A token request names its client; a bearer token is one of some client of the tenant.
    private static func applications(
        _ endpoint: Endpoint, _ place: PolicyEndpoint, _ context: RequestContext
    ) -> [RegisteredApplication] {
        let all = place.tenant.configuration.applications
        guard endpoint != .userInfo, context.method != .options else { return all }
        guard let clientID = context.form["client_id"] ?? context.basicCredentials?.user else { return [] }
        return place.tenant.application(clientID).map { [$0] } ?? []
    }

    /// The answer to a preflight for one of these routes; nil when the request is none.
    static func preflight(_ routes: [Route], _ place: PolicyEndpoint, _ context: RequestContext) -> Response? {
        guard let method = asked(context), let route = routes.first(where: { $0.method.rawValue == method }) else {
            return nil
        }
        return allowing(method, opening(Response(status: .noContent), of: route, place, context), context)
    }

    /// The answer to a preflight for a sample API; nil when the request is none.
    static func preflight(of tenant: Tenant, _ context: RequestContext) -> Response? {
        asked(context).map { allowing($0, opening(Response(status: .noContent), of: tenant, context), context) }
    }

    // The method that a preflight is for.
    private static func asked(_ context: RequestContext) -> String? {
        context.method == .options ? context.headers[.accessControlRequestMethod] : nil
    }

    private static func allowing(_ method: String, _ answer: Response, _ context: RequestContext) -> Response {
        guard answer.headers[.accessControlAllowOrigin] != nil else { return answer }
        // Any header may be sent: what nobody here knows, nobody reads.
        return answer.setting("Access-Control-Allow-Methods", method)
            .setting("Access-Control-Allow-Headers", context.headers[.accessControlRequestHeaders] ?? "")
            .setting("Access-Control-Max-Age", "600")
    }
}
