import ArgumentParser
import Susi

/// `susi policies`.
struct PoliciesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policies", abstract: "Show, check and trust the policies of policies.json.",
        subcommands: [List.self, Check.self, Explain.self, Trust.self, Schema.self], defaultSubcommand: List.self)

    /// `susi policies list`.
    struct List: AsyncParsableCommand, GivenCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the policies, the APIs and the redirect addresses.",
            discussion: """
                  susi policies list
                  susi policies list -A production --json
                """)

        @OptionGroup var output: JSONOption
        @OptionGroup(title: "Common options") var global: GlobalOptions

        func run() async throws {
            let context = try Context(self, onlyReadsPolicies: true)
            try context.show(PolicyList(context), json: output.json)
        }
    }

    /// `susi policies schema`.
    struct Schema: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "schema", abstract: "Print the JSON Schema of policies.json, for editors.",
            discussion: """
                  susi policies schema > policies.schema.json
                """)

        func run() { Console.standard.out(PoliciesSchema.text()) }
    }
}

/// The application with its policies.
struct PolicyList: CommandResult {
    let schemaVersion = 1
    let application: String
    let applications: [String]
    let policiesFile: String
    let kind: String
    let clientId: String
    let policies: [PolicyRecord]
    let apis: [APIRecord]
    let redirectAddresses: [String]

    struct PolicyRecord: Encodable {
        let name: String
        let kind: String
        let isDefault: Bool
        let authority: String
        let isKnown: Bool
        let allowedBy: String?
        /// Whether the application has no `knownAuthorities`, so only its own authority is allowed.
        let isOwnAuthority: Bool
        let missingEntry: String?
    }

    struct APIRecord: Encodable {
        let name: String
        let baseUrl: String
        let scopes: [String]
        let policy: String?
    }

    init(_ context: Context) {
        let chosen = context.application
        application = chosen.name
        applications = context.file.applications.map(\.name)
        policiesFile = context.policiesFile ?? "built-in"
        kind = chosen.kind.rawValue
        clientId = chosen.clientID
        policies = chosen.policies.map { PolicyRecord($0, chosen) }
        apis = chosen.apis.map { api in
            APIRecord(
                name: api.name, baseUrl: api.baseURL.description, scopes: api.scopes,
                policy: (api.policy ?? chosen.defaultPolicy?.name)?.spelling)
        }
        redirectAddresses = chosen.redirectAddresses(paths: Set(chosen.policies.map(\.redirectPath)).sorted())
    }

    func lines(_ style: Style) -> [String] {
        let title = "\(style.strong(application)) (\(Terminal.safe(style.path(policiesFile))))"
        var lines = Table.lines([["\(title), kind \(kind), client ID \(clientId)"]], style) + [""]
        lines += Table.lines(
            policies.map { policy in
                [
                    "  \(policy.name)", policy.kind, policy.isDefault ? "default" : "",
                    policy.isKnown ? policy.authority : "\(policy.authority) " + style.bad("not known"),
                ]
            }, style)
        if !apis.isEmpty { lines.append("") }
        lines += Table.lines(
            apis.map { ["  api", $0.name, $0.baseUrl, $0.scopes.joined(separator: " ")] }, style)
        if !redirectAddresses.isEmpty {
            lines += [""] + Table.lines([["  register these redirect addresses (mobile and desktop):"]], style)
            lines += redirectAddresses.map { "    \($0)" }
        }
        let others = applications.filter { $0 != application }
        if !others.isEmpty {
            let names = style.faint("other applications (-A): \(others.joined(separator: ", "))")
            lines += [""] + Table.lines([["  \(names)"]], style)
        }
        return lines
    }
}

extension PolicyList.PolicyRecord {
    init(_ policy: Policy, _ application: Application) {
        let authority = application.authority(for: policy)
        name = policy.name.spelling
        kind = policy.kind.rawValue
        isDefault = policy.name == application.defaultPolicy?.name
        self.authority = authority.address.description
        switch application.knownAuthorities.decision(for: authority) {
        case .allowed(by: let entry):
            (isKnown, allowedBy, isOwnAuthority, missingEntry) = (true, entry.text, entry.isOwn, nil)
        case .refused(let refusal):
            (isKnown, allowedBy, isOwnAuthority, missingEntry) = (false, nil, false, refusal.missing)
        }
    }
}
