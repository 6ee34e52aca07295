import HTTPTypes

/// The rules for which web pages may read a response (the CORS protocol of the Fetch Standard).
///
/// Any page may read metadata and keys, as with Azure AD B2C: they are not secret, and a library in a page reads them first.
/// Only pages of registered origins may read tokens, claims and the responses of the sample APIs. Everything else is for the
/// emulator's own pages.
enum CrossOrigin {
    /// The pages that may read a response.
    enum Readers {
        case own
        case any
        /// Those of these applications' origins. The page of a server gets no tokens, but can read why.
        case pages(of: [RegisteredApplication], ports: TenantConfiguration.RedirectPorts, redeemsCodes: Bool = false)
    }

    /// The method that a request is about: a preflight asks whether a page may use another one.
    static func method(of context: RequestContext) -> String { preflight(context) ?? context.method.rawValue }

    /// Responds to a request with the headers that allow the readers to read it, or to the preflight of one.
    static func respond(
        to context: RequestContext, for readers: Readers, _ respond: () throws -> Response
    ) rethrows -> Response {
        guard let method = preflight(context) else { return readers.allowed(try respond(), context) }
        let response = readers.allowed(Response(status: .noContent), context)
        guard response.headers[.accessControlAllowOrigin] != nil else { return response }
        // Any header is allowed: unknown ones are ignored.
        return response.setting("Access-Control-Allow-Methods", method)
            .setting("Access-Control-Allow-Headers", context.headers[.accessControlRequestHeaders] ?? "")
            .setting("Access-Control-Max-Age", "600")
    }

    private static func preflight(_ context: RequestContext) -> String? {
        context.method == .options ? context.headers[.accessControlRequestMethod] : nil
    }
}

extension CrossOrigin.Readers {
    /// Any application of the tenant, for its sample APIs.
    init(of tenant: Tenant) {
        self = .pages(of: tenant.configuration.applications, ports: tenant.configuration.redirectPorts)
    }

    init(of route: Route, at policy: PolicyEndpoint, _ context: RequestContext) {
        guard case .endpoint(let endpoint) = route.target else {
            self = .own
            return
        }
        switch endpoint {
        case .metadata, .keys: self = .any
        case .token, .userInfo, .revocation:
            self = .pages(
                of: Self.applications(of: policy.tenant, at: endpoint, context),
                ports: policy.tenant.configuration.redirectPorts, redeemsCodes: endpoint == .token)
        case .authorize, .logout, .deviceAuthorization, .deviceVerification: self = .own
        }
    }

    // A token request names its client; a bearer token can belong to any client of the tenant.
    private static func applications(
        of tenant: Tenant, at endpoint: Endpoint, _ context: RequestContext
    ) -> [RegisteredApplication] {
        guard endpoint != .userInfo, context.method != .options else { return tenant.configuration.applications }
        guard let clientID = context.form["client_id"] ?? context.basicCredentials?.user else { return [] }
        return tenant.application(clientID).map { [$0] } ?? []
    }

    fileprivate func allowed(_ response: Response, _ context: RequestContext) -> Response {
        guard let origin = context.headers[.origin] else { return response }
        switch self {
        case .own: return response
        case .any: return response.setting("Access-Control-Allow-Origin", "*")
        case .pages(of: let applications, let ports, let redeemsCodes):
            // The header depends on the request's origin, which caches must know.
            let varying = response.setting("Vary", "Origin")
            let redeems = redeemsCodes && response.status.kind == .successful
            guard applications.contains(where: { $0.allows(origin: origin, ports: ports, redeemsCodes: redeems) })
            else { return varying }
            return varying.setting("Access-Control-Allow-Origin", origin)
                .setting("Access-Control-Expose-Headers", "Retry-After, WWW-Authenticate")
        }
    }
}
