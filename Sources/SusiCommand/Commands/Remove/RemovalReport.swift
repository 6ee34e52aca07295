import Susi

/// The result of `remove` and `sign-out`. A preview has the same lines.
struct RemovalReport: CommandResult {
    private let isDryRun: Bool
    private let accounts: [StoredAccount]
    private let remaining: Int
    private let revocations: [RevocationRecord]
    private let sessions: [SessionRecord]
    // Policies with a sign-in page whose browser sessions were not ended; the provider may still have a session for
    // each.
    private let otherPolicies: [String]
    // Whether a removed account had signed in through the browser.
    private let mayLeaveSession: Bool
    private let now: Int64
    private let given: GivenOptions
    private let places: AccountPlaces

    /// Describes what would be removed. `policies` are the policies whose browser session would be ended; `known` are
    /// those that may have one.
    init(
        preview accounts: [StoredAccount], endingSessionsOf policies: [Policy] = [], known: [PolicyName] = [],
        _ context: Context, _ places: AccountPlaces
    ) {
        self.init(
            accounts: accounts,
            revocations: accounts.map {
                RevocationRecord($0, places.mayRevokeTokens(of: $0) ? .tried : .ended(.notOffered))
            },
            sessions: policies.map { SessionRecord(policy: $0.name, outcome: nil) }, known: known, context, places,
            remaining: places.count - accounts.count, isDryRun: true)
    }

    /// Describes what was removed. `known` are the policies that may have a browser session.
    init(
        _ removed: [RemovedAccount], sessions: [EndedSession] = [], known: [PolicyName] = [], _ context: Context,
        _ places: AccountPlaces, remaining: Int
    ) {
        self.init(
            accounts: removed.map(\.removal.account),
            revocations: removed.map { RevocationRecord($0.removal.account, .ended($0.revocation)) },
            sessions: sessions.map { SessionRecord(policy: $0.policy, outcome: $0.outcome) }, known: known, context,
            places,
            remaining: remaining, isDryRun: false)
    }

    private init(
        accounts: [StoredAccount], revocations: [RevocationRecord],
        sessions: [SessionRecord], known: [PolicyName], _ context: Context, _ places: AccountPlaces, remaining: Int,
        isDryRun: Bool
    ) {
        self.isDryRun = isDryRun
        self.accounts = accounts
        self.remaining = remaining
        self.revocations = revocations
        self.sessions = sessions
        now = context.now
        given = context.given
        self.places = places
        let visited = sessions.map(\.policy)
        otherPolicies = visited.isEmpty ? [] : known.filter { !visited.contains($0) }.map(\.spelling)
        mayLeaveSession = accounts.contains { context.application.policy($0.account.policy)?.kind.hasPage ?? true }
    }

    // The other applications whose accounts are removed: the browser may have a session of each.
    private var otherApplications: [String] { places.otherApplications(of: accounts) }

    private var endedCurrents: [PolicyName] { accounts.filter(\.isCurrent).map(\.account.policy) }

    /// The latest expiry of the issued access tokens that were not revoked.
    private var accessTokensEnd: Int64? {
        let ends = zip(accounts, revocations).filter { !$1.includesAccessTokens }.flatMap { account, _ in
            account.tokens.filter { $0.kind == .access }.compactMap(\.expiresOn)
        }
        return ends.max().flatMap { $0 > now ? $0 : nil }
    }

    var json: JSONObject {
        [
            "schemaVersion": 2, "isDryRun": isDryRun,
            "removed": accounts.map { $0.json(of: places.application(of: $0)) },
            "currentEnded": endedCurrents.map(\.spelling),
            "remainingAccounts": remaining, "revocations": revocations.map(\.json),
            "accessTokensValidUntil": accessTokensEnd.map(Timestamp.init), "browserSessions": sessions.map(\.json),
            "otherPolicies": otherPolicies, "otherApplications": otherApplications,
        ]
    }

    func lines(_ style: Style) -> [String] {
        let verb = isDryRun ? style.warning("Would remove") : style.good("Removed")
        var lines = accounts.map { account in
            "\(verb) \(style.strong(account.safeTitle)) under \(places.text(account)) with its tokens"
        }
        lines += endedCurrents.map { "  no current account left under \(Terminal.safe($0.spelling))" }
        let list = given.completing(SuggestedCommand("accounts").flag("--all").without("-A", "-p", "--tenant"))
        let kept = "kept: \(Count.text(remaining, "other account")) (\(list) shows all)"
        if !accounts.isEmpty { lines.append("  \(remaining == 0 ? "no other accounts" : Terminal.safe(kept))") }
        if accounts.contains(where: places.isInNoApplication) {
            lines.append("  not revoked: tokens of accounts that belong to no application in policies.json")
        }
        // Several accounts with the same outcome need one line.
        for line in revocations.compactMap({ $0.line(style) }) where !lines.contains(line) { lines.append(line) }
        if let accessTokensEnd {
            let span = Timestamp.span(from: now, to: accessTokensEnd)
            lines.append("  not ended: access tokens already issued stay valid for up to \(span)")
        }
        lines += sessions.map { $0.line(style) }
        if !sessions.isEmpty {
            lines += Set(accounts.compactMap(\.profile.otherProvider)).sorted().map {
                "  may remain: the browser's session at \(Terminal.safe($0)), the account's identity provider"
            }
        }
        lines += otherApplications.map { name in
            let command = SuggestedCommand("sign-out").flag("--browser").option("-A", name)
            return Terminal.safe("  not ended: the browser's session of “\(name)” (\(command) ends it)")
        }
        if sessions.isEmpty {
            if mayLeaveSession { lines.append("  not ended: the browser's session (sign-out --browser ends it)") }
        } else if !otherPolicies.isEmpty {
            lines.append("  the provider may keep a session of its own under \(otherPolicies.joined(separator: ", "))")
        }
        return lines
    }
}

extension Context {
    /// The policy of an account of the application in use, with its tenant if that is another one.
    func place(of account: StoredAccount) -> String {
        let tenant = application.otherTenant(of: account) ?? application.tenant?.description
        return account.safePolicy + Terminal.safe(tenant.map { " at \($0)" } ?? "")
    }

    /// Returns where everything in the store belongs.
    func places() async throws -> AccountPlaces { AccountPlaces(try await client.everything(), self) }
}

/// The outcome of revoking an account's tokens at the provider.
private struct RevocationRecord {
    enum Outcome {
        /// Not yet: the provider would be asked.
        case tried
        case ended(Revocation)
    }

    private let policy: PolicyName
    private let outcome: Outcome

    init(_ account: StoredAccount, _ outcome: Outcome) {
        policy = account.account.policy
        self.outcome = outcome
    }

    /// Whether no issued access token stays valid.
    var includesAccessTokens: Bool {
        switch outcome {
        case .ended(.revoked(let accessTokens)): accessTokens
        // An access token of another tenant's account is not shown to this one.
        case .tried, .ended(.noToken), .ended(.notOffered), .ended(.failed): false
        }
    }

    var json: JSONObject {
        let (result, reason): (String, String?) =
            switch outcome {
            case .tried: ("tried", nil)
            case .ended(.revoked): ("revoked", nil)
            case .ended(.notOffered): ("notOffered", nil)
            case .ended(.noToken): ("noToken", nil)
            case .ended(.failed(let error)): ("failed", error.description)
            }
        return [
            "policy": policy.spelling, "result": result, "reason": reason, "includesAccessTokens": includesAccessTokens,
        ]
    }

    func line(_ style: Style) -> String? {
        switch outcome {
        case .tried: "  would ask the provider to revoke the tokens"
        case .ended(.revoked(accessTokens: true)): "  revoked at the provider"
        case .ended(.revoked(accessTokens: false)): "  revoked at the provider: the refresh token"
        case .ended(.notOffered): "  not revoked: the provider has no revocation endpoint"
        case .ended(.noToken): nil
        case .ended(.failed(let error)): style.warning("  not revoked: \(Terminal.safe(error.description))")
        }
    }
}

/// The outcome of ending the browser session of one policy; `nil` in a preview.
private struct SessionRecord {
    let policy: PolicyName
    let outcome: EndedSession.Outcome?

    var json: JSONObject {
        let (result, reason): (String, String?) =
            switch outcome {
            case nil: ("tried", nil)
            case .ended: ("ended", nil)
            case .probablyEnded: ("probablyEnded", nil)
            case .notOffered: ("notOffered", nil)
            case .noAnswer: ("noAnswer", nil)
            case .failed(let error): ("failed", error.description)
            }
        return ["policy": policy.spelling, "result": result, "reason": reason]
    }

    func line(_ style: Style) -> String {
        let session = "the browser's session under \(policy.spelling)"
        return switch outcome {
        case nil: "  \(style.warning("would end")): \(session)"
        case .ended: "  \(style.good("ended")): \(session)"
        case .probablyEnded:
            "  probably ended: \(session); the provider does not return from the sign-out of a personal account"
        case .notOffered: "  not ended: \(session): the provider has no sign-out endpoint"
        case .noAnswer:
            style.warning("  unknown: timed out waiting for the browser's sign-out under \(policy.spelling)")
        case .failed(let error): style.warning("  not ended: \(session): \(Terminal.safe(error.description))")
        }
    }
}
