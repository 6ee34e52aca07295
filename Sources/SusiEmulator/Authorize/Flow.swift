import HTTPTypes
import SusiPolicies

/// An open transaction in a browser: what every page of it needs.
struct Flow: Sendable {
    let place: Place
    let visit: Visit
    var transaction: Transaction
    /// The secret of the browser's form cookie, made with the first page.
    let formSecret: String
    /// Whether a second factor was shown in this transaction.
    var hasSecondFactor = false

    init(place: Place, visit: Visit, transaction: Transaction) {
        self.place = place
        self.visit = visit
        self.transaction = transaction
        formSecret = visit.cookie(visit.formCookie) ?? randomSecret()
    }

    /// The transaction of a form or a link, which has shown that it came from a page of this browser: nobody goes on with
    /// what another browser has begun. An ended one throws the page that says so.
    static func opened(_ place: Place, _ visit: Visit) throws -> Flow {
        let parameters = visit.method == .post ? visit.form : visit.query
        let found = try parameters["transaction"].flatMap {
            try place.tenant.database.transaction($0, of: place.policy.name, now: visit.now)
        }
        guard let found else { throw PageError.ended }
        guard FormToken.isValid(parameters["csrf"], about: found.id, visit) else { throw PageError.forged }
        return Flow(place: place, visit: visit, transaction: found)
    }

    /// What the form carries to show that it is ours.
    var csrfToken: String { FormToken.make(formSecret, about: transaction.id) }

    /// Runs a page and turns its errors into pages.
    static func answering(_ visit: Visit, _ body: () throws -> Answer) throws -> Answer {
        do { return try body() } catch let error as PageError { return error.answer(visit) }
    }

    /// Goes on after `user` has signed in: to a question when there is one, else to the end.
    func finish(_ user: User, authTime: Int64, isNew: Bool = false, startsSession: Bool = false) throws -> Answer {
        if let refusal = try objection(to: user) { return try refuse(refusal) }
        let answer =
            try question(user, authTime: authTime, isNew: isNew) ?? complete(user, authTime: authTime, isNew: isNew)
        return startsSession ? try answerStartingSession(answer, user) : answer
    }

    // The page that asks the person to agree; nil when nothing has to be asked.
    private func question(_ user: User, authTime: Int64, isNew: Bool) throws -> Answer? {
        let request = transaction.request
        let open = try openScopes(user)
        guard asksAnyway || !open.isEmpty else { return nil }
        guard !request.prompts.contains("none") else { return try refuse(Consent.needed(request.clientID)) }
        var flow = self
        flow.transaction = try place.tenant.database.note(user.objectID, authTime: authTime, in: transaction)
        if isNew { try change { $0.isNew = true } }
        return ConsentPage.page(flow, open)
    }

    /// The scopes about which the person is asked.
    func openScopes(_ user: User) throws -> [String] {
        let consent = try consent()
        return asksAnyway ? consent.scopes.covered : try consent.missing(user)
    }

    // Whether the person is asked although everything was agreed to before.
    private var asksAnyway: Bool {
        let request = transaction.request
        return request.device != nil || request.prompts.contains("consent") && place.shape.asksConsent
    }

    /// What this request needs somebody's agreement to.
    func consent() throws -> Consent {
        let request = transaction.request
        let scopes = try RequestedScopes(request.scope, clientID: request.clientID, place.tenant.configuration)
        return Consent(tenant: place.tenant, clientID: request.clientID, scopes: scopes)
    }

    /// Ends the transaction with what was asked, or with `scope` of it: a grant for the device, or a code for the
    /// application.
    func complete(_ user: User, authTime: Int64, isNew: Bool = false, scope: String? = nil) throws -> Answer {
        let database = place.tenant.database
        guard try database.close(transaction) else { throw PageError.ended }
        let request = transaction.request
        var grant = grant(user, authTime: authTime, isNew: isNew, scope: scope ?? request.scope)
        if let device = request.device {
            grant = try database.add(grant, now: visit.now)
            guard try database.answerDevice(device, grant: grant.id) else { throw PageError.ended }
            return DevicePage.done(words, isSignedIn: true)
        }
        var code: String?
        if request.responseTypes.contains(.code) {
            grant = try database.add(grant, now: visit.now)
            code = try database.issueCode(
                grant, redirectURI: request.redirectURI, challenge: request.challenge, now: visit.now,
                lifetime: place.lifetimes.code)
        }
        let asked = try RequestedScopes(grant.scope, clientID: grant.clientID, place.tenant.configuration)
        let scopes = try place.tenant.granted(asked, to: grant.clientID, by: user)
        let issuer = TokenIssuer(
            place: place, grant: grant, user: user, scopes: scopes, now: visit.now, type: nil,
            wantsClientInfo: request.wantsClientInfo)
        return ReturnAddress(request, place).answer(try issuer.redirectFields(request.responseTypes, code: code))
    }

    // Who signed in is not who should have, or may not sign in here, or may not agree.
    func objection(to user: User) throws -> Refusal? {
        if let expected = transaction.request.expectedUser, expected != user.objectID {
            return Refusal(.hintOfAnotherPerson, "The signed-in user is not the user of the id_token_hint.")
        }
        return try place.shape.refusal(of: user, at: place) ?? consent().administratorRefusal
    }

    /// What the application gets for this sign-in.
    private func grant(_ user: User, authTime: Int64, isNew: Bool, scope: String) -> GrantRecord {
        let request = transaction.request
        return GrantRecord(
            clientID: request.clientID, policy: place.policy.name.spelling, objectID: user.objectID,
            scope: scope, nonce: request.nonce, authTime: authTime, isNewUser: isNew,
            expires: visit.now + place.lifetimes.slidingWindow,
            details: GrantRecord.Details(
                claims: request.claims, parameters: request.parameters.isEmpty ? nil : request.parameters,
                isTimed: request.maxAge.map { _ in true }))
    }

    /// The same answer with a new session for `user`.
    func answerStartingSession(_ answer: Answer, _ user: User) throws -> Answer {
        try BrowserSession(place, visit, clientID: transaction.request.clientID)
            .starting(answer, user, hasSecondFactor: hasSecondFactor)
    }

    /// Ends the transaction with an error for the application.
    func refuse(_ refusal: Refusal) throws -> Answer {
        guard try place.tenant.database.close(transaction) else { throw PageError.ended }
        if let device = transaction.request.device {
            guard try place.tenant.database.answerDevice(device, grant: nil) else { throw PageError.ended }
            return refusal.code == .cancelled
                ? DevicePage.done(words, isSignedIn: false) : ErrorPage.answer(refusal, place, visit)
        }
        return ReturnAddress(transaction.request, place).answer(refusal, now: visit.now)
    }

    /// The cancel button of every page.
    var wasCancelled: Bool { visit.form["cancel"] != nil }

    func cancel() throws -> Answer {
        try refuse(Refusal(.cancelled, "The user has cancelled entering self-asserted information."))
    }
}

/// Why a page cannot go on.
enum PageError: Error {
    case ended
    case forged

    func answer(_ visit: Visit) -> Answer {
        switch self {
        case .ended: ErrorPage.answer(.pageEnded, .pageEndedNote, visit)
        case .forged: ErrorPage.answer(.formRefused, .formRefusedNote, visit, status: .forbidden)
        }
    }
}
