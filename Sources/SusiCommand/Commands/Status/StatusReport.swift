import Susi
import SusiStartup
import SystemPackage

/// A policy with the account that commands use under it, and the reason.
struct PolicyStatus {
    let policy: Policy
    let isDefault: Bool
    /// The account in use: the current one, or the one that a flag or a variable names.
    private(set) var account: StoredAccount?
    let previous: StoredAccount?
    let signedOut: SignOutNote?
    let accounts: Int
    let now: Int64
    /// The tenant that the command line names.
    var tenant: TenantName?
    // What names another account than the current one, if anything does.
    private var overrideReason: String?
    private var showsClaims = false

    init(
        _ policy: Policy, isDefault: Bool, current: StoredAccount?, previous: StoredAccount?, signedOut: SignOutNote?,
        accounts: Int, now: Int64
    ) {
        self.policy = policy
        self.isDefault = isDefault
        account = current
        self.previous = previous
        self.signedOut = signedOut
        self.accounts = accounts
        self.now = now
    }

    /// Replaces the current account with the one that a flag or a variable names. Stored data does not change.
    mutating func override(_ found: [StoredAccount], by name: String, _ text: String) {
        account = found.count == 1 ? found[0] : nil
        let count = found.isEmpty ? "no such account" : "\(found.count) accounts"
        overrideReason = "\(name) names \(text)\(account == nil ? ": \(count)" : "")"
    }

    /// Adds the claims of the newest id token.
    mutating func addClaims() { showsClaims = true }

    fileprivate var json: JSONObject {
        [
            "policy": policy.name.spelling, "kind": policy.kind.rawValue, "isDefault": isDefault,
            "account": account?.json, "previous": previous?.label,
            "signedOut": signedOut.map { ["label": $0.label, "on": Timestamp($0.on)] as JSONObject },
            "accounts": accounts, "why": why, "claims": claims.map { JSON($0) },
        ]
    }

    private var claims: JSONNode? { showsClaims ? account.flatMap { try? JSONNode(parsing: $0.claims.utf8) } : nil }

    private static let onlyOne = "the only account"
    private static let none = "no account"

    // For example "current of 2 accounts; before: ben" or "signed out: ana".
    private var why: String {
        if let overrideReason { return overrideReason }
        let choice =
            if account != nil {
                accounts == 1 ? Self.onlyOne : "current of \(accounts) accounts"
            } else if let signedOut {
                "signed out: \(signedOut.label)"
            } else {
                accounts == 0 ? Self.none : "none of \(accounts) is the current account"
            }
        return choice + (previous.map { "; before: \($0.label)" } ?? "")
    }

    private var safeName: String { Terminal.safe(policy.name.spelling + (tenant.map { " at \($0)" } ?? "")) }

    /// Whether the short status lists this policy.
    fileprivate var isInUse: Bool { accounts > 0 }

    /// A table row with every detail.
    fileprivate var row: [String] {
        let status = [account?.sessionStatus(now: now), Terminal.safe(why)].compactMap(\.self).joined(separator: ", ")
        return ["  \(safeName)", isDefault ? "default" : "", account?.safeTitle ?? "–", status]
    }

    /// A table row for a policy other than the selected one.
    fileprivate var shortRow: [String] {
        ["  \(safeName)", account?.safeTitle ?? "–", account?.sessionStatus(now: now) ?? Terminal.safe(why)]
    }

    /// Returns the first lines of `status`: the account, the reason and the expiry. `choice` says why this policy is
    /// selected, `stored` is the number of all stored accounts.
    fileprivate func summary(_ choice: String, stored: Int, _ style: Style) -> [[String]] {
        let missing = stored == 0 ? "Not signed in" : "No current account under \(safeName); \(stored) stored"
        let title = style.strong(account?.safeTitle ?? missing)
        let reason = isReasonObvious ? "" : "; \(Terminal.safe(why))"
        var rows = [[title], ["  policy", "\(safeName) (\(choice))\(reason)"]]
        if let account {
            let text = [account.sessionStatus(now: now), account.accessToken(now: now)].compactMap(\.self).joined(
                separator: "; ")
            rows.append(["  session", account.needsSignIn(now: now) ? style.warning(text) : text])
        }
        return rows
    }

    // Whether the other lines already show the reason.
    private var isReasonObvious: Bool { why == Self.onlyOne || why == Self.none }

    /// Whether a sign-in would help: the policy has no account, or one whose tokens need it.
    fileprivate var needsSignIn: Bool { account?.needsSignIn(now: now) ?? true }

    fileprivate func next(_ application: Application) -> SuggestedCommand {
        let option = { (command: SuggestedCommand) in
            isDefault ? command : command.option("-p", policy.name.spelling)
        }
        guard let account else {
            // The list of `switch` needs a terminal.
            let choice = ProcessEnvironment.current.canAsk ? "switch" : "accounts"
            return accounts > 0
                ? option(SuggestedCommand(choice)) : SuggestedCommand(PolicyRun(policy.kind, policy.name))
        }
        if account.needsSignIn(now: now) {
            return SuggestedCommand(PolicyRun(policy.kind, policy.name)).option("-a", account.label)
        }
        if let api = application.apis(of: policy).first { return option(SuggestedCommand("call", api.name)) }
        if !policy.scopes.isEmpty { return option(SuggestedCommand("token")) }
        return option(application.apis.first.map { SuggestedCommand("call", $0.name) } ?? SuggestedCommand("inspect"))
    }

    fileprivate func claimLines(_ style: Style) -> [String] {
        guard let claims, let account else { return [] }
        let title = "\(style.strong("claims of \(account.safeTitle)")) under \(policy.name.spelling)"
        let age = "read \(Timestamp.span(from: account.claimsOn, to: now)) ago"
        return [""] + Table.lines([["\(title), \(age)"]], style) + ClaimLines.lines(claims, now: now, style: style)
    }
}

struct StatusReport: CommandResult {
    private let context: Context
    private let applicationWhy: String
    // The policy that commands use without `-p`; `policyWhy` is the reason.
    private let policy: PolicyName?
    private let policyWhy: String
    private let policies: [PolicyStatus]
    private let showsAll: Bool
    // The policy that was named and keeps no account.
    private let keepingNone: Policy?
    // The selected policy; `nil` if no policy is the default.
    private let row: PolicyStatus?
    // Why that policy is selected, as a short label.
    private let choice: String
    var isShared = false
    /// The person of a shared store; `nil` if it has no account or is not shared.
    var holder: String?
    /// The number of all stored accounts, and of those that belong to no application of the policies file.
    var stored = 0
    var ownerless = 0
    /// The current profile from the provider; `nil` unless requested.
    var profile: CurrentProfile?

    /// Collects the facts; `chosen` is the policy named by an option or a variable, or the default one in place of the policy
    /// `keepingNone`.
    init(
        _ policies: [PolicyStatus], _ options: GlobalOptions, in context: Context, chosen: Policy?,
        keepingNone: Policy?, showsAll: Bool
    ) {
        self.context = context
        self.policies = policies
        self.showsAll = showsAll
        self.keepingNone = keepingNone
        let environment = ProcessEnvironment.current
        applicationWhy =
            if options.application != nil {
                "-A names it"
            } else if environment["SUSI_APPLICATION"] != nil {
                "SUSI_APPLICATION names it"
            } else {
                context.file.applications.count == 1 ? "the only one" : "“current” names it"
            }
        let usual = context.application.defaultPolicy
        let named = environment["SUSI_POLICY"].map { name in
            (try? context.client.policy(PolicyName(name)).name) ?? PolicyName(name)
        }
        policy = named ?? usual?.name
        policyWhy =
            if named != nil {
                "SUSI_POLICY names it"
            } else {
                usual?.isDefault ?? false ? "the default one" : "the only one that signs in"
            }
        let shown = chosen ?? usual
        let isUsual = shown?.name == usual?.name
        choice = keepingNone?.keepsNoAccount ?? (isUsual ? "default" : policies.count == 1 ? "-p" : "SUSI_POLICY")
        row = policies.first { $0.policy.name == shown?.name }
    }

    /// Whether the selected policy needs a sign-in; without a default policy, every policy that has accounts.
    var needsSignIn: Bool {
        row?.needsSignIn ?? policies.allSatisfy(\.needsSignIn)
    }

    private var application: Application { context.application }
    private var policiesFile: String { context.policiesFile ?? "built-in" }
    private var store: String { context.paths.store.database.string }

    // The authority of the tenant whose local copy is used.
    private var copyOf: String? { context.application.copyOf?.spelling }

    private var key: String {
        let folder = context.paths.store
        guard let record = try? folder.keyRecord(), record.source != .file else { return "key file \(folder.key)" }
        guard let held = record.held() else { return "\(record.source.name), locked" }
        let time = held.until.map { " for another \(Timestamp.span(from: context.now, to: $0))" } ?? ""
        return "\(record.source.name), unlocked\(time)"
    }

    var json: JSONObject {
        [
            "schemaVersion": 2, "application": application.name, "applicationWhy": applicationWhy,
            "authority": application.base.description, "copyOf": copyOf,
            "isShared": isShared, "holder": holder, "stored": stored, "inNoApplication": ownerless,
            "policiesFile": policiesFile, "store": store,
            "key": key,
            "policy": policy?.spelling, "policyWhy": policy.map { _ in policyWhy }, "policies": policies.map(\.json),
            "profile": profile?.json,
        ]
    }

    func lines(_ style: Style) -> [String] {
        (showsAll ? details(style) : summary(style)) + policies.flatMap { $0.claimLines(style) }
            + (profile?.lines(now: context.now, style) ?? [])
    }

    private func summary(_ style: Style) -> [String] {
        let file = Terminal.safe(style.path(policiesFile))
        var rows =
            row?.summary(choice, stored: stored, style)
            ?? [
                [style.strong("No default policy")],
                [
                    "  policy",
                    policies.isEmpty
                        ? "none of this application signs in" : "name one with -p, or set SUSI_POLICY",
                ],
            ]
        rows.append(["  application", "\(application.name) (\(file))"])
        rows += unusualSettings(style).map { ["  \($0[0])", $0[1]] }
        var lines = Table.lines(rows, style)
        let others = policies.filter { $0.isInUse && $0.policy.name != row?.policy.name }
        if let keepingNone {
            lines.append(next([SuggestedCommand(application.run(of: keepingNone))], style))
        } else if isShared, stored > 0, stored == ownerless {
            // The person of these accounts may not be known at the tenants of the file, and no other one may sign in.
            lines.append(next([SuggestedCommand("accounts").flag("--all").without("-A", "-p", "--tenant")], style))
        } else if let row {
            let isEmpty = row.account == nil && row.accounts == 0
            let elsewhere = isEmpty ? others.first { $0.account != nil } : nil
            lines.append(next([elsewhere, row].compactMap { $0?.next(application) }, style))
        }
        if !others.isEmpty { lines += [""] + Table.lines(others.map(\.shortRow), style) }
        return lines
    }

    private func next(_ commands: [SuggestedCommand], _ style: Style) -> String {
        let texts = commands.map { context.given.completing($0).description }
        return "  next         \(style.strong(Terminal.safe(texts.joined(separator: ", or "))))"
    }

    private func details(_ style: Style) -> [String] {
        var head = [
            [
                "application",
                "\(style.strong(application.name)), \(applicationWhy) (\(Terminal.safe(style.path(policiesFile))))",
            ],
            ["authority", application.base.description],
        ]
        if let policy { head.append(["policy", "\(Terminal.safe(policy.spelling)), \(policyWhy)"]) }
        head += unusualSettings(style)
        head += [["store", Terminal.safe(style.path(store))], ["encrypted by", Terminal.safe(style.path(key))]]
        return Table.lines(head.map { [style.faint($0[0]), $0[1]] }, style) + [""]
            + Table.lines(policies.map(\.row), style)
    }

    // Settings that differ from the usual ones, each with a label.
    private func unusualSettings(_ style: Style) -> [[String]] {
        var rows: [[String]] = []
        if let copyOf {
            rows.append(["copy", style.warning("a local copy of \(copyOf); nothing is sent there")])
        }
        if let tenant = application.tenant { rows.append(["tenant", tenant.description]) }
        if isShared {
            let holder = holder.map { "; everything in it belongs to \(Terminal.safe($0))" } ?? ""
            rows.append(["sharing", StoreReport.shared + holder])
        }
        if ownerless > 0 {
            let list = SuggestedCommand("accounts").flag("--all")
            rows.append([
                "also stored", "\(Count.text(ownerless, "account")) in no application of policies.json (\(list))",
            ])
        }
        return rows
    }
}

/// A person's profile at the provider.
extension CurrentProfile {
    fileprivate var json: JSONObject {
        ["label": account.label, "source": source, "claims": JSON(node)]
    }

    fileprivate func lines(now: Int64, _ style: Style) -> [String] {
        [""] + Table.lines([["\(style.strong("profile of \(Terminal.safe(account.label))")) from \(source)"]], style)
            + ClaimLines.lines(node, now: now, style: style)
    }
}
