import ArgumentParser
import Susi

/// `susi status`.
struct StatusCommand: AsyncParsableCommand, GivenCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show who is signed in, until when, and what to type next.",
        discussion: """
              susi status
              susi status --all                    every policy, and the store
              susi status --claims -p B2C_1_susi
              susi status -A staging --json
            """,
        aliases: ["whoami"])

    @OptionGroup var account: AccountOption
    @OptionGroup var output: JSONOption

    @Option(
        name: [.customShort("p"), .customLong("policy")], help: "Only this policy",
        completion: LiveNames.policies)
    var policy: String?

    @OptionGroup var tenant: TenantOption

    @Flag(help: "Show every policy, the store, and the reason for each choice; same as -v")
    var all = false

    @Flag(help: "Show the claims of each account's newest id token")
    var claims = false

    @Flag(help: "Ask the provider for the profile: /me of Graph, or userinfo")
    var profile = false

    @OptionGroup(title: "Common options") var global: GlobalOptions

    static var givenOptions: [OptionReader<Self>] {
        .group(\.account) + [.value(.policy, \.policy)] + .group(\.tenant)
    }

    func run() async throws {
        let context = try Context(self)
        let named = (policy ?? ProcessEnvironment.current["SUSI_POLICY"]).map { PolicyName($0) }
        let chosen = try named.map { try context.client.policy($0) }
        let policies = policy == nil ? context.application.policies : [chosen].compactMap(\.self)
        try await checkAccount(policies, context)
        var rows: [PolicyStatus] = []
        for policy in policies {
            rows.append(try await status(of: policy, context))
        }
        var report = StatusReport(rows, global, in: context, chosen: chosen, showsAll: all || context.isVerbose)
        if profile {
            let selection = AccountSelection(policy: named, text: account.chosen)
            report.profile = try await context.client.profile(of: selection)
        }
        try context.show(report, json: output.json)
    }

    // Throws if no account under any policy matches the name. It need not match under every policy.
    private func checkAccount(_ policies: [Policy], _ context: Context) async throws {
        guard let text = account.chosen else { return }
        for policy in policies where try await !context.client.find(text, policy).isEmpty { return }
        _ = try await context.client.single([], named: text, under: policies.count == 1 ? policies[0] : nil)
    }

    private func status(of policy: Policy, _ context: Context) async throws -> PolicyStatus {
        let client = context.client
        let (current, previous) = try await client.current(policy)
        var row = PolicyStatus(
            policy, isDefault: context.application.isDefault(policy), current: current,
            previous: previous, signedOut: try await client.signedOut(policy),
            accounts: try await client.accountCount(policy: policy.name),
            imported: try await client.imported(policy: policy.name).count, now: context.now)
        if let text = account.chosen {
            let name = account.text == nil ? "SUSI_ACCOUNT" : "-a"
            row.override(try await client.find(text, policy), by: name, text)
        }
        if claims { row.addClaims() }
        return row
    }
}
