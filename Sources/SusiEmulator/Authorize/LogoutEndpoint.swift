import HTTPTypes
import SusiBase
import SusiPolicies

/// Ends the browser's session (OpenID Connect RP-Initiated Logout).
enum LogoutEndpoint {
    static func respond(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        let parameters = context.parameters
        var page = try landing(endpoint, context, parameters: parameters)
        if page.status == .seeOther,
            try users(endpoint, context, parameters).contains(where: endpoint.dialect.keepsBrowser)
        {
            page = SignedOutPage.response(context.words)
        }
        return try BrowserSession.ending(page, at: endpoint, context)
    }

    // The users of the browser, and the one whom the hint names.
    private static func users(
        _ endpoint: PolicyEndpoint, _ context: RequestContext, _ parameters: Parameters
    ) throws -> [User] {
        let browser = BrowserSession(endpoint, context, clientID: parameters["client_id"] ?? "")
        let hinted = parameters["id_token_hint"].flatMap { try? IDTokenHint($0, endpoint, now: context.now).person }
        return try browser.all().map(\.session.user)
            + [hinted.flatMap { try endpoint.tenant.database.user(objectID: $0) }].compactMap(\.self)
    }

    private static func landing(
        _ endpoint: PolicyEndpoint, _ context: RequestContext, parameters: Parameters
    ) throws -> Response {
        guard let address = parameters["post_logout_redirect_uri"] else { return SignedOutPage.response(context.words) }
        let isOfTheWeb = address.hasPrefix("http://") || address.hasPrefix("https://")
        let isOwnScheme = endpoint.tenant.configuration.applications.contains {
            $0.redirectAddresses.contains(address)
        }
        guard isOfTheWeb || isOwnScheme, address.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            let text =
                """
                The post logout redirect URI '\(address)' has an invalid format. Specify an https based URL such as \
                'https://example.com/return'.
                """
            return ErrorPage.response(Refusal(.landingInvalid, text), at: endpoint, context)
        }
        guard try allows(address, at: endpoint, parameters, now: context.now) else {
            let text =
                "The redirect URI '\(address)' provided in the request is not registered for the id token's client."
            return ErrorPage.response(Refusal(.redirectNotRegistered, text), at: endpoint, context)
        }
        // The query is before a fragment (RFC 3986 section 3).
        let (base, fragment) = (address.prefix { $0 != "#" }, address.drop { $0 != "#" })
        let state =
            parameters["state"].map { (base.contains("?") ? "&" : "?") + "state=" + PercentEncoding.encode($0) } ?? ""
        return .redirect(to: base + state + fragment)
    }

    private static func allows(
        _ address: String, at endpoint: PolicyEndpoint, _ parameters: Parameters, now: Int64
    ) throws -> Bool {
        let configuration = endpoint.tenant.configuration
        let isRegistered = { (application: RegisteredApplication) in
            application.allows(redirect: address, ports: configuration.redirectPorts)
        }
        // A hint with an invalid signature counts as unknown.
        let hint = parameters["id_token_hint"].map { token in
            (try? IDTokenHint(token, endpoint, now: now)).flatMap { endpoint.tenant.application($0.clientID) }
        }
        switch endpoint.dialect.traits.landing {
        case .anywhereWithoutHint: return hint.map { $0.map(isRegistered) ?? false } ?? true
        case .registered: return configuration.applications.contains(where: isRegistered)
        case .registeredForNamedClient:
            let named = parameters["client_id"].map { endpoint.tenant.application($0) }
            // If both are sent they must name the same client (RP-Initiated Logout section 2).
            if let hint, let named, hint?.clientID != named?.clientID { return false }
            return (hint ?? named ?? nil).map(isRegistered) ?? false
        }
    }
}
