import HTTPTypes

/// The rules for which web pages may read a response (the CORS protocol of the Fetch Standard).
///
/// Any page may read metadata and keys, as with Azure AD B2C: they are not secret, and a library in a page reads them first.
/// Only pages of registered origins may read tokens, claims and the responses of the sample APIs. Everything else is for the
/// emulator's own pages.
enum CrossOrigin {
    private static let shared: Set<Endpoint> = [.metadata, .keys]
    private static let registered: Set<Endpoint> = [.token, .userInfo, .revocation]

    /// The response with the headers that allow the page of the client to read it.
    static func addingHeaders(
        to response: Response, of route: Route, at policy: PolicyEndpoint, _ context: RequestContext
    )
        -> Response
    {
        guard case .endpoint(let endpoint) = route.target else { return response }
        if shared.contains(endpoint) {
            return context.headers[.origin] == nil ? response : response.setting("Access-Control-Allow-Origin", "*")
        }
        guard registered.contains(endpoint) else { return response }
        // The page of a server gets no tokens, but can read why.
        return addingHeaders(
            to: response, for: applications(of: policy, at: endpoint, context), of: policy.tenant, context,
            redeemsCodes: endpoint == .token && response.status.kind == .successful)
    }

    /// The response of a sample API with the headers that allow pages of any application of the tenant to read it.
    static func addingHeaders(to response: Response, of tenant: Tenant, _ context: RequestContext) -> Response {
        addingHeaders(to: response, for: tenant.configuration.applications, of: tenant, context)
    }

    private static func addingHeaders(
        to response: Response, for applications: [RegisteredApplication], of tenant: Tenant, _ context: RequestContext,
        redeemsCodes: Bool = false
    ) -> Response {
        guard let origin = context.headers[.origin] else { return response }
        // The header depends on the request's origin, which caches must know.
        let varying = response.setting("Vary", "Origin")
        let ports = tenant.configuration.redirectPorts
        guard applications.contains(where: { $0.allows(origin: origin, ports: ports, redeemsCodes: redeemsCodes) })
        else { return varying }
        return varying.setting("Access-Control-Allow-Origin", origin)
            .setting("Access-Control-Expose-Headers", "Retry-After, WWW-Authenticate")
    }

    // A token request names its client; a bearer token can belong to any client of the tenant.
    private static func applications(
        of policy: PolicyEndpoint, at endpoint: Endpoint, _ context: RequestContext
    ) -> [RegisteredApplication] {
        let all = policy.tenant.configuration.applications
        guard endpoint != .userInfo, context.method != .options else { return all }
        guard let clientID = context.form["client_id"] ?? context.basicCredentials?.user else { return [] }
        return policy.tenant.application(clientID).map { [$0] } ?? []
    }

    /// The response to a preflight for one of these routes; nil if the request is not a preflight.
    static func preflight(_ routes: [Route], at policy: PolicyEndpoint, _ context: RequestContext) -> Response? {
        guard let method = asked(context), let route = routes.first(where: { $0.method.rawValue == method }) else {
            return nil
        }
        return addingHeaders(to: Response(status: .noContent), of: route, at: policy, context).allowing(method, context)
    }

    /// The response to a preflight for a sample API; nil if the request is not a preflight.
    static func preflight(of tenant: Tenant, _ context: RequestContext) -> Response? {
        asked(context).map {
            addingHeaders(to: Response(status: .noContent), of: tenant, context).allowing($0, context)
        }
    }

    // The method that a preflight asks for.
    private static func asked(_ context: RequestContext) -> String? {
        context.method == .options ? context.headers[.accessControlRequestMethod] : nil
    }
}

extension Response {
    // The response to a preflight, if the page may read the response to the request itself.
    fileprivate func allowing(_ method: String, _ context: RequestContext) -> Response {
        guard headers[.accessControlAllowOrigin] != nil else { return self }
        // Any header is allowed: unknown ones are ignored.
        return setting("Access-Control-Allow-Methods", method)
            .setting("Access-Control-Allow-Headers", context.headers[.accessControlRequestHeaders] ?? "")
            .setting("Access-Control-Max-Age", "600")
    }
}
