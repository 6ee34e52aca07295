import HTTPTypes
import SusiBase
import SusiPolicies

/// An open authorization: what an application requests, how far its user has come, and the current HTTP request.
struct Transaction: Sendable {
    let endpoint: PolicyEndpoint
    let context: RequestContext
    let id: String
    let request: AuthorizationRequest
    private(set) var progress: Progress
    /// The secret of the browser's form cookie, created with the first page.
    let formSecret: String

    private init(
        _ endpoint: PolicyEndpoint, _ context: RequestContext, id: String, request: AuthorizationRequest,
        progress: Progress
    ) {
        self.endpoint = endpoint
        self.context = context
        self.id = id
        self.request = request
        self.progress = progress
        formSecret = context.cookie(context.formCookie) ?? RandomBytes.text()
    }

    init(opening request: AuthorizationRequest, at endpoint: PolicyEndpoint, _ context: RequestContext) throws {
        let id = try endpoint.tenant.database.openTransaction(request, now: context.now)
        self.init(endpoint, context, id: id, request: request, progress: Progress())
    }

    /// Finds the transaction of a form or a link. A form of another browser is refused: the user of one browser never goes
    /// on with what another browser has begun.
    init(of context: RequestContext, at endpoint: PolicyEndpoint) throws {
        let parameters = context.parameters
        guard let id = parameters["transaction"],
            let found = try endpoint.tenant.database.transaction(id, of: endpoint.policy.name, now: context.now)
        else { throw PageError.ended }
        guard FormToken.isValid(parameters["csrf"], about: id, context) else { throw PageError.forged }
        self.init(endpoint, context, id: id, request: found.request, progress: found.progress)
    }

    var database: Database { endpoint.tenant.database }

    /// The session of the browser for the requesting application.
    var browser: BrowserSession { BrowserSession(endpoint, context, clientID: request.clientID) }

    /// The form field that shows that a form came from a page of this transaction.
    var csrfToken: String { FormToken.make(formSecret, about: id) }

    /// Changes the progress in one step of the database, so that two forms submitted at the same time both count.
    @discardableResult
    mutating func update<T: Sendable>(_ change: @Sendable (inout Progress) throws -> T) throws -> T {
        guard let updated = try database.updateTransaction(id, change) else { throw PageError.ended }
        progress = updated.progress
        return updated.result
    }

    /// The user who has shown a password or a social account, but is not signed in yet.
    func provingUser() throws -> User {
        guard case .proving(let person) = progress.state else { throw PageError.ended }
        return try user(person)
    }

    func signedInUser() throws -> SignedInUser {
        guard case .signedIn(let person, let authTime) = progress.state else { throw PageError.ended }
        let user = try user(person)
        guard !user.isBlocked else { throw PageError.ended }
        return SignedInUser(user: user, authTime: authTime)
    }

    /// The user with that object ID; ends the pages if it was deleted.
    func user(_ objectID: String?) throws -> User {
        guard let user = try objectID.flatMap(database.user(objectID:)) else { throw PageError.ended }
        return user
    }

    /// Sends a new code, which voids the previous one. Returns `nil` if this transaction has sent too many.
    mutating func sendCode(
        _ purpose: OutboxMessage.Purpose, to recipient: String, by channel: OutboxMessage.Channel,
        person: String? = nil
    ) throws -> SentCode? {
        let code = SentCode.make()
        let sent = SentCode(
            code, for: purpose, to: recipient, by: channel, person: person, secret: id, now: context.now)
        let isAllowed = try update { progress in
            guard progress.codesSent < SentCode.mostCodes else { return false }
            progress.codesSent += 1
            progress.sentCode = sent
            return true
        }
        guard isAllowed else { return nil }
        try database.send(code, to: recipient, by: channel, for: purpose, now: context.now)
        return sent
    }
}

extension Transaction {
    /// How far a user has come. It holds what the emulator has checked, never what only a form has sent.
    struct Progress: Codable, Sendable {
        private(set) var state = State.identifying
        /// The object ID of the user who may choose a new password without the old one.
        var resetting: String?
        /// The user as the social provider knows them.
        var social: SocialIdentity?
        var isNew = false
        var done: Set<Step> = []
        /// The code that the user has to enter.
        var sentCode: SentCode?
        /// The secret of an authenticator app that the user is adding.
        var totpSecret: String?
        /// The address in the invitation.
        var invitedEmail: String?
        /// The address whose code was entered.
        var verifiedEmail: String?
        var codesSent = 0
        /// The claims for the tokens that the developer's code gave at the sign-up, as JSON.
        var codeClaims: String?
        /// The journey of a custom policy, which decides everything: the other members are for user flows.
        var journey: StoredJourney?

        /// The address that the user need not enter: it was verified, or the social provider or the invitation vouches for it.
        var knownEmail: String? { social?.email ?? invitedEmail ?? verifiedEmail }

        /// Continues as a user who has just been identified. Drops the proofs of another user.
        mutating func identify(_ objectID: String, isNew isNewNow: Bool = false) {
            if state.person != objectID {
                (done, isNew, sentCode, resetting, totpSecret) = ([], false, nil, nil, nil)
            }
            isNew = isNew || isNewNow
            state = .proving(objectID)
        }

        /// Records that this user has shown every proof, now or when the session of the browser began.
        mutating func signIn(_ user: SignedInUser) {
            state = .signedIn(user.user.objectID, authTime: user.authTime)
        }

        /// Records a step of this user. Throws if another user was identified in the meantime.
        mutating func finish(_ step: Step, of objectID: String) throws {
            guard state.person == objectID else { throw PageError.ended }
            done.insert(step)
        }
    }

    /// Who is signing in, by object ID.
    enum State: Codable, Sendable {
        case identifying
        /// The user has shown a password, a social account or a session; a second factor or a new password is missing.
        case proving(String)
        case signedIn(String, authTime: Int64)

        fileprivate var person: String? {
            switch self {
            case .identifying: nil
            case .proving(let person), .signedIn(let person, _): person
            }
        }
    }
}

/// A user who has shown every proof, and when.
struct SignedInUser: Sendable {
    let user: User
    let authTime: Int64
}

/// A step that a user completes once in a transaction. The page of a step declares it.
struct Step: RawRepresentable, Codable, Hashable, Sendable {
    let rawValue: String
}

/// A user as the social provider knows them.
struct SocialIdentity: Codable, Hashable, Sendable {
    let email: String
    let displayName: String
}

/// The reason why a page cannot continue.
enum PageError: Error {
    case ended
    case forged

    /// Runs a page and turns these errors into pages.
    static func catching(_ context: RequestContext, _ body: () throws -> Response) throws -> Response {
        do { return try body() } catch let error as PageError {
            return switch error {
            case .ended: ErrorPage.response(.pageEnded, message: .pageEndedNote, context)
            case .forged: ErrorPage.response(.formRefused, message: .formRefusedNote, context, status: .forbidden)
            }
        }
    }
}
