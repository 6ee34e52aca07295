import HTTPTypes
import SusiPolicies

/// The authorization endpoint (RFC 6749 section 3.1, OpenID Connect Core section 3.1.2).
enum AuthorizeEndpoint {
    static func answer(_ place: Place, _ visit: Visit) throws -> Answer {
        let parameters = visit.method == .post ? visit.form : visit.query
        let application: RegisteredApplication
        var address: ReturnAddress
        do {
            // Of two addresses neither is known to be the right one.
            for name in ["client_id", "redirect_uri"] where parameters.allRepeated.contains(name) {
                throw Refusal.repeated(name)
            }
            application = try place.application(parameters["client_id"])
            address = try ReturnAddress(parameters, of: application, place)
        } catch {
            return ErrorPage.answer(Refusal(error), place, visit)
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
        let answering = session.flatMap { $0.mayAnswer(request, now: visit.now) ? $0 : nil }
        let hasNoFactor = try answering != nil && browser.lacksSecondFactor()
        // A session shows no password: whoever has to change it first shows the old one.
        let current = hasNoFactor && answering?.user.owesPassword == true ? nil : answering
        let lacksFactor = hasNoFactor && current != nil
        if request.prompts.contains("none"), current == nil || lacksFactor || place.policy.kind != .signUpOrSignIn {
            throw Refusal(
                .noSession,
                "User does not have an existing session and request prompt parameter has a value of 'None'.")
        }
        let expected = try request.expectedUser.flatMap { try database.user(objectID: $0)?.signInName }
        let hint = expected ?? request.loginHint ?? session?.user.signInName
        let opened = place.policy.kind == .passwordReset || lacksFactor ? nil : current
        let transaction = try database.open(request, session: opened, now: visit.now)
        let flow = Flow(place: place, visit: visit, transaction: transaction)
        guard place.policy.kind != .resourceOwner else {
            throw Refusal(
                .badParameter, "The policy '\(place.policy.name)' has no pages: it takes a password only.")
        }
        return try Flow.answering(visit) {
            guard let current, place.policy.kind != .passwordReset else { return try flow.entry(name: hint) }
            guard !lacksFactor else { return try flow.askSecondFactor(current.user) }
            let answer =
                place.policy.kind == .editProfile
                ? ProfilePage.page(flow, ProfileFields(place.settings, current.user))
                : try flow.finish(current.user, authTime: current.authTime)
            return try browser.renewing(answer, current)
        }
    }
}

extension Session {
    /// Whether the session may answer a request without asking the person, who may still sign in.
    fileprivate func mayAnswer(_ request: AuthorizationRequest, now: Int64) -> Bool {
        !user.isBlocked && request.accepts(self, now: now)
    }
}
