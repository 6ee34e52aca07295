import Susi

/// An account as results show it. Of all objects in JSON, these and no others have `homeAccountId`.
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
    /// Whether what is sealed of it does not open.
    let isDamaged: Bool
    let signedIn: Moment
    let claimsRead: Moment
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
        signedIn = Moment(account.signedInOn)
        claimsRead = Moment(account.claimsOn)
        tokens = account.tokens.map(TokenRecord.init)
    }

    /// "Ana Lima  ana@contoso.example".
    var title: String {
        guard let name, name != label else { return Terminal.safe(label) }
        return "\(Terminal.safe(name)) <\(Terminal.safe(label))>"
    }

    /// "token valid 52 min, refresh token valid 14 d"; in brief "52 min, refresh 14 d".
    func validity(now: Int64, brief: Bool = false) -> String {
        if isDamaged { return Self.damaged }
        let refresh = tokens.first { $0.kind == .refresh }
        let say = { (end: Int64?) in Moment.validity(until: end, now: now, brief: brief) }
        var parts: [String] = []
        if let accessEnd { parts.append(brief ? say(accessEnd) : "token \(say(accessEnd))") }
        parts.append(
            refresh.map { "\(brief ? "refresh" : "refresh token") \(say($0.expires?.epoch))" } ?? "no refresh token")
        return parts.joined(separator: ", ")
    }

    /// "valid 52 min, refresh token ends in 13 d, claims 8 min old".
    func ages(now: Int64) -> String {
        if isDamaged { return Self.damaged }
        let refresh = tokens.first { $0.kind == .refresh }.map { token in
            guard let end = token.expires?.epoch else { return "refresh token without an end" }
            return end > now
                ? "refresh token ends in \(Moment.span(from: now, to: end))"
                : "refresh token \(Moment.validity(until: end, now: now))"
        }
        return [
            accessEnd.map { Moment.validity(until: $0, now: now) } ?? "no token", refresh ?? "no refresh token",
            "claims \(Moment.span(from: claimsRead.epoch, to: now)) old",
        ].joined(separator: ", ")
    }

    private static let damaged = "damaged: sign in again"

    /// The end of the access token that lasts longest: nil without one, nil inside for one whose end is not known.
    private var accessEnd: Int64?? {
        tokens.filter { $0.kind == .access }.map { $0.expires?.epoch }.max { ($0 ?? 0) < ($1 ?? 0) }
    }
}

/// A token without its secret.
struct TokenRecord: Encodable {
    let kind: TokenKind
    let scopes: [String]
    let granted: [String]
    let expires: Moment?

    init(_ info: StoredTokenInfo) {
        kind = info.kind
        scopes = info.scopes.scopes
        granted = info.granted.scopes
        expires = info.expiresOn.map(Moment.init)
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
