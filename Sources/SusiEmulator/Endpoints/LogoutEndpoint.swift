import HTTPTypes
import SusiBase
import SusiPolicies

/// Ends the browser's session (OpenID Connect RP-Initiated Logout).
enum LogoutEndpoint {
    static func respond(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        var hint: IDTokenHint?
        var page: Response
        do {
            hint = try self.hint(endpoint, context)
            page = try landing(endpoint, context, hint)
        } catch let refusal as Refusal {
            page = ErrorPage.response(refusal, at: endpoint, context)
        }
        let clientID = context.parameters["client_id"] ?? hint?.clientID
        let browser = BrowserSession(endpoint, context, clientID: clientID ?? "")
        let users = try browser.all().map(\.session.user) + [hint?.user].compactMap(\.self)
        if page.status == .seeOther, users.contains(where: endpoint.dialect.keepsBrowser) {
            page = SignedOutPage.response(context.words)
        }
        return try BrowserSession.ending(page, at: endpoint, context, clientID: clientID)
    }

    // Throws for an invalid hint, but for kinds that do not need one, and for a missing one that the policy requires.
    private static func hint(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> IDTokenHint? {
        let isRequired = endpoint.settings.session.requiresIDToken
        guard let token = context.parameters["id_token_hint"] else {
            guard !isRequired else {
                throw Refusal.hintMissing.because(
                    "The policy requires an ID token in sign-out requests: “requiresIdToken” of its “session”")
            }
            return nil
        }
        guard isRequired || endpoint.dialect.traits.landing != .registered else {
            return try? IDTokenHint(token, endpoint, now: context.now)
        }
        return try IDTokenHint(token, endpoint, now: context.now)
    }

    private static func landing(
        _ endpoint: PolicyEndpoint, _ context: RequestContext, _ hint: IDTokenHint?
    ) throws(Refusal) -> Response {
        let parameters = context.parameters
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
            throw Refusal(.landingInvalid, text)
        }
        guard allows(address, at: endpoint, hint, clientID: parameters["client_id"]) else {
            let text =
                "The redirect URI '\(address)' provided in the request is not registered for the id token's client."
            throw Refusal(.redirectNotRegistered, text)
        }
        // The query is before a fragment (RFC 3986 section 3).
        let (base, fragment) = (address.prefix { $0 != "#" }, address.drop { $0 != "#" })
        let state =
            parameters["state"].map { (base.contains("?") ? "&" : "?") + "state=" + PercentEncoding.encode($0) } ?? ""
        return .redirect(to: base + state + fragment)
    }

    private static func allows(
        _ address: String, at endpoint: PolicyEndpoint, _ hint: IDTokenHint?, clientID: String?
    ) -> Bool {
        let configuration = endpoint.tenant.configuration
        let isRegistered = { (application: RegisteredApplication) in
            application.allows(redirect: address, ports: configuration.redirectPorts)
        }
        let hinted = hint.map { endpoint.tenant.application($0.clientID) }
        switch endpoint.dialect.traits.landing {
        case .anywhereWithoutHint: return hinted.map { $0.map(isRegistered) ?? false } ?? true
        case .registered: return configuration.applications.contains(where: isRegistered)
        case .registeredForNamedClient:
            let named = clientID.map { endpoint.tenant.application($0) }
            // If both are sent they must name the same client (RP-Initiated Logout section 2).
            if let hinted, let named, hinted?.clientID != named?.clientID { return false }
            return (hinted ?? named ?? nil).map(isRegistered) ?? false
        }
    }
}
