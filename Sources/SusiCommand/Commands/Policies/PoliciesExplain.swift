import ArgumentParser
import Susi

extension PoliciesCommand {
    /// `susi policies explain`.
    struct Explain: AsyncParsableCommand, GivenCommand {
        static let configuration = CommandConfiguration(
            commandName: "explain", abstract: "Say what an address is, and whether it may be contacted. Offline.",
            discussion: """
                susi policies explain https://contoso.b2clogin.com/contoso.onmicrosoft.com/B2C_1_susi
                susi policies explain 'https://login.contoso.example/…/authorize?client_id=…'

                Takes an authority, an endpoint as the browser shows it, a configuration or an issuer. Quote addresses with
                a question mark. Ends with 7 when the address would be refused.
                """)

        @OptionGroup var global: GlobalOptions
        @OptionGroup var output: JSONOption

        @Argument(help: "The address.")
        var address: String

        func run() async throws {
            let context = try Context(self)
            let explanation: AuthorityExplanation
            do {
                explanation = try AuthorityExplanation(address, file: context.file, chosen: context.application)
            } catch {
                throw SusiError(
                    .unknownAuthority, "No authority can have this address", why: "\(error)",
                    next: "write a whole address such as https://HOST/TENANT/POLICY")
            }
            let report = ExplanationReport(explanation)
            try context.show(report, json: output.json)
            if !report.isAllowed { throw CommandEnded(code: .notSafe) }
        }
    }
}

/// What an address is, for people and programs.
struct ExplanationReport: CommandResult {
    let schemaVersion = 1
    let address: String
    let kind: String
    let isKindCertain: Bool
    let role: String
    let form: String?
    let tenant: String?
    let policy: String?
    let application: String
    let uses: [Use]
    let isAllowed: Bool
    let allowedBy: String?
    let reason: String?
    let missingEntry: String?
    let hints: [String]

    /// A policy of the file that has the authority.
    struct Use: Encodable {
        let application: String
        let policy: String
    }

    init(_ found: AuthorityExplanation) {
        address = found.reading.text
        kind = found.kind.rawValue
        isKindCertain = found.reading.kind != nil
        role = found.reading.role.rawValue
        form = found.reading.form?.rawValue
        tenant = found.tenant
        policy = found.policy?.spelling
        application = found.application
        uses = found.uses.map { Use(application: $0.application, policy: $0.policy.spelling) }
        hints = found.hints
        switch found.decision {
        case .allowed(by: let entry):
            (isAllowed, allowedBy, reason, missingEntry) = (true, entry.text, nil, nil)
        case .refused(let refusal):
            (isAllowed, allowedBy, reason, missingEntry) = (false, nil, refusal.reason, refusal.missing)
        }
    }

    func lines(_ style: Style) -> [String] {
        let label = AddressReading.Role(rawValue: role)?.label ?? role
        // How the policy is named, where one is.
        let place = policy == nil ? nil : form.flatMap(AddressReading.Form.init)
        let formText: String? =
            switch place {
            case .path: "the policy in the path"
            case .tfp: "in the form with tfp"
            case .query: "the policy in the parameter p"
            case nil: nil
            }
        var rows = [
            ["is", label + (formText.map { ", \($0)" } ?? "")],
            [
                "kind",
                kind + (isKindCertain ? "" : "  (as the application “\(application)” says; the address does not tell)"),
            ],
            ["tenant", Terminal.safe(tenant ?? "none")],
        ]
        if kind == AuthorityKind.b2c.rawValue { rows.append(["policy", Terminal.safe(policy ?? "none named")]) }
        rows += uses.map { ["used by", "policy \($0.policy) of the application “\($0.application)”"] }
        rows.append(
            isAllowed
                ? ["allowed", style.good("by the entry “\(allowedBy ?? "")”") + " of the application “\(application)”"]
                : ["refused", style.bad(Terminal.safe(reason ?? "")) + " (application “\(application)”)"])
        if let missingEntry { rows.append(["to allow", "add \"\(missingEntry)\" to its knownAuthorities"]) }
        rows += hints.map { ["note", Terminal.safe($0)] }
        return [style.strong(Terminal.safe(address))] + Table.lines(rows.map { ["  \(style.faint($0[0]))", $0[1]] })
    }
}
