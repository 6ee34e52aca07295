import ArgumentParser
import Susi
import SystemPackage

/// `susi status`.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Who am I, under each policy, and why.",
        discussion: """
            susi status
            susi status -A staging --json
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var output: JSONOption

    func run() async throws {
        let context = try Context(global)
        var rows: [PolicyStatus] = []
        for policy in context.application.policies {
            let (current, previous) = try await context.client.current(policy)
            let held = try await context.client.accounts(policy: policy.name).count
            rows.append(
                PolicyStatus(
                    policy, isDefault: policy.name == context.application.defaultPolicy?.name, current: current,
                    previous: previous, accounts: held, now: context.now))
        }
        try context.show(StatusReport(context, rows), json: output.json)
    }
}

/// One policy with its current account and the reason for it.
struct PolicyStatus: Encodable {
    let policy: String
    let kind: String
    let isDefault: Bool
    let account: AccountRecord?
    let previous: String?
    let accounts: Int
    let why: String
    fileprivate let validity: String

    init(
        _ policy: Policy, isDefault: Bool, current: StoredAccount?, previous: StoredAccount?, accounts: Int, now: Int64
    ) {
        self.policy = policy.name.spelling
        kind = policy.kind.rawValue
        self.isDefault = isDefault
        account = current.map(AccountRecord.init)
        self.previous = previous?.label
        self.accounts = accounts
        validity = account?.validity(now: now, brief: true) ?? ""
        why = Self.reason(policy, current, previous, accounts)
    }

    private enum CodingKeys: CodingKey { case policy, kind, isDefault, account, previous, accounts, why }

    private static func reason(
        _ policy: Policy, _ current: StoredAccount?, _ previous: StoredAccount?, _ accounts: Int
    ) -> String {
        let overriding = Surroundings.current["SUSI_ACCOUNT"].map { "; SUSI_ACCOUNT=\($0) overrides it" } ?? ""
        if current != nil {
            let among = accounts == 1 ? "the only one" : "current of \(accounts)"
            return among + overriding
        }
        if let previous { return "none is current; \(previous.label) was before" + overriding }
        return (accounts == 0 ? "nobody" : "none of \(accounts) is current") + overriding
    }
}

/// The whole of `susi status`.
struct StatusReport: CommandResult {
    let schemaVersion = 1
    let application: String
    let authority: String
    let policiesFile: String
    let store: String
    let key: String
    let policies: [PolicyStatus]

    init(_ context: Context, _ policies: [PolicyStatus]) {
        application = context.application.name
        authority = context.application.authority.description
        policiesFile = context.paths.policies ?? "built-in"
        store = context.paths.store.database.string
        key = "key file \(context.paths.store.key.string)"
        self.policies = policies
    }

    func lines(_ style: Style) -> [String] {
        let rows = policies.map { row in
            [
                row.isDefault ? "*" : " ", row.policy, row.account?.title ?? "–", row.validity,
                Terminal.safe(row.why),
            ]
        }
        return [
            "\(style.faint("application"))  \(style.strong(application)) (\(policiesFile))",
            "\(style.faint("authority"))    \(authority)",
            "\(style.faint("store"))        \(store)",
            "\(style.faint("sealed by"))    \(key)",
            "",
        ] + Table.lines(rows)
    }
}
