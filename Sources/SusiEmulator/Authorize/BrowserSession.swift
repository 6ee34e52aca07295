import SusiPolicies

/// The session that a browser has for one application at one policy, shared as the policy's settings say. Each person who
/// signed in there has a secret of their own in its cookie; the first is who signs in silently.
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

    // Nobody has more people than this in one browser.
    private static let most = 5

    private static func secrets(_ cookie: String) -> [String] {
        cookie.split(separator: ".").prefix(most).map(String.init)
    }

    private var secrets: [String] {
        scope.flatMap { visit.cookie(Self.cookie(place, visit, $0)) }.map(Self.secrets) ?? []
    }

    private var secret: String? { secrets.first }

    /// Who is signed in.
    func current() throws -> Session? { try secret.flatMap(session) }

    private func session(_ secret: String) throws -> Session? {
        try scope.flatMap { try place.tenant.database.session(secret, scope: $0, now: visit.now) }
    }

    /// Everybody who is signed in, the current person first.
    func all() throws -> [(secret: String, session: Session)] {
        try secrets.compactMap { secret in try session(secret).map { (secret, $0) } }
    }

    /// Whether the policy asks for a second factor that was not shown in this session.
    func lacksSecondFactor() throws -> Bool { try secret.map(lacksSecondFactor) ?? false }

    /// The same of another person's secret.
    func lacksSecondFactor(_ secret: String) throws -> Bool {
        try place.settings.multiFactor == .always && !place.tenant.database.hasSecondFactor(inSession: secret)
    }

    /// The same answer after another person of the session was chosen, who is the current one from then on.
    func choosing(_ answer: Answer, _ chosen: String, _ session: Session) throws -> Answer {
        guard let scope else { return answer }
        let all = [chosen] + secrets.filter { $0 != chosen }
        let seconds = session.isKept ? seconds(isKept: true) : nil
        return settingCookie(answer, scope, all, seconds: seconds)
    }

    /// The same answer after the session was used: where its time rolls, it begins anew.
    func renewing(_ answer: Answer, _ session: Session) throws -> Answer {
        // A policy that keeps nobody signed in does not shorten what another one has kept.
        guard rules.isRolling, !session.isKept || rules.keepSeconds != nil, let scope, let secret else { return answer }
        let seconds = seconds(isKept: session.isKept)
        try place.tenant.database.renewSession(secret, expires: visit.now + seconds)
        // The browser counts the time of a cookie that it keeps itself.
        return session.isKept
            ? settingCookie(answer, scope, secrets, seconds: seconds) : answer
    }

    /// The same answer with a new session beside those of other people. Its secret is new with each sign-in, so that none can be fixed beforehand. It
    /// outlives the browser where the form's “keep me signed in” was ticked; a page that comes between passes the field on.
    func starting(_ answer: Answer, _ user: User, hasSecondFactor: Bool) throws -> Answer {
        guard let scope else { return answer }
        let database = place.tenant.database
        let others = try all().filter { $0.session.user.objectID != user.objectID }.map(\.secret)
        for secret in secrets where !others.contains(secret) { try database.endSession(secret) }
        let isKept = rules.keepSeconds != nil && visit.form["keepMeSignedIn"] != nil
        let seconds = seconds(isKept: isKept)
        let session = Session(user: user, authTime: visit.now, isKept: isKept)
        let secret = try database.start(session, scope: scope, expires: visit.now + seconds, now: visit.now)
        if hasSecondFactor { try database.noteSecondFactor(inSession: secret) }
        let kept = others.prefix(Self.most - 1)
        for secret in others.dropFirst(kept.count) { try database.endSession(secret) }
        return settingCookie(answer, scope, [secret] + kept, seconds: isKept ? seconds : nil)
    }

    // A page that asks silently does it in a frame: a page at http and one at https are two sites, and a frame's cookies
    // those of another. Azure AD B2C lets them come along too.
    private func settingCookie(_ answer: Answer, _ scope: String, _ secrets: [String], seconds: Int64?) -> Answer {
        answer.settingCookie(
            Self.cookie(place, visit, scope), secrets.joined(separator: "."), seconds: seconds,
            isShared: visit.port.isSecure)
    }

    private func seconds(isKept: Bool) -> Int64 { isKept ? rules.keepSeconds ?? rules.seconds : rules.seconds }

    /// The same answer after every session that the browser has with the tenant has ended.
    static func ending(_ answer: Answer, _ place: Place, _ visit: Visit) throws -> Answer {
        let first = cookie(place, visit, "")
        var answer = answer.settingCookie(first, "")
        for name in visit.cookies(beginning: first) {
            for secret in visit.cookie(name).map(secrets) ?? [] { try place.tenant.database.endSession(secret) }
            if name != first { answer = answer.settingCookie(name, "") }
        }
        return answer
    }
}
