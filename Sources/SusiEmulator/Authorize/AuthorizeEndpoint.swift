import HTTPTypes
import SusiPolicies

/// The authorization endpoint (RFC 6749 section 3.1, OpenID Connect Core section 3.1.2).
enum AuthorizeEndpoint {
    static func respond(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        let parameters = context.method == .post ? context.form : context.query
        let application: RegisteredApplication
        var address: ReturnAddress
        do {
            // Of two addresses neither is known to be the right one.
            for name in ["client_id", "redirect_uri"] where parameters.allRepeated.contains(name) {
                throw Refusal.repeated(name)
            }
            application = try endpoint.application(parameters["client_id"])
            address = try ReturnAddress(parameters, of: application, endpoint)
        } catch {
            return ErrorPage.answer(Refusal(error), endpoint, context)
        }
        address.language = context.language
        do {
            let request = try AuthorizationRequest(parameters, of: application, address, endpoint, now: context.now)
            return try begin(request, endpoint, context)
        } catch {
            return address.answer(Refusal(error), now: context.now)
        }
    }

    /// Who is asked what: it depends on the policy, on the session that the browser has and on the request.
    static func begin(_ asked: AuthorizationRequest, _ endpoint: PolicyEndpoint, _ context: RequestContext) throws
        -> Response
    {
        var request = asked
        request.language = context.language
        let database = endpoint.tenant.database
        let browser = BrowserSession(endpoint, context, clientID: request.clientID)
        if request.prompts.contains("select_account"), let choice = try choose(request, endpoint, context, browser) {
            return choice
        }
        let session = try browser.current()
        let answering = session.flatMap { $0.mayAnswer(request, now: context.now) ? $0 : nil }
        let hasNoFactor = try answering != nil && browser.lacksSecondFactor()
        // A session shows no password: whoever has to change it first shows the old one.
        let current = hasNoFactor && answering?.user.owesPassword == true ? nil : answering
        let lacksFactor = hasNoFactor && current != nil
        if request.prompts.contains("none"), current == nil || lacksFactor || endpoint.policy.kind != .signUpOrSignIn {
            throw Refusal(
                .noSession,
                "User does not have an existing session and request prompt parameter has a value of 'None'.")
        }
        let expected = try request.expectedUser.flatMap { try database.user(objectID: $0)?.signInName }
        let hint = expected ?? request.loginHint ?? session?.user.signInName
        let opened = endpoint.policy.kind == .passwordReset || lacksFactor ? nil : current
        let transaction = try database.open(request, session: opened, now: context.now)
        let flow = Flow(endpoint: endpoint, context: context, transaction: transaction)
        guard endpoint.policy.kind != .resourceOwner else {
            throw Refusal(
                .badParameter,
                "The policy '\(endpoint.policy.name)' has no sign-in page. It supports the password grant only.")
        }
        return try Flow.answering(context) {
            guard let current, endpoint.policy.kind != .passwordReset else { return try flow.entry(name: hint) }
            guard !lacksFactor else { return try flow.askSecondFactor(current.user) }
            let answer =
                endpoint.policy.kind == .editProfile
                ? ProfilePage.page(flow, ProfileFields(endpoint.settings, current.user))
                : try flow.finish(current.user, authTime: current.authTime)
            return try browser.renewing(answer, current)
        }
    }
}

extension AuthorizeEndpoint {
    // The page that lists the people of the session; nil where there is nobody to choose, or the request is about something
    // else than a sign-in.
    private static func choose(
        _ request: AuthorizationRequest, _ endpoint: PolicyEndpoint, _ context: RequestContext,
        _ browser: BrowserSession
    ) throws -> Response? {
        guard endpoint.policy.kind == .signUpOrSignIn, !request.prompts.contains("create") else { return nil }
        let people = try browser.all().map(\.session.user).filter { !$0.isBlocked }
        guard !people.isEmpty else { return nil }
        let transaction = try endpoint.tenant.database.open(request, session: nil, now: context.now)
        return SelectAccountPage.page(Flow(endpoint: endpoint, context: context, transaction: transaction), people)
    }

    /// Goes on with a person of the session who was chosen: as the session allows it, else with their password.
    static func goOn(_ flow: Flow, as objectID: String) throws -> Response {
        let browser = BrowserSession(flow.endpoint, flow.context, clientID: flow.transaction.request.clientID)
        guard let (secret, session) = try browser.all().first(where: { $0.session.user.objectID == objectID }) else {
            throw PageError.ended
        }
        var request = flow.transaction.request
        request.prompts.remove("select_account")
        guard session.mayAnswer(request, now: flow.context.now) else {
            return try flow.entry(name: session.user.signInName)
        }
        if try browser.lacksSecondFactor(secret) {
            // A session shows no password: whoever has to change it first shows the old one.
            return try session.user.owesPassword
                ? flow.entry(name: session.user.signInName) : flow.askSecondFactor(session.user)
        }
        return try browser.choosing(try flow.finish(session.user, authTime: session.authTime), secret)
    }
}

extension Session {
    /// Whether the session may answer a request without asking the person, who may still sign in.
    fileprivate func mayAnswer(_ request: AuthorizationRequest, now: Int64) -> Bool {
        !user.isBlocked && request.accepts(self, now: now)
    }
}
