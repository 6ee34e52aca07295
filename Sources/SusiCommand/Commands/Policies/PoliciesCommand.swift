import ArgumentParser
import Susi

struct PoliciesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policies", abstract: "Show, check and trust the policies of policies.json.",
        subcommands: [List.self, Check.self, Explain.self, Trust.self, Schema.self], defaultSubcommand: List.self)

    struct List: AsyncParsableCommand, GivenCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the policies, the APIs and the redirect addresses.",
            discussion: """
                  susi policies list
                  susi policies list -A production --json
                """)

        @OptionGroup var output: JSONOption
        @OptionGroup(title: "Common options") var global: GlobalOptions

        var needsTrust: Bool { false }

        func run() async throws {
            let context = try Context(self)
            try context.show(PolicyList(context), json: output.json)
        }
    }

    struct Schema: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "schema", abstract: "Print the JSON Schema of policies.json, for editors.",
            discussion: """
                  susi policies schema > policies.schema.json
                """)

        func run() { Console.standard.out(PoliciesSchema.text()) }
    }
}

struct PolicyList: CommandResult {
    private let application: Application
    private let applications: [String]
    private let policiesFile: String

    init(_ context: Context) {
        application = context.application
        applications = context.file.applications.map(\.name)
        policiesFile = context.policiesFile ?? "built-in"
    }

    private var redirectAddresses: [String] { application.addressesToRegister }

    var json: JSONObject {
        [
            "schemaVersion": 1, "application": application.name, "applications": applications,
            "policiesFile": policiesFile, "kind": application.kind.rawValue, "clientId": application.clientID,
            "policies": application.policies.map(json), "apis": application.apis.map(json),
            "redirectAddresses": redirectAddresses,
        ]
    }

    private func json(_ policy: Policy) -> JSONObject {
        let authority = application.authority(for: policy)
        let decision = application.knownAuthorities.decision(for: authority)
        return [
            "name": policy.name.spelling, "kind": policy.kind.rawValue, "isDefault": application.isDefault(policy),
            "authority": authority.address.description, "isKnown": decision.entry != nil,
            "allowedBy": decision.entry?.text,
            // Whether the application has no `knownAuthorities`, so only its own authority is allowed.
            "isOwnAuthority": decision.entry?.isOwn ?? false, "missingEntry": decision.refusal?.missing,
        ]
    }

    private func json(_ api: API) -> JSONObject {
        [
            "name": api.name, "baseUrl": api.baseURL.description, "scopes": api.scopes,
            "policy": (api.policy ?? application.defaultPolicy?.name)?.spelling,
        ]
    }

    func lines(_ style: Style) -> [String] {
        let title = "\(style.strong(application.name)) (\(Terminal.safe(style.path(policiesFile))))"
        let kind = application.kind.rawValue
        var lines = Table.lines([["\(title), kind \(kind), client ID \(application.clientID)"]], style) + [""]
        lines += Table.lines(
            application.policies.map { policy in
                let authority = application.authority(for: policy)
                let isKnown = application.knownAuthorities.decision(for: authority).entry != nil
                return [
                    "  \(policy.name.spelling)", policy.kind.rawValue, application.isDefault(policy) ? "default" : "",
                    "\(authority.address)" + (isKnown ? "" : " \(style.bad("not known"))"),
                ]
            }, style)
        if !application.apis.isEmpty { lines.append("") }
        lines += Table.lines(
            application.apis.map { ["  api", $0.name, "\($0.baseURL)", $0.scopes.joined(separator: " ")] }, style)
        lines += [""] + Table.lines([["  register these redirect addresses (mobile and desktop):"]], style)
        lines += redirectAddresses.map { "    \($0)" }
        let others = applications.filter { $0 != application.name }
        if !others.isEmpty {
            let names = style.faint("other applications (-A): \(others.joined(separator: ", "))")
            lines += [""] + Table.lines([["  \(names)"]], style)
        }
        return lines
    }
}

extension KnownAuthorities.Decision {
    var entry: KnownAuthorities.Entry? { if case .allowed(by: let entry) = self { entry } else { nil } }

    var refusal: KnownAuthorities.Refusal? { if case .refused(let refusal) = self { refusal } else { nil } }
}
