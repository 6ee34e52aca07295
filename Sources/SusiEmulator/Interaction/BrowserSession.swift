import SusiBase
import SusiJourneys
import SusiPolicies

/// The session of a browser for one application at one policy, shared as the policy's settings define. Its cookie has a
/// secret for each signed-in user; the first one is that of the current user, who signs in silently.
struct BrowserSession {
    /// One user of the session.
    typealias Entry = (secret: String, session: Session)

    /// What a session proves for a request.
    enum Proof { case nothing, password, complete }

    private let endpoint: PolicyEndpoint
    private let context: RequestContext
    private let rules: PolicySettings.Session
    /// The scope of the session as the database stores it; `nil` if there are no sessions.
    private let scope: String?

    init(_ endpoint: PolicyEndpoint, _ context: RequestContext, clientID: String) {
        self.endpoint = endpoint
        self.context = context
        rules = endpoint.settings.session
        scope =
            switch rules.scope {
            case .tenant: ""
            case .application: Self.scope(ofApplication: clientID)
            case .policy: "policy \(endpoint.policy.name.lowercased)"
            case .suppressed: nil
            }
    }

    // MARK: Reading

    // Ports share cookies (RFC 6265 section 8.5), so the name contains the port. It also contains the tenant and the
    // scope, so that sessions do not mix.
    private static func cookie(_ endpoint: PolicyEndpoint, _ context: RequestContext, scope: String) -> String {
        let name = "susi_session_\(context.port.number)_\(endpoint.tenant.tag)"
        return scope.isEmpty ? name : "\(name)_\(Hexadecimal.encode(sha256(scope).prefix(8)))"
    }

    // The maximum number of users in one browser.
    private static let most = 5

    private static func secrets(_ cookie: String) -> [String] {
        cookie.split(separator: ".").prefix(most).map(String.init)
    }

    private var secrets: [String] {
        scope.flatMap { context.cookie(Self.cookie(endpoint, context, scope: $0)) }.map(Self.secrets) ?? []
    }

    private func session(_ secret: String) throws -> Session? {
        try scope.flatMap { try endpoint.tenant.database.session(secret, scope: $0, now: context.now) }
    }

    /// Every user who is signed in, the current one first.
    func all() throws -> [Entry] {
        try secrets.compactMap { secret in try session(secret).map { (secret, $0) } }
    }

    /// What a session proves for a request. `isChosen` says that its user was selected on a page.
    func proof(of entry: Entry, for request: AuthorizationRequest, isChosen: Bool = false) throws -> Proof {
        let user = entry.session.user
        guard !user.isBlocked, request.accepts(entry.session, isChosen: isChosen, now: context.now) else {
            return .nothing
        }
        guard endpoint.asksSecondFactor, try !endpoint.tenant.database.hasSecondFactor(inSession: entry.secret) else {
            return .complete
        }
        // A user who has to change the password must enter the old one first; a session does not replace that.
        return user.owesPassword ? .nothing : .password
    }

    // MARK: Changing

    /// The response after a session was used: its user becomes the current one, and a rolling lifetime starts again.
    func using(_ entry: Entry, _ response: Response) throws -> Response {
        guard let scope else { return response }
        let isRenewed = try renew(entry)
        let order = [entry.secret] + secrets.filter { $0 != entry.secret }
        // The browser measures the lifetime of a kept cookie, so a renewed session needs a new one.
        guard order != secrets || isRenewed && entry.session.isKept else { return response }
        return try settingCookie(response, scope: scope, secrets: order)
    }

    // Returns whether the session got more time. A policy that keeps no session does not shorten a session of another one.
    private func renew(_ entry: Entry) throws -> Bool {
        let isKept = entry.session.isKept
        guard rules.isRolling, !isKept || rules.keepSeconds != nil else { return false }
        try endpoint.tenant.database.renewSession(entry.secret, expires: context.now + seconds(isKept: isKept))
        return true
    }

    /// The response with a new session in addition to those of other users.
    ///
    /// Each sign-in gets a new secret, so that it cannot be fixed beforehand. The session outlives the browser if the form
    /// had “keep me signed in” ticked; the pages in between pass that field on.
    func starting(
        _ response: Response, _ user: User, hasSecondFactor: Bool, _ journey: SessionEntries? = nil
    ) throws -> Response {
        guard let scope else { return response }
        let database = endpoint.tenant.database
        let others = try all().filter { $0.session.user.objectID != user.objectID }.map(\.secret)
        for secret in secrets where !others.contains(secret) { try database.endSession(secret) }
        let isKept = rules.keepSeconds != nil && context.form["rememberMe"] != nil
        let session = Session(
            user: user, authTime: context.now, isKept: isKept, expires: context.now + seconds(isKept: isKept))
        let secret = try database.start(session, scope: scope, journey: journey, now: context.now)
        if hasSecondFactor { try database.noteSecondFactor(inSession: secret) }
        let kept = others.prefix(Self.most - 1)
        for secret in others.dropFirst(kept.count) { try database.endSession(secret) }
        return try settingCookie(response, scope: scope, secrets: [secret] + kept)
    }

    // One cookie holds all secrets. The browser keeps it until the last kept session ends; each session still ends at
    // its own time. The cookie is shared between sites, as in Azure AD B2C: a silent request comes from a frame, and
    // pages at http and https are two sites.
    private func settingCookie(_ response: Response, scope: String, secrets: [String]) throws -> Response {
        let seconds = try secrets.compactMap(session).filter(\.isKept).map { $0.expires - context.now }.max()
        return response.settingCookie(
            Self.cookie(endpoint, context, scope: scope), secrets.joined(separator: "."), seconds: seconds,
            isShared: context.port.isSecure)
    }

    private func seconds(isKept: Bool) -> Int64 { isKept ? rules.keepSeconds ?? rules.seconds : rules.seconds }

    private static func scope(ofApplication clientID: String) -> String { "application \(clientID.lowercased())" }

    /// The response after the sessions of the browser with the tenant have ended, except those that belong to another
    /// application than the one that signs out; nil for a request that names none.
    static func ending(
        _ response: Response, at endpoint: PolicyEndpoint, _ context: RequestContext, clientID: String?
    ) throws -> Response {
        let first = cookie(endpoint, context, scope: "")
        let own = clientID.map(scope(ofApplication:))
        let others = endpoint.tenant.configuration.applications.map { scope(ofApplication: $0.clientID) }
            .filter { $0 != own }.map { cookie(endpoint, context, scope: $0) }
        var response = response.settingCookie(first, "")
        for name in context.cookies(beginning: first) where !others.contains(name) {
            for secret in context.cookie(name).map(secrets) ?? [] { try endpoint.tenant.database.endSession(secret) }
            if name != first { response = response.settingCookie(name, "") }
        }
        return response
    }
}
