import Susi

/// The result of `remove` and `sign-out`. A preview has the same lines.
struct RemovalReport: CommandResult {
    let schemaVersion = 1
    let isDryRun: Bool
    let removed: [AccountRecord]
    /// Tokens imported from another library's cache and never used.
    let imported: [ImportedRecord]
    let currentEnded: [String]
    let remainingAccounts: Int
    let revocations: [RevocationRecord]
    /// The latest expiry of the issued access tokens that were not revoked.
    let accessTokensValidUntil: Timestamp?
    let browserSessions: [SessionRecord]
    /// Policies with a sign-in page whose browser sessions were not ended; the provider may still have a session for
    /// each.
    let otherPolicies: [String]
    /// Whether a removed account had signed in through the browser.
    private let mayLeaveSession: Bool
    private let now: Int64

    private enum CodingKeys: CodingKey {
        case schemaVersion, isDryRun, removed, imported, currentEnded, remainingAccounts, revocations
        case accessTokensValidUntil
        case browserSessions, otherPolicies
    }

    /// Describes what would be removed. `policies` are the policies whose browser session would be ended; `known` are
    /// those that may have one.
    init(
        preview accounts: [StoredAccount], and imported: [ImportedToken] = [],
        endingSessionsOf policies: [Policy] = [], known: [PolicyName] = [], _ context: Context, of all: Int
    ) {
        self.init(
            accounts, imported, revocations: RevocationRecord.preview(accounts, context.application.kind), context,
            remaining: max(0, all - accounts.count), sessions: policies.map { SessionRecord(preview: $0) },
            known: known, isDryRun: true)
    }

    /// Describes what was removed. `known` are the policies that may have a browser session.
    init(
        _ removed: [RemovedAccount], and imported: [ImportedToken] = [], sessions: [EndedSession] = [],
        known: [PolicyName] = [], _ context: Context, remaining: Int
    ) {
        self.init(
            removed.map(\.removal.account), imported, revocations: removed.map { RevocationRecord($0) }, context,
            remaining: remaining, sessions: sessions.map { SessionRecord($0) }, known: known, isDryRun: false)
    }

    private init(
        _ accounts: [StoredAccount], _ imported: [ImportedToken], revocations: [RevocationRecord], _ context: Context,
        remaining: Int, sessions: [SessionRecord], known: [PolicyName], isDryRun: Bool
    ) {
        self.isDryRun = isDryRun
        removed = accounts.map(AccountRecord.init)
        self.imported = imported.map(ImportedRecord.init)
        currentEnded = accounts.filter(\.isCurrent).map(\.account.policy.spelling)
        remainingAccounts = remaining
        self.revocations = revocations
        now = context.now
        let ends = zip(accounts, revocations).filter { !$1.includesAccessTokens }.flatMap { account, _ in
            account.tokens.filter { $0.kind == .access }.compactMap(\.expiresOn)
        }
        accessTokensValidUntil = ends.max().flatMap { $0 > context.now ? Timestamp($0) : nil }
        browserSessions = sessions
        let visited = sessions.map(\.policy)
        otherPolicies =
            visited.isEmpty ? [] : known.map(\.spelling).filter { !visited.contains($0) }
        mayLeaveSession = accounts.contains { context.application.policy($0.account.policy)?.kind.hasPage ?? true }
    }

    func lines(_ style: Style) -> [String] {
        let verb = isDryRun ? style.warning("Would remove") : style.good("Removed")
        var lines = removed.map { account in
            "\(verb) \(style.strong(account.title)) under \(Terminal.safe(account.policy)) with its tokens"
        }
        lines += imported.map { $0.removal(verb, style) }
        for policy in currentEnded { lines.append("  no current account left under \(Terminal.safe(policy))") }
        let rest =
            remainingAccounts == 0 ? "no other accounts" : "kept: \(Count.text(remainingAccounts, "other account"))"
        if !removed.isEmpty { lines.append("  \(rest)") }
        lines += RevocationRecord.lines(revocations, style)
        if let end = accessTokensValidUntil {
            let span = Timestamp.span(from: now, to: end.epoch)
            lines.append("  not ended: access tokens already issued stay valid for up to \(span)")
        }
        lines += browserSessions.map { $0.line(style) }
        if browserSessions.isEmpty {
            if mayLeaveSession { lines.append("  not ended: the browser's session (sign-out --browser ends it)") }
        } else if !otherPolicies.isEmpty {
            lines.append("  the provider may keep a session of its own under \(otherPolicies.joined(separator: ", "))")
        }
        return lines
    }
}

/// The outcome of revoking an account's tokens at the provider.
struct RevocationRecord: Encodable {
    let policy: String
    let result: String
    let reason: String?
    let includesAccessTokens: Bool

    init(_ removed: RemovedAccount) {
        let policy = removed.removal.account.account.policy
        switch removed.revocation {
        case .revoked(let accessTokens): self.init(policy, "revoked", includesAccessTokens: accessTokens)
        case .notOffered: self.init(policy, "notOffered")
        case .noToken: self.init(policy, "noToken", includesAccessTokens: true)
        case .failed(let error): self.init(policy, "failed", reason: error.description)
        }
    }

    private init(
        _ policy: PolicyName, _ result: String, reason: String? = nil, includesAccessTokens: Bool = false
    ) {
        self.policy = policy.spelling
        self.result = result
        self.reason = reason
        self.includesAccessTokens = includesAccessTokens
    }

    /// Returns the expected outcomes without contacting the provider.
    static func preview(_ accounts: [StoredAccount], _ kind: AuthorityKind) -> [RevocationRecord] {
        accounts.map { RevocationRecord($0.account.policy, kind.mayRevokeTokens ? "tried" : "notOffered") }
    }

    /// Returns one line per distinct outcome; failures are distinguished by their reason.
    static func lines(_ records: [RevocationRecord], _ style: Style) -> [String] {
        var lines: [String] = []
        for record in records {
            let line: String? =
                switch record.result {
                case "revoked":
                    record.includesAccessTokens
                        ? "  revoked at the provider" : "  revoked at the provider: the refresh token"
                case "notOffered": "  not revoked: the provider has no revocation endpoint"
                case "tried": "  would ask the provider to revoke the tokens"
                case "failed": style.warning("  not revoked: \(Terminal.safe(record.reason ?? ""))")
                default: nil
                }
            if let line, !lines.contains(line) { lines.append(line) }
        }
        return lines
    }
}

/// The outcome of ending the browser session of one policy.
struct SessionRecord: Encodable {
    let policy: String
    let result: String
    let reason: String?

    init(preview policy: Policy) {
        self.policy = policy.name.spelling
        result = "tried"
        reason = nil
    }

    init(_ session: EndedSession) {
        policy = session.policy.spelling
        switch session.outcome {
        case .ended: (result, reason) = ("ended", nil)
        case .notOffered: (result, reason) = ("notOffered", nil)
        case .noAnswer: (result, reason) = ("noAnswer", nil)
        case .failed(let error): (result, reason) = ("failed", error.description)
        }
    }

    func line(_ style: Style) -> String {
        switch result {
        case "ended": "  \(style.good("ended")): the browser's session under \(policy)"
        case "tried": "  \(style.warning("would end")): the browser's session under \(policy)"
        case "notOffered": "  not ended: the browser's session under \(policy): the provider has no sign-out endpoint"
        case "noAnswer":
            style.warning("  unknown: timed out waiting for the browser's sign-out under \(policy)")
        default: style.warning("  not ended: the browser's session under \(policy): \(Terminal.safe(reason ?? ""))")
        }
    }
}
