import Susi
import SystemPackage

/// One policy with the account that commands take under it, and the reason for it.
struct PolicyStatus: Encodable {
    let policy: String
    let kind: String
    /// Whether commands take it when none is named.
    let isDefault: Bool
    private(set) var account: AccountRecord?
    let previous: String?
    let signedOut: SignedOut?
    let accounts: Int
    /// How many tokens of another library's cache were not used yet.
    let imported: Int
    private(set) var why: String
    private(set) var claims: ForeignJSON?
    private var chosen: StoredAccount?
    private let now: Int64

    /// Who signed out last.
    struct SignedOut: Encodable {
        let label: String
        let on: Moment
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
        self.signedOut = signedOut.map { SignedOut(label: $0.label, on: Moment($0.on)) }
        self.accounts = accounts
        self.imported = imported
        self.now = now
        why = ""
        why = reason(current)
    }

    /// What a flag or a variable chooses instead of the current account; nothing stored changes.
    mutating func override(_ found: [StoredAccount], by name: String, _ text: String) {
        chosen = found.count == 1 ? found[0] : nil
        account = chosen.map(AccountRecord.init)
        let choice = "\(name) names \(text)"
        why = found.count == 1 ? choice : "\(choice): \(found.isEmpty ? "nobody here" : "\(found.count) accounts")"
    }

    /// Adds what the newest id token says.
    mutating func addClaims() { claims = chosen.flatMap { ForeignJSON($0.claims) } }

    // "current account, the only one"; "signed out: ana; before: ben".
    private func reason(_ current: StoredAccount?) -> String {
        let before = previous.map { "before: \($0)" }
        var parts: [String] = []
        if current != nil {
            parts.append(accounts == 1 ? "current account, the only one" : "current account of \(accounts)")
        } else if let signedOut {
            parts.append("signed out: \(signedOut.label)")
        } else {
            parts.append(accounts == 0 ? "nobody" : "none of \(accounts) is current")
        }
        return (parts + [before].compactMap(\.self)).joined(separator: "; ")
    }

    fileprivate func row(_ mark: String) -> [String] {
        [
            mark, policy, account?.title ?? "–", account?.validity(now: now, brief: true) ?? "", Terminal.safe(why),
        ]
    }

    fileprivate func claimLines(_ style: Style) -> [String] {
        guard let claims, let account else { return [] }
        let title = "\(style.strong("claims of \(account.title)")) under \(policy)"
        let age = "read \(Moment.span(from: account.claimsRead.epoch, to: now)) ago"
        return ["", "\(title), \(age)"] + ClaimLines.lines(claims.node, now: now, style: style)
    }
}

/// The whole of `susi status`.
struct StatusReport: CommandResult {
    let schemaVersion = 1
    let application: String
    let applicationWhy: String
    let authority: String
    /// The tenant whose local copy is used; nil outside a rehearsal.
    let rehearsalOf: String?
    let deviceMode: String
    let policiesFile: String
    let store: String
    let key: String
    /// The policy that commands take without `-p`, with the reason.
    let policy: String?
    let policyWhy: String?
    let policies: [PolicyStatus]
    /// What the provider says of the person now; nil unless it was asked.
    var profile: ProfileRecord?
    private let now: Int64
    private let accounts: String

    private enum CodingKeys: CodingKey {
        case schemaVersion, application, applicationWhy, authority, rehearsalOf, deviceMode, policiesFile, store, key,
            policy
        case policyWhy, policies, profile
    }

    init(_ context: Context, _ options: GlobalOptions, _ policies: [PolicyStatus]) {
        now = context.now
        accounts = context.given.completing(SuggestedCommand("accounts")).description
        let surroundings = Surroundings.current
        application = context.application.name
        applicationWhy =
            options.application != nil
            ? "-A names it"
            : surroundings["SUSI_APPLICATION"] != nil
                ? "SUSI_APPLICATION names it"
                : context.file.applications.count == 1 ? "the only one" : "the file's current one"
        authority = context.application.authority.description
        rehearsalOf = context.rehearsal?.original.authority.description
        deviceMode = context.application.deviceMode.rawValue
        policiesFile = context.policiesFile ?? "built-in"
        store = context.paths.store.database.string
        key = Self.key(of: context.paths.store)
        let named = surroundings["SUSI_POLICY"].map { PolicyName($0) }
        policy = named?.spelling ?? context.application.defaultPolicy?.name.spelling
        policyWhy =
            named != nil
            ? "SUSI_POLICY names it"
            : context.application.defaultPolicy.map { $0.isDefault ? "the default one" : "the only one that signs in" }
        self.policies = policies
    }

    private static func key(of folder: StoreFolder) -> String {
        guard let record = try? folder.keyRecord(), record.source != .file else { return "key file \(folder.key)" }
        guard let held = record.held() else { return "\(record.source.name), locked" }
        let time = held.until.map { " for \(Moment.span(from: Surroundings.current.now(), to: $0))" } ?? ""
        return "\(record.source.name), unlocked\(time)"
    }

    func lines(_ style: Style) -> [String] {
        var head = [
            ["application", "\(style.strong(application)), \(applicationWhy) (\(policiesFile))"],
            ["authority", authority],
        ]
        if let rehearsalOf {
            head.append(["rehearsal", style.warning("a local copy of \(rehearsalOf); nothing is sent there")])
        }
        if let policy, let policyWhy { head.append(["policy", "\(Terminal.safe(policy)), \(policyWhy)"]) }
        if deviceMode == DeviceMode.shared.rawValue { head.append(["device", "shared: one person at a time"]) }
        head += [["store", store], ["sealed by", key]]
        let name = policy.map { PolicyName($0) }
        return head.map { row in
            let gap = String(repeating: " ", count: 13 - row[0].count)
            return "\(style.faint(row[0]))\(gap)\(row[1])"
        } + [""] + Table.lines(policies.map { $0.row(PolicyName($0.policy) == name ? "*" : " ") })
            + importedLines + policies.flatMap { $0.claimLines(style) } + (profile?.lines(now: now, style) ?? [])
    }

    private var importedLines: [String] {
        let count = policies.map(\.imported).reduce(0, +)
        guard count > 0 else { return [] }
        let tokens = count == 1 ? "1 imported token waits for its" : "\(count) imported tokens wait for their"
        return ["", "\(tokens) first use: \(Terminal.safe(accounts)) lists \(count == 1 ? "it" : "them")"]
    }
}

/// What a provider says of a person.
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
        ["", "\(style.strong("profile of \(Terminal.safe(label))")) from \(source)"]
            + ClaimLines.lines(claims.node, now: now, style: style)
    }
}
