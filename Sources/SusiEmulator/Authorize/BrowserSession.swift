import SusiPolicies

/// The session that a browser has for one application at one policy, shared as the policy's settings say. Each person who
/// signed in there has a secret of their own in its cookie; the first is who signs in silently.
struct BrowserSession {
    private let endpoint: PolicyEndpoint
    private let context: RequestContext
    private let rules: PolicySettings.Session
    /// Who shares it, in the words of the database; nil where there is none.
    private let scope: String?

    init(_ endpoint: PolicyEndpoint, _ context: RequestContext, clientID: String) {
        self.endpoint = endpoint
        self.context = context
        rules = endpoint.settings.session
        scope =
            switch rules.scope {
            case .tenant: ""
            case .application: "application \(clientID.lowercased())"
            case .policy: "policy \(endpoint.policy.name.lowercased)"
            case .suppressed: nil
            }
    }

    // Cookies do not tell ports apart (RFC 6265 section 8.5), so the name does: two emulators stay two, two tenants and
    // two that share different sessions.
    private static func cookie(_ endpoint: PolicyEndpoint, _ context: RequestContext, _ scope: String) -> String {
        let name = "susi_session_\(context.port.number)_\(endpoint.tenant.tag)"
        return scope.isEmpty ? name : "\(name)_\(sha256(scope).prefix(8).map(hexadecimal).joined())"
    }

    // Nobody has more people than this in one browser.
    private static let most = 5

    private static func secrets(_ cookie: String) -> [String] {
        cookie.split(separator: ".").prefix(most).map(String.init)
    }

    private var secrets: [String] {
        scope.flatMap { context.cookie(Self.cookie(endpoint, context, $0)) }.map(Self.secrets) ?? []
    }

    /// The session of the person who signs in silently.
    func current() throws -> Session? { try all().first?.session }

    private func session(_ secret: String) throws -> Session? {
        try scope.flatMap { try endpoint.tenant.database.session(secret, scope: $0, now: context.now) }
    }

    /// Everybody who is signed in, the current person first.
    func all() throws -> [(secret: String, session: Session)] {
        try secrets.compactMap { secret in try session(secret).map { (secret, $0) } }
    }

    /// Whether the policy asks for a second factor that was not shown in this session.
    func lacksSecondFactor() throws -> Bool { try all().first.map { try lacksSecondFactor($0.secret) } ?? false }

    /// The same of another person's secret.
    func lacksSecondFactor(_ secret: String) throws -> Bool {
        try endpoint.settings.multiFactor == .always && !endpoint.tenant.database.hasSecondFactor(inSession: secret)
    }

    /// The same answer after a person of the session was chosen, who is the current one from then on.
    func choosing(_ answer: Response, _ chosen: String) throws -> Response {
        guard let scope, let session = try session(chosen) else { return answer }
        try renew(chosen, session)
        let others = secrets.filter { $0 != chosen }
        return settingCookie(answer, scope, [chosen] + others, seconds: try cookieSeconds([chosen] + others))
    }

    /// The same answer after the session was used: where its time rolls, it starts again.
    func renewing(_ answer: Response, _ session: Session) throws -> Response {
        guard let scope, let secret = try all().first?.secret, try renew(secret, session), session.isKept
        else { return answer }
        // The browser counts the time of a cookie that it keeps itself.
        return settingCookie(answer, scope, secrets, seconds: try cookieSeconds(secrets))
    }

    // Returns whether the session got more time. A policy that keeps no session does not shorten what another one has kept.
    @discardableResult
    private func renew(_ secret: String, _ session: Session) throws -> Bool {
        guard rules.isRolling, !session.isKept || rules.keepSeconds != nil else { return false }
        try endpoint.tenant.database.renewSession(secret, expires: context.now + seconds(isKept: session.isKept))
        return true
    }

    // One cookie holds all of them: it stays in the browser as long as the longest session that was kept; nil where none
    // was. Each session still ends at its own time.
    private func cookieSeconds(_ secrets: [String]) throws -> Int64? {
        try secrets.compactMap(session).filter(\.isKept).map { $0.expires - context.now }.max()
    }

    /// The same answer with a new session beside those of other people.
    ///
    /// Its secret is new with each sign-in, so that none can be fixed beforehand. It outlives the browser where the form's
    /// “keep me signed in” was ticked; a page that comes between passes the field on.
    func starting(_ answer: Response, _ user: User, hasSecondFactor: Bool) throws -> Response {
        guard let scope else { return answer }
        let database = endpoint.tenant.database
        let others = try all().filter { $0.session.user.objectID != user.objectID }.map(\.secret)
        for secret in secrets where !others.contains(secret) { try database.endSession(secret) }
        let isKept = rules.keepSeconds != nil && context.form["keepMeSignedIn"] != nil
        let session = Session(
            user: user, authTime: context.now, isKept: isKept, expires: context.now + seconds(isKept: isKept))
        let secret = try database.start(session, scope: scope, now: context.now)
        if hasSecondFactor { try database.noteSecondFactor(inSession: secret) }
        let kept = others.prefix(Self.most - 1)
        for secret in others.dropFirst(kept.count) { try database.endSession(secret) }
        let all = [secret] + kept
        return settingCookie(answer, scope, all, seconds: try cookieSeconds(all))
    }

    // A page that asks silently does it in a frame: a page at http and one at https are two sites, and a frame's cookies
    // those of another. Azure AD B2C lets them come along too.
    private func settingCookie(_ answer: Response, _ scope: String, _ secrets: [String], seconds: Int64?) -> Response {
        answer.settingCookie(
            Self.cookie(endpoint, context, scope), secrets.joined(separator: "."), seconds: seconds,
            isShared: context.port.isSecure)
    }

    private func seconds(isKept: Bool) -> Int64 { isKept ? rules.keepSeconds ?? rules.seconds : rules.seconds }

    /// The same answer after every session that the browser has with the tenant has ended.
    static func ending(_ answer: Response, _ endpoint: PolicyEndpoint, _ context: RequestContext) throws -> Response {
        let first = cookie(endpoint, context, "")
        var answer = answer.settingCookie(first, "")
        for name in context.cookies(beginning: first) {
            for secret in context.cookie(name).map(secrets) ?? [] { try endpoint.tenant.database.endSession(secret) }
            if name != first { answer = answer.settingCookie(name, "") }
        }
        return answer
    }
}
