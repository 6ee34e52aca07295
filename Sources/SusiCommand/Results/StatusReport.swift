import Susi
import SystemPackage

/// A policy with the account that commands use under it, and the reason.
struct PolicyStatus: Encodable {
    let policy: String
    let kind: String
    /// Whether commands use this policy by default.
    let isDefault: Bool
    private(set) var account: AccountRecord?
    let previous: String?
    let signedOut: SignedOut?
    let accounts: Int
    /// The number of imported tokens that were not used yet.
    let imported: Int
    private(set) var why: String
    private(set) var claims: ForeignJSON?
    private var chosen: StoredAccount?
    private let now: Int64

    /// The account that signed out last.
    struct SignedOut: Encodable {
        let label: String
        let on: Timestamp
    }

    private enum CodingKeys: CodingKey {
        case policy, kind, isDefault, account, previous, signedOut, accounts, imported, why, claims
    }

    init(
        _ policy: Policy, isDefault: Bool, current: StoredAccount?, previous: StoredAccount?, signedOut: SignOutNote?,
        accounts: Int, imported: Int, now: Int64
    ) {
        self.policy = policy.name.spelling
        kind = policy.kind.rawValue
        self.isDefault = isDefault
        chosen = current
        account = current.map(AccountRecord.init)
        self.previous = previous?.label
        self.signedOut = signedOut.map { SignedOut(label: $0.label, on: Timestamp($0.on)) }
        self.accounts = accounts
        self.imported = imported
        self.now = now
        why = ""
        why = reason(current)
    }

    /// Replaces the current account with the one that a flag or a variable names. Stored data does not change.
    mutating func override(_ found: [StoredAccount], by name: String, _ text: String) {
        chosen = found.count == 1 ? found[0] : nil
        account = chosen.map(AccountRecord.init)
        let choice = "\(name) names \(text)"
        why = found.count == 1 ? choice : "\(choice): \(found.isEmpty ? "no such account" : "\(found.count) accounts")"
    }

    /// Adds the claims of the newest id token.
    mutating func addClaims() { claims = chosen.flatMap { ForeignJSON($0.claims) } }

    private static let onlyOne = "the only account"
    private static let none = "no account"

    // For example "current of 2 accounts; before: ben" or "signed out: ana".
    private func reason(_ current: StoredAccount?) -> String {
        let before = previous.map { "before: \($0)" }
        var parts: [String] = []
        if current != nil {
            parts.append(accounts == 1 ? Self.onlyOne : "current of \(accounts) accounts")
        } else if let signedOut {
            parts.append("signed out: \(signedOut.label)")
        } else {
            parts.append(accounts == 0 ? Self.none : "none of \(accounts) is the current account")
        }
        return (parts + [before].compactMap(\.self)).joined(separator: "; ")
    }

    /// Whether the short status lists this policy: it has accounts and is not a utility policy.
    fileprivate var isInUse: Bool { accounts + imported > 0 && PolicyKind(rawValue: kind)?.isUtility == false }

    /// A table row with every detail.
    fileprivate var row: [String] {
        let status = [account?.sessionStatus(now: now), Terminal.safe(why)].compactMap(\.self).joined(separator: ", ")
        return ["  \(Terminal.safe(policy))", isDefault ? "default" : "", account?.title ?? "–", status]
    }

    /// A table row for a policy other than the selected one.
    fileprivate var shortRow: [String] {
        ["  \(Terminal.safe(policy))", account?.title ?? "–", account?.sessionStatus(now: now) ?? Terminal.safe(why)]
    }

    /// Returns the first lines of `status`: the account, the reason and the expiry. `choice` says why this policy is
    /// selected.
    fileprivate func summary(_ choice: String, _ style: Style) -> [[String]] {
        let title = account.map { style.strong($0.title) } ?? style.strong("Not signed in")
        let reason = isReasonObvious ? "" : "; \(Terminal.safe(why))"
        var rows = [[title], ["  policy", "\(Terminal.safe(policy)) (\(choice))\(reason)"]]
        if let account {
            let parts = [account.sessionStatus(now: now), account.isDamaged ? nil : account.accessToken(now: now)]
            let text = parts.compactMap(\.self).joined(separator: "; ")
            rows.append(["  session", account.needsSignIn(now: now) ? style.warning(text) : text])
        }
        return rows
    }

    // Whether the other lines already show the reason.
    private var isReasonObvious: Bool { why == Self.onlyOne || why == Self.none }

    /// Returns the command to suggest next.
    fileprivate func next(_ application: Application) -> SuggestedCommand? {
        guard let policy = application.policy(PolicyName(policy)) else { return nil }
        let option = { (command: SuggestedCommand) in
            isDefault ? command : command.option("-p", policy.name.spelling)
        }
        guard let account else {
            if accounts > 0 { return option(SuggestedCommand("switch")) }
            return imported > 0
                ? option(SuggestedCommand("token")) : SuggestedCommand(PolicyRun(policy.kind, policy.name))
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
        let title = "\(style.strong("claims of \(account.title)")) under \(policy)"
        let age = "read \(Timestamp.span(from: account.claimsRead.epoch, to: now)) ago"
        return [""] + Table.lines([["\(title), \(age)"]], style) + ClaimLines.lines(claims.node, now: now, style: style)
    }
}

/// The result of `susi status`.
struct StatusReport: CommandResult {
    let schemaVersion = 1
    let application: String
    let applicationWhy: String
    let authority: String
    /// The tenant whose local copy is used; `nil` outside a rehearsal.
    let rehearsalOf: String?
    let deviceMode: String
    let policiesFile: String
    let store: String
    let key: String
    /// The policy that commands use without `-p`; `policyWhy` is the reason.
    let policy: String?
    let policyWhy: String?
    let policies: [PolicyStatus]
    /// The current profile from the provider; `nil` unless requested.
    var profile: ProfileRecord?
    private let now: Int64
    private let accounts: String
    private let showsAll: Bool
    private let next: String?
    /// The selected policy; `nil` if no policy is the default.
    private let row: PolicyStatus?
    /// Why that policy is selected, as a short label.
    private let choice: String

    private enum CodingKeys: CodingKey {
        case schemaVersion, application, applicationWhy, authority, rehearsalOf, deviceMode, policiesFile, store, key,
            policy
        case policyWhy, policies, profile
    }

    /// `chosen` is the policy named by an option or a variable.
    init(
        _ policies: [PolicyStatus], _ options: GlobalOptions, in context: Context, chosen: Policy?, showsAll: Bool
    ) {
        now = context.now
        accounts = context.given.completing(SuggestedCommand("accounts")).description
        let environment = ProcessEnvironment.current
        application = context.application.name
        applicationWhy =
            options.application != nil
            ? "-A names it"
            : environment["SUSI_APPLICATION"] != nil
                ? "SUSI_APPLICATION names it"
                : context.file.applications.count == 1 ? "the only one" : "“current” names it"
        authority = context.application.authority.description
        rehearsalOf = context.rehearsal?.original.authority.description
        deviceMode = context.application.deviceMode.rawValue
        policiesFile = context.policiesFile ?? "built-in"
        store = context.paths.store.database.string
        key = Self.key(of: context.paths.store)
        let usual = context.application.defaultPolicy
        let variable = environment["SUSI_POLICY"].map { PolicyName($0) }
        let named = variable.map { (try? context.client.policy($0).name) ?? $0 }
        policy = (named ?? usual?.name)?.spelling
        policyWhy =
            named != nil
            ? "SUSI_POLICY names it" : usual.map { $0.isDefault ? "the default one" : "the only one that signs in" }
        self.policies = policies
        self.showsAll = showsAll
        let shown = chosen ?? usual
        choice = chosen == nil || chosen?.name == usual?.name ? "default" : policies.count == 1 ? "-p" : "SUSI_POLICY"
        let row = policies.first { PolicyName($0.policy) == shown?.name }
        next = row?.next(context.application).map { context.given.completing($0).description }
        self.row = row
    }

    private static func key(of folder: StoreFolder) -> String {
        guard let record = try? folder.keyRecord(), record.source != .file else { return "key file \(folder.key)" }
        guard let held = record.held() else { return "\(record.source.name), locked" }
        let time =
            held.until.map { " for another \(Timestamp.span(from: ProcessEnvironment.current.now(), to: $0))" } ?? ""
        return "\(record.source.name), unlocked\(time)"
    }

    func lines(_ style: Style) -> [String] {
        (showsAll ? details(style) : summary(style)) + importedLines + policies.flatMap { $0.claimLines(style) }
            + (profile?.lines(now: now, style) ?? [])
    }

    private func summary(_ style: Style) -> [String] {
        let file = Terminal.safe(style.path(policiesFile))
        var rows =
            row?.summary(choice, style)
            ?? [[style.strong("No default policy")], ["  policy", "name one with -p, or set SUSI_POLICY"]]
        rows.append(["  application", "\(application) (\(file))"])
        rows += unusualSettings(style).map { ["  \($0[0])", $0[1]] }
        var lines = Table.lines(rows, style)
        if let next { lines.append("  next         \(style.strong(Terminal.safe(next)))") }
        let others = policies.filter { $0.isInUse && $0.policy != row?.policy }
        if !others.isEmpty { lines += [""] + Table.lines(others.map(\.shortRow), style) }
        return lines
    }

    private func details(_ style: Style) -> [String] {
        var head = [
            [
                "application",
                "\(style.strong(application)), \(applicationWhy) (\(Terminal.safe(style.path(policiesFile))))",
            ],
            ["authority", authority],
        ]
        if let policy, let policyWhy { head.append(["policy", "\(Terminal.safe(policy)), \(policyWhy)"]) }
        head += unusualSettings(style)
        head += [["store", Terminal.safe(style.path(store))], ["encrypted by", Terminal.safe(style.path(key))]]
        return Table.lines(head.map { [style.faint($0[0]), $0[1]] }, style) + [""]
            + Table.lines(policies.map(\.row), style)
    }

    // Settings that differ from the usual ones, each with a label.
    private func unusualSettings(_ style: Style) -> [[String]] {
        var rows: [[String]] = []
        if let rehearsalOf {
            rows.append(["rehearsal", style.warning("a local copy of \(rehearsalOf); nothing is sent there")])
        }
        if deviceMode == DeviceMode.shared.rawValue { rows.append(["device", "shared: one person at a time"]) }
        return rows
    }

    private var importedLines: [String] {
        let count = policies.map(\.imported).reduce(0, +)
        guard count > 0 else { return [] }
        return ["", "\(Count.text(count, "imported token")) not yet used; see \(Terminal.safe(accounts))"]
    }
}

/// A person's profile at the provider.
struct ProfileRecord: Encodable {
    let label: String
    let source: String
    let claims: ForeignJSON

    init(_ profile: CurrentProfile) {
        label = profile.account.label
        source = profile.source
        claims = ForeignJSON(profile.claims)
    }

    fileprivate func lines(now: Int64, _ style: Style) -> [String] {
        [""] + Table.lines([["\(style.strong("profile of \(Terminal.safe(label))")) from \(source)"]], style)
            + ClaimLines.lines(claims.node, now: now, style: style)
    }
}
