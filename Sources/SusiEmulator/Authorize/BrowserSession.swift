import SusiPolicies

/// The session that a browser has for one application at one policy, shared as the policy's settings say.
struct BrowserSession {
    private let place: Place
    private let visit: Visit
    private let rules: PolicySettings.Session
    /// Who shares it, in the words of the database; nil where there is none.
    private let scope: String?

    init(_ place: Place, _ visit: Visit, clientID: String) {
        self.place = place
        self.visit = visit
        rules = place.settings.session
        scope =
            switch rules.scope {
            case .tenant: ""
            case .application: "application \(clientID.lowercased())"
            case .policy: "policy \(place.policy.name.lowercased)"
            case .suppressed: nil
            }
    }

    // Cookies do not tell ports apart (RFC 6265 section 8.5), so the name does: two emulators stay two, two tenants and
    // two that share different sessions.
    private static func cookie(_ place: Place, _ visit: Visit, _ scope: String) -> String {
        let name = "susi_session_\(visit.port.number)_\(place.tenant.tag)"
        return scope.isEmpty ? name : "\(name)_\(sha256(scope).prefix(8).map(hexadecimal).joined())"
    }

    private var secret: String? { scope.flatMap { visit.cookie(Self.cookie(place, visit, $0)) } }

    /// Who is signed in.
    func current() throws -> Session? {
        guard let scope, let secret else { return nil }
        return try place.tenant.database.session(secret, scope: scope, now: visit.now)
    }

    /// Whether the policy asks for a second factor that was not shown in this session.
    func lacksSecondFactor() throws -> Bool {
        guard place.settings.multiFactor == .always, let secret else { return false }
        return try !place.tenant.database.hasSecondFactor(inSession: secret)
    }

    /// The same answer after the session was used: where its time rolls, it begins anew.
    func renewing(_ answer: Answer, _ session: Session) throws -> Answer {
        // A policy that keeps nobody signed in does not shorten what another one has kept.
        guard rules.isRolling, !session.isKept || rules.keepSeconds != nil, let scope, let secret else { return answer }
        let seconds = seconds(isKept: session.isKept)
        try place.tenant.database.renewSession(secret, expires: visit.now + seconds)
        // The browser counts the time of a cookie that it keeps itself.
        return session.isKept
            ? settingCookie(answer, scope, secret, seconds: seconds) : answer
    }

    /// The same answer with a new session. Its secret is new with each sign-in, so that none can be fixed beforehand. It
    /// outlives the browser where the form's “keep me signed in” was ticked; a page that comes between passes the field on.
    func starting(_ answer: Answer, _ user: User, hasSecondFactor: Bool) throws -> Answer {
        guard let scope else { return answer }
        let database = place.tenant.database
        if let secret { try database.endSession(secret) }
        let isKept = rules.keepSeconds != nil && visit.form["keepMeSignedIn"] != nil
        let seconds = seconds(isKept: isKept)
        let session = Session(user: user, authTime: visit.now, isKept: isKept)
        let secret = try database.start(session, scope: scope, expires: visit.now + seconds, now: visit.now)
        if hasSecondFactor { try database.noteSecondFactor(inSession: secret) }
        return settingCookie(answer, scope, secret, seconds: isKept ? seconds : nil)
    }

    // A page that asks silently does it in a frame: a page at http and one at https are two sites, and a frame's cookies
    // those of another. Azure AD B2C lets them come along too.
    private func settingCookie(_ answer: Answer, _ scope: String, _ secret: String, seconds: Int64?) -> Answer {
        answer.settingCookie(
            Self.cookie(place, visit, scope), secret, seconds: seconds, isShared: visit.port.isSecure)
    }

    private func seconds(isKept: Bool) -> Int64 { isKept ? rules.keepSeconds ?? rules.seconds : rules.seconds }

    /// The same answer after every session that the browser has with the tenant has ended.
    static func ending(_ answer: Answer, _ place: Place, _ visit: Visit) throws -> Answer {
        let first = cookie(place, visit, "")
        var answer = answer.settingCookie(first, "")
        for name in visit.cookies(beginning: first) {
            if let secret = visit.cookie(name) { try place.tenant.database.endSession(secret) }
            if name != first { answer = answer.settingCookie(name, "") }
        }
        return answer
    }
}
