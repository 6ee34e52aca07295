import Susi

/// The result of `remove` and `sign-out`. A preview has the same lines.
struct RemovalReport: CommandResult {
    private let plan: SignOutPlan
    private let isDryRun: Bool
    private let endsSessions: Bool
    private let remaining: Int
    private let revocations: [RevocationRecord]
    private let sessions: [SessionRecord]
    private let now: Int64
    private let given: GivenOptions
    private let places: AccountPlaces
    private let leftovers: Leftovers

    /// Describes what would be removed.
    init(
        _ plan: SignOutPlan, endsSessions: Bool, _ context: Context, _ places: AccountPlaces, _ leftovers: Leftovers
    ) {
        self.init(
            plan, endsSessions: endsSessions, isDryRun: true, context, places, leftovers,
            remaining: places.count - plan.accounts.count,
            revocations: plan.revocations.map { $0.map { .ended($0) } ?? .tried },
            sessions: plan.visits.map { SessionRecord($0, outcome: $0.refusal.map { .failed($0) }) })
    }

    /// Describes what was removed.
    init(
        _ result: SignOutResult, endsSessions: Bool, _ context: Context, _ places: AccountPlaces,
        _ leftovers: Leftovers,
        remaining: Int
    ) {
        self.init(
            result.plan, endsSessions: endsSessions, isDryRun: false, context, places, leftovers, remaining: remaining,
            revocations: result.removed.map { .ended($0.revocation) },
            sessions: result.plan.visits.map { visit in
                let ended = result.sessions.first {
                    $0.application == visit.application && $0.policy == visit.policy.name
                }
                return SessionRecord(visit, outcome: ended?.outcome)
            })
    }

    private init(
        _ plan: SignOutPlan, endsSessions: Bool, isDryRun: Bool, _ context: Context, _ places: AccountPlaces,
        _ leftovers: Leftovers, remaining: Int, revocations: [RevocationRecord.Outcome], sessions: [SessionRecord]
    ) {
        self.plan = plan
        self.endsSessions = endsSessions
        self.isDryRun = isDryRun
        self.remaining = remaining
        self.revocations = zip(plan.accounts, revocations).map { RevocationRecord($0, $1) }
        self.sessions = sessions
        now = context.now
        given = context.given
        self.places = places
        self.leftovers = leftovers
    }

    private var accounts: [StoredAccount] { plan.accounts }

    // Of an account of no application, no verb uses that it was current.
    private var endedCurrents: [StoredAccount] {
        accounts.filter { $0.isCurrent && !places.isInNoApplication($0) }
    }

    /// The latest expiry of the issued access tokens that were not revoked.
    private var accessTokensEnd: Int64? {
        let ends = zip(accounts, revocations).filter { !$1.includesAccessTokens }.flatMap { account, _ in
            account.tokens.filter { $0.kind == .access }.compactMap(\.expiresOn)
        }
        return ends.max().flatMap { $0 > now ? $0 : nil }
    }

    /// The exit code of a session that was to end and did not; `nil` if all ended. `isShared` demands certainty.
    func exitCode(isShared: Bool) -> ExitCodes? {
        guard endsSessions else { return nil }
        return sessions.compactMap { $0.exitCode(isShared: isShared) }.first
            ?? (plan.unreachable.isEmpty ? nil : .failed)
    }

    // The sessions that the command was not asked to end.
    private var kept: [SessionRecord] { endsSessions ? [] : sessions }

    var json: JSONObject {
        let unreachable = plan.unreachable.map { account in
            ["application": nil, "policy": account.account.policy.spelling, "result": "noPolicy", "reason": nil]
                as JSONObject
        }
        return [
            "schemaVersion": 2, "isDryRun": isDryRun,
            "removed": accounts.map { places.json($0) },
            "currentEnded": endedCurrents.map(\.account.policy.spelling),
            "remainingAccounts": remaining, "revocations": revocations.map(\.json),
            "accessTokensValidUntil": accessTokensEnd.map(Timestamp.init),
            "browserSessions": endsSessions ? sessions.map(\.json) + unreachable : [],
            "keptSessions": kept.map(\.place),
            "deletedFiles": leftovers.deleted, "keptAside": leftovers.kept,
        ]
    }

    func lines(_ style: Style) -> [String] {
        removalLines(style) + leftovers.lines(isDryRun: isDryRun, style) + tokenLines(style) + sessionLines(style)
    }

    private func removalLines(_ style: Style) -> [String] {
        let verb = isDryRun ? style.warning("Would remove") : style.good("Removed")
        var lines = accounts.map { account in
            "\(verb) \(style.strong(account.safeTitle)) under \(places.text(account)) with its tokens"
        }
        lines += endedCurrents.map { "  no current account left under \(places.policy($0))" }
        let list = given.completing(SuggestedCommand("accounts").flag("--all").without("-A", "-p", "--tenant"))
        let kept = "kept: \(Count.text(remaining, "other account")) (\(list) shows all)"
        if !accounts.isEmpty { lines.append("  \(remaining == 0 ? "no other accounts" : Terminal.safe(kept))") }
        return lines
    }

    private func tokenLines(_ style: Style) -> [String] {
        var lines: [String] = []
        if accounts.contains(where: places.isInNoApplication) {
            lines.append("  not revoked: tokens of accounts that belong to no application in policies.json")
        }
        // Several accounts with the same outcome need one line.
        for line in revocations.compactMap({ $0.line(style) }) where !lines.contains(line) { lines.append(line) }
        if let accessTokensEnd {
            let span = Timestamp.span(from: now, to: accessTokensEnd)
            lines.append("  not ended: access tokens already issued stay valid for up to \(span)")
        }
        return lines
    }

    private func sessionLines(_ style: Style) -> [String] {
        var lines = sessions.map { session in
            let place = places.policy(session.policy.name, of: session.application)
            if endsSessions { return session.line(place, style) }
            // The whole command: it removes nothing, also if another person is signed in by then.
            let command = SuggestedCommand("sign-out").flag("--browser-only").option("-p", session.policy.name.spelling)
                .without("-a")
            let isOther = session.application != places.applicationInUse
            let typed = given.completing(isOther ? command.option("-A", session.application) : command)
            return Terminal.safe("  not ended: the browser's session under \(place) (\(typed) ends it)")
        }
        if endsSessions, !sessions.isEmpty {
            lines += Set(accounts.compactMap(\.profile.otherProvider)).sorted().map {
                "  may remain: the browser's session at \(Terminal.safe($0)), the account's identity provider"
            }
        }
        for account in plan.unreachable {
            let line =
                "  not ended: the browser's session at \(account.authority), a tenant of no policy in policies.json"
            if !lines.contains(Terminal.safe(line)) { lines.append(Terminal.safe(line)) }
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

/// The outcome of ending the browser session of one policy; `nil` in a preview, and if it was not tried.
private struct SessionRecord {
    let application: String
    let policy: Policy
    private let outcome: EndedSession.Outcome?

    init(_ visit: SignOutPlan.Visit, outcome: EndedSession.Outcome?) {
        (application, policy, self.outcome) = (visit.application, visit.policy, outcome)
    }

    var place: JSONObject { ["application": application, "policy": policy.name.spelling] }

    var json: JSONObject {
        let (result, reason): (String, String?) =
            switch outcome {
            case nil: ("tried", nil)
            case .ended: ("ended", nil)
            case .probablyEnded, .endedElsewhere: ("probablyEnded", nil)
            case .notOffered: ("notOffered", nil)
            case .noResponse: ("noResponse", nil)
            case .failed(let error): ("failed", error.description)
            }
        return place + ["result": result, "reason": reason]
    }

    /// The exit code if the session did not end. On a machine that several people use in turn, "probably" is not enough.
    func exitCode(isShared: Bool) -> ExitCodes? {
        switch outcome {
        case nil, .ended: nil
        case .probablyEnded, .endedElsewhere: isShared ? .network : nil
        case .notOffered: .failed
        case .noResponse: .network
        case .failed(let error): ExitCodes(error.code)
        }
    }

    func line(_ place: String, _ style: Style) -> String {
        let session = "the browser's session under \(place)"
        return switch outcome {
        case nil: "  \(style.warning("would end")): \(session)"
        case .ended: "  \(style.good("ended")): \(session)"
        case .endedElsewhere:
            "  probably ended: \(session); the policy of the account is not in policies.json and may have one of its own"
        case .probablyEnded:
            "  probably ended: \(session); the provider does not return from the sign-out of a personal account"
        case .notOffered: "  not ended: \(session): the provider has no sign-out endpoint"
        case .noResponse:
            style.warning("  unknown: timed out waiting for the browser's sign-out under \(place)")
        case .failed(let error): style.warning("  not ended: \(session): \(Terminal.safe(error.description))")
        }
    }
}
