import Susi

/// An account in results. No other JSON object has `homeAccountId`.
struct AccountRecord: Encodable {
    let homeAccountId: String
    let policy: String
    let tenantId: String
    let subject: String
    let label: String
    let name: String?
    let emails: [String]
    let username: String?
    let isCurrent: Bool
    /// Whether the encrypted fields cannot be decrypted.
    let isDamaged: Bool
    let signedIn: Timestamp
    let claimsRead: Timestamp
    let tokens: [TokenRecord]

    init(_ account: StoredAccount) {
        homeAccountId = account.homeAccountID.description
        policy = account.account.policy.spelling
        tenantId = account.account.person.tenant.id
        subject = account.account.person.subject
        label = account.label
        name = account.profile.name
        emails = account.profile.emails
        username = account.profile.username
        isCurrent = account.isCurrent
        isDamaged = account.damage != nil
        signedIn = Timestamp(account.signedInOn)
        claimsRead = Timestamp(account.claimsOn)
        tokens = account.tokens.map(TokenRecord.init)
    }

    /// The name and label, for example "Ana Lima <ana@contoso.example>".
    var title: String {
        guard let name, name != label else { return Terminal.safe(label) }
        return "\(Terminal.safe(name)) <\(Terminal.safe(label))>"
    }

    /// Describes both tokens, for example "token valid 52 min, refresh token valid 14 d".
    func validity(now: Int64) -> String {
        if isDamaged { return Self.damaged }
        let say = { (end: Int64?) in Timestamp.validity(until: end, now: now) }
        let access = accessEnd.map { "token \(say($0))" }
        return [access, refresh.map { "refresh token \(say($0.expires?.epoch))" } ?? "no refresh token"]
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

    /// The latest expiry of the tokens. A token without a known expiry never expires.
    private var lastEnd: Int64? {
        [refresh.map { $0.expires?.epoch ?? .max }, accessEnd.map { $0 ?? .max }].compactMap(\.self).max()
    }

    /// Describes the access token, for example "access token 52 min"; `nil` if there is none.
    func accessToken(now: Int64) -> String? {
        accessEnd.map { end in
            guard let end else { return "access token" }
            let span = end > now ? Timestamp.span(from: now, to: end) : Timestamp.validity(until: end, now: now)
            return "access token \(span)"
        }
    }

    private static let damaged = "damaged: sign in again"

    private var refresh: TokenRecord? { tokens.first { $0.kind == .refresh } }

    /// The expiry of the access token that is valid longest. The outer optional is `nil` without an access token, the
    /// inner one if the expiry is unknown.
    private var accessEnd: Int64?? {
        tokens.filter { $0.kind == .access }.map { $0.expires?.epoch }.max { ($0 ?? 0) < ($1 ?? 0) }
    }
}

/// A token without its secret.
struct TokenRecord: Encodable {
    let kind: TokenKind
    let scopes: [String]
    let granted: [String]
    let expires: Timestamp?

    init(_ info: StoredTokenInfo) {
        kind = info.kind
        scopes = info.scopes.scopes
        granted = info.granted.scopes
        expires = info.expiresOn.map(Timestamp.init)
    }

    private enum CodingKeys: CodingKey { case kind, scopes, granted, expires }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind.rawValue, forKey: .kind)
        try container.encode(scopes, forKey: .scopes)
        try container.encode(granted, forKey: .granted)
        try container.encodeIfPresent(expires, forKey: .expires)
    }
}
