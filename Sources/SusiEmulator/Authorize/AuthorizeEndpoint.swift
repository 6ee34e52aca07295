import HTTPTypes
import SusiPolicies

/// The authorization endpoint (RFC 6749 section 3.1, OpenID Connect Core section 3.1.2).
enum AuthorizeEndpoint {
    static func answer(_ place: Place, _ visit: Visit) throws -> Answer {
        let parameters = visit.method == .post ? visit.form : visit.query
        let application: RegisteredApplication
        var address: ReturnAddress
        do {
            application = try place.application(parameters["client_id"])
            address = try ReturnAddress(parameters, of: application, place)
        } catch {
            return ErrorPage.answer(error, place, visit)
        }
        address.language = visit.language
        do {
            let request = try AuthorizationRequest(parameters, of: application, address, place, now: visit.now)
            return try begin(request, place, visit)
        } catch {
            return address.answer(Refusal(error), now: visit.now)
        }
    }

    /// Who is asked what: it depends on the policy, on the session that the browser has and on the request.
    static func begin(_ asked: AuthorizationRequest, _ place: Place, _ visit: Visit) throws -> Answer {
        var request = asked
        request.language = visit.language
        let database = place.tenant.database
        let browser = BrowserSession(place, visit, clientID: request.clientID)
        let session = try browser.current()
        let current = session.flatMap { request.accepts($0, now: visit.now) ? $0 : nil }
        if request.prompts.contains("none"), current == nil || place.policy.kind != .signUpOrSignIn {
            throw Refusal(
                .noSession,
                "User does not have an existing session and request prompt parameter has a value of 'None'.")
        }
        let expected = try request.expectedUser.flatMap { try database.user(objectID: $0)?.signInName }
        let hint = expected ?? request.loginHint ?? session?.user.signInName
        let opened = place.policy.kind == .passwordReset ? nil : current
        let transaction = try database.open(request, session: opened, now: visit.now)
        let flow = Flow(place: place, visit: visit, transaction: transaction)
        switch place.policy.kind {
        case .signUpOrSignIn:
            if let current {
                let answer = try Flow.answering(visit) { try flow.finish(current.user, authTime: current.authTime) }
                return try browser.renewing(answer, current)
            }
            let signsUp = request.prompts.contains("create") && place.tenant.configuration.kind == .external
            return signsUp ? SignUpPage.firstPage(flow) : SignInPage.page(flow, email: hint)
        case .editProfile:
            if let current { return try browser.renewing(ProfilePage.page(flow, ProfileFields(current.user)), current) }
            return SignInPage.page(flow, email: hint)
        case .passwordReset:
            return ResetPage.addressPage(flow, email: hint)
        case .resourceOwner:
            throw Refusal(
                .badParameter, "The policy '\(place.policy.name)' has no pages: it takes a password only.")
        }
    }
}
