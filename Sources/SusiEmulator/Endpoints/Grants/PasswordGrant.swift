import SusiBase
import SusiPolicies

/// `grant_type=password` (RFC 6749 section 4.3): user name and password without a page.
enum PasswordGrant {
    static func tokens(for request: TokenRequest) throws -> JSON {
        let form = request.form
        for name in ["username", "password", "scope"] where form[name] == nil { throw Refusal.missing(name) }
        let scope = form["scope"] ?? ""
        // Check the request before the password.
        let scopes = try request.scopes(scope)
        if let journey = request.journey {
            return try request.tokens(for: journey.password(), scope: scope, scopes)
        }
        let user = try user(
            form["username"] ?? "", password: form["password"] ?? "", at: request.endpoint, clientID: request.clientID,
            now: request.now)
        guard !user.mustResetPassword else {
            throw Refusal(.wrongPassword, "The password has expired. Sign in on the sign-in page and choose a new one.")
        }
        guard request.endpoint.settings.multiFactor == .off else {
            throw Refusal(
                .claimsDemanded,
                """
                Due to a configuration change made by your administrator, you must use multi-factor authentication to \
                sign in.
                """)
        }
        if let refusal = request.endpoint.dialect.refusal(of: user, at: request.endpoint) { throw refusal }
        try request.checkConsent(user, scopes)
        return try request.issue(try request.newGrant(user, scope: scope), to: user, scopes: scopes)
    }

    /// The local account with that name and password.
    static func user(
        _ name: String, password: String, at endpoint: PolicyEndpoint, clientID: String, now: Int64
    ) throws -> User {
        switch try endpoint.check(password, of: name, clientID: clientID, now: now) {
        case .accepted(let user): return user
        case .wrong:
            let isElsewhere = try endpoint.tenant.database.user(email: name, of: SocialPage.provider) != nil
            throw Refusal(
                .wrongPassword,
                isElsewhere
                    ? "The account signs in with \(SocialPage.provider) and has no password here."
                    : wrong)
        case .locked: throw endpoint.dialect.traits.tellsLock ? locked : Refusal(.accountLocked, wrong)
        case .blocked: throw blocked
        }
    }

    static let wrong = "The username or password provided in the request are invalid."

    /// The account is locked after too many wrong passwords or codes.
    static let locked = Refusal(
        .accountLocked, "Your account is temporarily locked to prevent unauthorized use. Try again later.")

    static let blocked = Refusal(
        .accountBlocked, "Your account has been locked. Contact your support person to unlock it, then try again.")
}
