import ArgumentParser
import Susi

/// `susi status`.
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Who am I, under each policy, and why.",
        discussion: """
            susi status
            susi status --claims -p B2C_1_susi
            susi status -A staging --json
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var account: AccountOption
    @OptionGroup var output: JSONOption

    @Option(name: [.customShort("p"), .customLong("policy")], help: "Only this policy.")
    var policy: String?

    @Flag(help: "The claims of each account's newest id token.")
    var claims = false

    @Flag(help: "What the provider says of the person now, asked over the network: Graph's /me, or userinfo.")
    var profile = false

    func run() async throws {
        let context = try Context(global)
        let policies = try policy.map { [try context.client.policy(PolicyName($0))] } ?? context.application.policies
        var rows: [PolicyStatus] = []
        for policy in policies {
            rows.append(try await status(of: policy, context))
        }
        var report = StatusReport(context, global, rows)
        if profile {
            let named = policy ?? Surroundings.current["SUSI_POLICY"]
            let selection = AccountSelection(policy: named.map { PolicyName($0) }, text: account.chosen)
            report.profile = ProfileRecord(try await context.client.profile(of: selection))
        }
        try context.show(report, json: output.json)
    }

    private func status(of policy: Policy, _ context: Context) async throws -> PolicyStatus {
        let client = context.client
        let (current, previous) = try await client.current(policy)
        var row = PolicyStatus(
            policy, isDefault: policy.name == context.application.defaultPolicy?.name, current: current,
            previous: previous, signedOut: try await client.signedOut(policy),
            accounts: try await client.accountCount(policy: policy.name), now: context.now)
        if let text = account.chosen {
            let name = account.text == nil ? "SUSI_ACCOUNT" : "-a"
            row.override(try await client.find(text, policy), by: name, text)
        }
        if claims { row.addClaims() }
        return row
    }
}
