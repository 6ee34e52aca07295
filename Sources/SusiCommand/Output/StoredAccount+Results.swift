import Susi

extension StoredAccount {
    /// The account in JSON. No other JSON object has `homeAccountId`.
    var json: JSONObject { json(of: nil) }

    func json(of application: String?, unowned: Unowned? = nil) -> JSONObject {
        [
            "application": application, "unusable": unowned?.rawValue, "authority": authority,
            "clientId": account.clientID, "homeAccountId": homeAccountID.description,
            "policy": account.policy.spelling,
            "tenantId": account.person.tenant.id, "subject": account.person.subject, "label": label,
            "name": profile.name, "emails": profile.emails, "username": profile.username,
            "identityProvider": profile.identityProvider, "isCurrent": isCurrent,
            "isDamaged": isDamaged, "signedIn": Timestamp(signedInOn), "claimsRead": Timestamp(claimsOn),
            "tokens": tokens.map(\.json),
        ]
    }

    /// The name and label made safe for a terminal, for example "Ana Lima <ana@contoso.example>".
    var safeTitle: String { Terminal.safe(title) }

    /// The policy's name made safe for a terminal.
    var safePolicy: String { Terminal.safe(account.policy.spelling) }

    /// The client ID and the authority, which tell apart the accounts of no application.
    var safeRegistration: String { Terminal.safe("\(account.clientID) at \(authority)") }

    /// Describes both tokens, for example "token valid 52 min, refresh token valid 14 d".
    func validity(now: Int64) -> String {
        if isDamaged { return Self.damaged }
        let describe = { (end: Int64?) in
            end.map { Timestamp.validity(until: $0, now: now) } ?? "of unknown lifetime"
        }
        let access = accessEnd.map { "token \(describe($0))" }
        return [access, refresh.map { "refresh token \(describe($0.expiresOn))" } ?? "no refresh token"]
            .compactMap(\.self).joined(separator: ", ")
    }

    /// Describes how long the account issues tokens without a sign-in, for example "sign-in valid 14 d".
    func sessionStatus(now: Int64) -> String {
        if isDamaged { return Self.damaged }
        guard let end = lastEnd, end > now else { return "sign-in needed" }
        return end == .max ? "signed in" : "sign-in valid \(Timestamp.span(from: now, to: end))"
    }

    /// Returns whether the next token requires a sign-in.
    func needsSignIn(now: Int64) -> Bool { isDamaged || lastEnd.map { $0 <= now } ?? true }

    /// Describes the access token, for example "access token 52 min"; `nil` if there is none or it cannot be decrypted.
    func accessToken(now: Int64) -> String? {
        if isDamaged { return nil }
        return accessEnd.map { end in
            guard let end else { return "access token" }
            let span = end > now ? Timestamp.span(from: now, to: end) : Timestamp.validity(until: end, now: now)
            return "access token \(span)"
        }
    }

    private static let damaged = "damaged: sign in again"

    /// Whether the encrypted fields cannot be decrypted.
    private var isDamaged: Bool { damage != nil }

    private var refresh: StoredTokenInfo? {
        tokens.filter { $0.kind == .refresh }.max { ($0.expiresOn ?? .max) < ($1.expiresOn ?? .max) }
    }

    /// The latest expiry of the tokens. A token without a known expiry never expires.
    private var lastEnd: Int64? {
        [refresh.map { $0.expiresOn ?? .max }, accessEnd.map { $0 ?? .max }].compactMap(\.self).max()
    }

    /// The expiry of the access token that is valid longest. The outer optional is `nil` without an access token, the
    /// inner one if the expiry is unknown.
    private var accessEnd: Int64?? {
        tokens.filter { $0.kind == .access }.map(\.expiresOn).max { ($0 ?? 0) < ($1 ?? 0) }
    }
}

extension StoredTokenInfo {
    /// The token in JSON, without its secret.
    fileprivate var json: JSONObject {
        [
            "kind": kind.rawValue, "scopes": scopes.scopes, "granted": granted.scopes,
            "expires": expiresOn.map(Timestamp.init),
        ]
    }
}
