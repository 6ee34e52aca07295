import ArgumentParser
import Susi
import SusiStartup

struct StatusCommand: AsyncParsableCommand, PolicyCommand, AccountCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show who is signed in, until when, and the next step.",
        discussion: """
              susi status
              susi status --all                    every policy, and the store
              susi status --claims -p B2C_1_susi
              susi status -A staging --json
              susi status > /dev/null || susi sign-in

            The exit code is 4 if a sign-in is needed: no account, or an expired session. It is 5 if -a or $SUSI_ACCOUNT names an \
            account that is not stored.
            """,
        aliases: ["whoami"])

    @OptionGroup var account: AccountOption
    @OptionGroup var output: JSONOption

    @Option(
        name: [.customShort("p"), .customLong("policy")], help: "Only this policy",
        completion: LiveNames.policies)
    var policy: String?

    @OptionGroup var tenant: TenantOption

    @Flag(help: "Show every policy that keeps an account, the store, and the reason for each choice; same as -v")
    var all = false

    @Flag(help: "Show the claims of each account's newest id token")
    var claims = false

    @Flag(help: "Ask the provider for the profile: /me of Graph, or userinfo")
    var profile = false

    @OptionGroup(title: "Common options") var global: GlobalOptions

    var givenPolicy: String? { policy }
    var givenTenant: String? { tenant.text }
    var givenAccount: String? { account.text }

    func run() async throws {
        let context = try Context(self)
        let named =
            try policy.map { try context.policyName($0) }
            ?? ProcessEnvironment.current["SUSI_POLICY"].map { PolicyName($0) }
        let keepingNone = named.flatMap { context.application.policy($0) }.flatMap { $0.kind.keepsAccounts ? nil : $0 }
        let chosen =
            keepingNone == nil ? try named.map { try context.client.policy($0) } : context.application.defaultPolicy
        let policies =
            policy == nil
            ? context.application.policies.filter(\.kind.keepsAccounts) : [chosen].compactMap(\.self)
        let meant = try await meantAccounts(policies, chosen ?? context.application.defaultPolicy, context)
        var rows: [PolicyStatus] = []
        for policy in policies {
            rows.append(try await status(of: policy, naming: meant, context))
        }
        var report = StatusReport(
            rows, global, in: context, chosen: chosen, keepingNone: keepingNone, showsAll: all || context.isVerbose)
        let shared = try await context.client.sharedAccounts()
        report.isShared = shared != nil
        report.holder = shared?.first?.title
        (report.stored, report.ownerless) = try await context.client.storedCount()
        if profile {
            let policy = try context.client.policy(chosen?.name).name
            let account = meant?.first { $0.account.policy == policy }
            let typed = AccountSelection(policy: policy, text: self.account.chosen)
            report.profile = try await context.client.profile(of: account.map { AccountSelection($0) } ?? typed)
        }
        try context.show(report, json: output.json)
        if report.needsSignIn, keepingNone == nil { throw CommandEnded(code: .signInNeeded) }
    }

    // Returns the accounts that the name means; throws if there is none under any policy, or several under the shown one. It need
    // not match under every policy.
    private func meantAccounts(
        _ policies: [Policy], _ shown: Policy?, _ context: Context
    ) async throws -> [StoredAccount]? {
        guard let text = account.chosen else { return nil }
        var found: [StoredAccount] = []
        for policy in policies {
            found += try await context.client.finding {
                try $0.accounts(named: text, under: policy, completing: false).accounts
            }
        }
        let only = policies.count == 1 ? policies[0] : nil
        if found.isEmpty {
            found = try await context.accounts(named: text, under: only, exactly: account.text == nil)
        }
        let here = found.filter { $0.account.policy == shown?.name }
        if here.count > 1 {
            _ = try await context.client.finding { try $0.only(here, named: text, under: shown) }
        } else if here.isEmpty, found.ofOnePerson == nil {
            _ = try await context.client.finding { [found] in try $0.only(found, named: text, under: only) }
        }
        return found
    }

    private func status(
        of policy: Policy, naming meant: [StoredAccount]?, _ context: Context
    ) async throws -> PolicyStatus {
        let client = context.client
        let (current, previous) = try await client.listedCurrent(policy)
        var row = PolicyStatus(
            policy, isDefault: context.application.isDefault(policy), current: current,
            previous: previous, signedOut: try await client.signedOut(policy),
            accounts: try await client.accountCount(policy: policy.name), now: context.now)
        row.tenant = context.application.tenant
        if let meant, let text = account.chosen {
            let name = account.text == nil ? "SUSI_ACCOUNT" : "-a"
            row.override(meant.filter { $0.account.policy == policy.name }, by: name, text)
        }
        if claims { row.addClaims() }
        return row
    }
}
