import HTTPTypes
import SusiPolicies

/// An open transaction in a browser: what every page of it needs.
struct Flow: Sendable {
    let endpoint: PolicyEndpoint
    let context: RequestContext
    var transaction: Transaction
    /// The secret of the browser's form cookie, made with the first page.
    let formSecret: String
    /// Whether a second factor was shown in this transaction.
    var hasSecondFactor = false

    init(endpoint: PolicyEndpoint, context: RequestContext, transaction: Transaction) {
        self.endpoint = endpoint
        self.context = context
        self.transaction = transaction
        formSecret = context.cookie(context.formCookie) ?? randomSecret()
    }

    /// The transaction of a form or a link, which has shown that it came from a page of this browser: nobody goes on with
    /// what another browser has begun. An ended one throws the page that says so.
    static func opened(_ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Flow {
        let parameters = context.method == .post ? context.form : context.query
        let found = try parameters["transaction"].flatMap {
            try endpoint.tenant.database.transaction($0, of: endpoint.policy.name, now: context.now)
        }
        guard let found else { throw PageError.ended }
        guard FormToken.isValid(parameters["csrf"], about: found.id, context) else { throw PageError.forged }
        return Flow(endpoint: endpoint, context: context, transaction: found)
    }

    /// What the form carries to show that it is ours.
    var csrfToken: String { FormToken.make(formSecret, about: transaction.id) }

    /// Runs a page and turns its errors into pages.
    static func answering(_ context: RequestContext, _ body: () throws -> Response) throws -> Response {
        do { return try body() } catch let error as PageError { return error.answer(context) }
    }

    /// Goes on after `user` has signed in: to a question when there is one, else to the end.
    func finish(_ user: User, authTime: Int64, isNew: Bool = false, startsSession: Bool = false) throws -> Response {
        if let refusal = try objection(to: user) { return try refuse(refusal) }
        let answer =
            try question(user, authTime: authTime, isNew: isNew) ?? complete(user, authTime: authTime, isNew: isNew)
        return startsSession ? try answerStartingSession(answer, user) : answer
    }

    // The page that asks the person to agree; nil when nothing has to be asked.
    private func question(_ user: User, authTime: Int64, isNew: Bool) throws -> Response? {
        let request = transaction.request
        let open = try openScopes(user)
        guard asksAnyway || !open.isEmpty else { return nil }
        guard !request.prompts.contains("none") else { return try refuse(Consent.needed(request.clientID)) }
        var flow = self
        flow.transaction = try endpoint.tenant.database.note(user.objectID, authTime: authTime, in: transaction)
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
        return request.device != nil || request.prompts.contains("consent") && endpoint.dialect.asksConsent
    }

    /// What this request needs somebody's agreement to.
    func consent() throws -> Consent {
        let request = transaction.request
        let scopes = try RequestedScopes(request.scope, clientID: request.clientID, endpoint.tenant.configuration)
        return Consent(tenant: endpoint.tenant, clientID: request.clientID, scopes: scopes)
    }

    /// Ends the transaction with what was asked, or with `scope` of it: a grant for the device, or a code for the
    /// application.
    func complete(_ user: User, authTime: Int64, isNew: Bool = false, scope: String? = nil) throws -> Response {
        let database = endpoint.tenant.database
        guard try database.close(transaction) else { throw PageError.ended }
        let request = transaction.request
        var grant = grant(user, authTime: authTime, isNew: isNew, scope: scope ?? request.scope)
        if let device = request.device {
            grant = try database.add(grant, now: context.now)
            guard try database.answerDevice(device, grant: grant.id) else { throw PageError.ended }
            return DevicePage.done(words, isSignedIn: true)
        }
        var code: String?
        if request.responseTypes.contains(.code) {
            grant = try database.add(grant, now: context.now)
            code = try database.issueCode(
                grant, redirectURI: request.redirectURI, challenge: request.challenge, now: context.now,
                lifetime: endpoint.lifetimes.code)
        }
        let asked = try RequestedScopes(grant.scope, clientID: grant.clientID, endpoint.tenant.configuration)
        let scopes = try endpoint.tenant.granted(asked, to: grant.clientID, by: user)
        let issuer = TokenIssuer(
            endpoint: endpoint, grant: grant, user: user, scopes: scopes, now: context.now, type: nil,
            wantsClientInfo: request.wantsClientInfo)
        return ReturnAddress(request, endpoint).answer(try issuer.redirectFields(request.responseTypes, code: code))
    }

    // Who signed in is not who should have, or may not sign in here, or may not agree.
    func objection(to user: User) throws -> Refusal? {
        if let expected = transaction.request.expectedUser, expected != user.objectID {
            return Refusal(.hintOfAnotherPerson, "The signed-in user is not the user of the id_token_hint.")
        }
        return try endpoint.dialect.refusal(of: user, at: endpoint) ?? consent().administratorRefusal
    }

    /// What the application gets for this sign-in.
    private func grant(_ user: User, authTime: Int64, isNew: Bool, scope: String) -> GrantRecord {
        let request = transaction.request
        return GrantRecord(
            clientID: request.clientID, policy: endpoint.policy.name.spelling, objectID: user.objectID,
            scope: scope, nonce: request.nonce, authTime: authTime, isNewUser: isNew,
            expires: context.now + endpoint.lifetimes.slidingWindow,
            details: GrantRecord.Details(
                claims: request.claims, parameters: request.parameters.isEmpty ? nil : request.parameters,
                isTimed: request.maxAge.map { _ in true }))
    }

    /// The same answer with a new session for `user`.
    func answerStartingSession(_ answer: Response, _ user: User) throws -> Response {
        try BrowserSession(endpoint, context, clientID: transaction.request.clientID)
            .starting(answer, user, hasSecondFactor: hasSecondFactor)
    }

    /// Ends the transaction with an error for the application.
    func refuse(_ refusal: Refusal) throws -> Response {
        guard try endpoint.tenant.database.close(transaction) else { throw PageError.ended }
        if let device = transaction.request.device {
            guard try endpoint.tenant.database.answerDevice(device, grant: nil) else { throw PageError.ended }
            return refusal.code == .cancelled
                ? DevicePage.done(words, isSignedIn: false) : ErrorPage.answer(refusal, endpoint, context)
        }
        return ReturnAddress(transaction.request, endpoint).answer(refusal, now: context.now)
    }

    /// The cancel button of every page.
    var wasCancelled: Bool { context.form["cancel"] != nil }

    func cancel() throws -> Response {
        try refuse(Refusal(.cancelled, "The user has cancelled entering self-asserted information."))
    }
}

/// Why a page cannot go on.
enum PageError: Error {
    case ended
    case forged

    func answer(_ context: RequestContext) -> Response {
        switch self {
        case .ended: ErrorPage.answer(.pageEnded, .pageEndedNote, context)
        case .forged: ErrorPage.answer(.formRefused, .formRefusedNote, context, status: .forbidden)
        }
    }
}
