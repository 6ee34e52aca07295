import HTTPTypes
import SusiPolicies

/// The authorization endpoint (RFC 6749 section 3.1, OpenID Connect Core section 3.1.2).
enum AuthorizeEndpoint {
    static func answer(_ place: Place, _ visit: Visit) throws -> Answer {
        let parameters = visit.method == .post ? visit.form : visit.query
        let address: ReturnAddress
        do {
            address = try ReturnAddress(parameters, place.tenant)
        } catch {
            return ErrorPage.answer(error, now: visit.now)
        }
        do {
            return try begin(try AuthorizationRequest(parameters, address, place), place, visit)
        } catch let refusal as Refusal {
            return address.answer(refusal, now: visit.now)
        }
    }

    // Who is asked what: it depends on the policy, on the session that the browser has and on `prompt`.
    private static func begin(_ request: AuthorizationRequest, _ place: Place, _ visit: Visit) throws -> Answer {
        let session = try place.tenant.database.session(visit.cookie(visit.sessionCookie), now: visit.now)
        // `prompt` is a list (OpenID Connect Core section 3.1.2.1).
        let prompts = Set((request.prompt ?? "").split(separator: " "))
        let mustAsk = !prompts.isDisjoint(with: ["login", "select_account"])
        let current = mustAsk ? nil : session
        if prompts.contains("none"), current == nil || place.policy.kind != .signUpOrSignIn {
            throw Refusal(
                .noSession,
                "User does not have an existing session and request prompt parameter has a value of 'None'.")
        }
        let hint = request.loginHint ?? session?.user.email
        let database = place.tenant.database
        switch place.policy.kind {
        case .signUpOrSignIn:
            let transaction = try database.open(request, session: current, now: visit.now)
            let flow = Flow(place: place, visit: visit, transaction: transaction)
            if let current { return try flow.finish(current.user, authTime: current.authTime) }
            return SignInPage.page(flow, email: hint)
        case .editProfile:
            let transaction = try database.open(request, session: current, now: visit.now)
            let flow = Flow(place: place, visit: visit, transaction: transaction)
            if let current { return ProfilePage.page(flow, ProfileFields(current.user)) }
            return SignInPage.page(flow, email: hint)
        case .passwordReset:
            let transaction = try database.open(request, session: nil, now: visit.now)
            return ResetPage.addressPage(Flow(place: place, visit: visit, transaction: transaction), email: hint)
        case .resourceOwner:
            throw Refusal(
                .badParameter, "The policy '\(place.policy.name)' has no pages: it takes a password only.")
        }
    }
}
