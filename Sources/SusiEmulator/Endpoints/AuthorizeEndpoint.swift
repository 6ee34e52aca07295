import HTTPTypes
import SusiPolicies

/// The authorization endpoint (RFC 6749 section 3.1, OpenID Connect Core section 3.1.2).
enum AuthorizeEndpoint {
    static func respond(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        let parameters = context.parameters
        let application: RegisteredApplication
        do {
            // If a value is repeated, it is unknown which one is right.
            for name in ["client_id", "redirect_uri"] where parameters.allRepeated.contains(name) {
                throw Refusal.repeated(name)
            }
            application = try endpoint.application(parameters["client_id"])
        } catch {
            return ErrorPage.response(Refusal(error), at: endpoint, context)
        }
        var address: ReturnAddress
        do { address = try ReturnAddress(parameters, of: application, endpoint) } catch {
            guard error.code == .redirectNotRegistered,
                let registered = ReturnAddress(parameters, registeredFor: application, endpoint)
            else { return ErrorPage.response(error, at: endpoint, context) }
            return registered.response(error, now: context.now)
        }
        address.language = context.language
        do {
            let request = try AuthorizationRequest(parameters, of: application, address, now: context.now)
            return try begin(request, at: endpoint, context)
        } catch {
            return address.response(Refusal(error), now: context.now)
        }
    }

    /// Opens a transaction and shows its first page.
    static func begin(
        _ received: AuthorizationRequest, at endpoint: PolicyEndpoint, _ context: RequestContext
    ) throws -> Response {
        var request = received
        request.language = context.language
        if let watched = endpoint.tenant.customPolicies, endpoint.custom != nil {
            return try beginJourney(request, watched, at: endpoint, context)
        }
        let browser = BrowserSession(endpoint, context, clientID: request.clientID)
        let hint = endpoint.dialect.traits.hintChoosesSession ? request.loginHint?.lowercased() : nil
        let session = try browser.all().first { entry in
            hint == nil
                || [entry.session.user.email, entry.session.user.userName].contains { $0?.lowercased() == hint }
        }
        if request.prompts.contains("none") {
            let proof = try session.map { try browser.proof(of: $0, for: request) }
            guard proof == .complete, endpoint.signsIn, !endpoint.ignoresSessions else {
                throw Refusal.noSession
            }
        }
        try checkPages(of: endpoint)
        let expected = try request.expectedUser.flatMap { try endpoint.tenant.database.user(objectID: $0)?.signInName }
        return try PageError.catching(context) {
            var transaction = try Transaction(opening: request, at: endpoint, context)
            if let email = request.invitation?.email { try transaction.update { $0.invitedEmail = email } }
            let name =
                request.invitation?.email ?? expected ?? request.loginHint ?? session?.session.user.signInName
            return try transaction.refusing { try transaction.firstPage(session, name: name) }
        }
    }

    private static func checkPages(of endpoint: PolicyEndpoint) throws(Refusal) {
        guard endpoint.policy.kind != .resourceOwner else {
            throw Refusal(
                .badParameter,
                "The policy '\(endpoint.policy.name)' has no sign-in page. It supports the password grant only.")
        }
    }

    // The journey decides what comes next. Its files are read again, so that a developer sees each change.
    private static func beginJourney(
        _ request: AuthorizationRequest, _ watched: WatchedPolicies, at endpoint: PolicyEndpoint,
        _ context: RequestContext
    ) throws -> Response {
        let policies: CustomPolicies
        do throws(WatchedPolicies.Unusable) { policies = try watched.current() } catch {
            return ErrorPage.response(lines: error.lines, context)
        }
        try checkPages(of: endpoint)
        return try PageError.catching(context) {
            var transaction = try Transaction(opening: request, at: endpoint, context)
            return try transaction.refusing { try transaction.startJourney(policies) }
        }
    }
}
