import SusiBase
import SusiJourneys
import SusiPolicies

/// The pages of a custom policy: each shows what its journey needs, and gives the journey what the user does.
extension Transaction {
    /// What is stored of a journey between two pages.
    struct StoredJourney: Codable, Sendable {
        let journey: Journey
        /// The version of the policies' files.
        let version: String
    }

    /// Starts the journey of the policy.
    mutating func startJourney(_ policies: CustomPolicies) throws -> Response {
        guard let custom = policies.policies[endpoint.policy.name.lowercased] else { throw PageError.ended }
        let journey: Journey
        do throws(PolicyError) { journey = try Journey(.authorize, in: custom.policy) } catch {
            return try fail(error, policies)
        }
        let entry = try browser.all().first
        let isUsable = entry.map { !$0.session.user.isBlocked && accepts($0.session) } ?? false
        let entries = isUsable ? try entry.flatMap { try database.journey(inSession: $0.secret) } : nil
        // The hint is not stored, so that a journey reads it before its first page.
        let hint = context.parameters["id_token_hint"].map { ["id_token_hint": $0] } ?? [:]
        return try goOn(journey, nil, policies, session: entries ?? SessionEntries(), adding: hint)
    }

    private func accepts(_ session: Session) -> Bool {
        request.accepts(session, isChosen: true, now: context.now)
    }

    /// Takes a form of the journey's pages.
    mutating func submitJourney() throws -> Response {
        guard let stored = progress.journey, let policies = endpoint.tenant.customPolicies?.last else {
            throw PageError.ended
        }
        guard stored.version == policies.version else {
            _ = try database.closeTransaction(id)
            return ErrorPage.response(lines: ["The policies have changed since this sign-in began."], context)
        }
        var journey = stored.journey
        let host = try host(policies)
        // What the form answers: a page is made again, so that a stale form gets the current one.
        switch try host.run(&journey) {
        case .page(let page):
            return try goOn(journey, .page(JourneyForm(page, self).answer(context.form)), policies)
        case .provider(let call):
            guard context.form[JourneyForm.page] == JourneyProviderPage.number else {
                return JourneyProviderPage.page(self, call)
            }
            switch JourneyProviderPage.answer(self, call) {
            case .success(let answer): return try goOn(journey, .provider(answer), policies)
            case .failure(let problems): return JourneyProviderPage.page(self, call, problems: problems.fields)
            }
        case .done(let outcome): return try end(outcome, policies, isSilent: false)
        }
    }

    private func host(
        _ policies: CustomPolicies, session: SessionEntries = SessionEntries(), adding more: [String: String] = [:]
    ) throws -> JourneyHost {
        guard let custom = policies.policies[endpoint.policy.name.lowercased] else { throw PageError.ended }
        let facts = RequestFacts(
            endpoint, context, request.journeyParameters.merging(more) { $1 }, id: id)
        return JourneyHost(
            endpoint: endpoint, policy: custom.policy, facts: facts, clientID: request.clientID, now: context.now,
            session: session)
    }

    private mutating func goOn(
        _ begun: Journey, _ answer: Answer?, _ policies: CustomPolicies, session: SessionEntries = SessionEntries(),
        adding more: [String: String] = [:]
    ) throws -> Response {
        var journey = begun
        let isFirst = progress.journey == nil
        let host = try host(policies, session: session, adding: more)
        let stop = try host.run(&journey, answer)
        var response: Response
        switch stop {
        case .done(let outcome): response = try end(outcome, policies, isSilent: isFirst)
        case .page, .provider:
            guard !request.prompts.contains("none") else { return try refuse(.noSession) }
            let stored = StoredJourney(journey: journey, version: policies.version)
            try update { $0.journey = stored }
            response = page(stop, policies)
        }
        response.facts.journey = Array(journey.trace.dropFirst(begun.trace.count))
        return response
    }

    private func page(_ stop: JourneyHost.Stop, _ policies: CustomPolicies) -> Response {
        switch stop {
        case .provider(let call): JourneyProviderPage.page(self, call)
        case .page(let page): JourneyForm(page, self).response(policies)
        case .done: ErrorPage.response(.pageEnded, message: .pageEndedNote, context)
        }
    }

    // MARK: The end

    private func end(_ outcome: Outcome, _ policies: CustomPolicies, isSilent: Bool) throws -> Response {
        switch outcome {
        case .token(let issued): return try complete(issued, isSilent: isSilent)
        case .error(let code, let text): return try refuse(Refusal(journeyCode: code, text))
        case .policyError(let error): return try fail(error, policies)
        case .userInfo: return try refuse(Refusal(.internalError, "The user journey sends no token."))
        }
    }

    // A mistake of the policy is for its developer, not for the application.
    private func fail(_ error: PolicyError, _ policies: CustomPolicies) throws -> Response {
        _ = try database.closeTransaction(id)
        return ErrorPage.response(lines: [policies.text(of: error)], context)
    }

    private func complete(_ issued: IssuedClaims, isSilent: Bool) throws -> Response {
        let found = try issued.objectID.flatMap { try database.user(objectID: $0.lowercased()) }
        let entry = try browser.all().first { $0.session.user.objectID == found?.objectID }
        let known = isSilent ? entry : nil
        let response = try complete(
            issued, found ?? User(objectID: issued.objectID ?? randomGUID()),
            authTime: known?.session.authTime ?? context.now)
        // Only a user of the directory has a session.
        guard let found else { return response }
        guard let known else { return try browser.starting(response, found, hasSecondFactor: false, issued.session) }
        try database.keep(issued.session, inSession: known.secret)
        return try browser.using(known, response)
    }
}

extension Refusal {
    /// What a journey tells the application: with a code of the service, or one of the policy's author
    /// (oauth2-error-technical-profile).
    init(journeyCode code: String, _ text: String) {
        let known = ErrorCode.allCases.first { "AADB2C\($0.b2c.number)" == code }
        self.init(known ?? (code.hasPrefix("AADB2C") ? .internalError : .cancelled), text)
        if known == nil { policyCode = code }
    }

    static let noSession = Refusal(
        .noSession, "User does not have an existing session and request prompt parameter has a value of 'None'.")
}
