import ArgumentParser
import Susi
import SusiStartup

extension PoliciesCommand {
    struct Explain: AsyncParsableCommand, GivenCommand {
        static let configuration = CommandConfiguration(
            commandName: "explain", abstract: "Explain an address and whether it is allowed, offline.",
            discussion: """
                  susi policies explain https://login.contoso.example/TENANT/B2C_1_susi
                  susi policies explain 'https://login.contoso.example/…/authorize?…'

                Accepts an authority, an issuer, or the address of an endpoint or an OpenID configuration. Quote an address \
                that contains a question mark. Without -A, susi checks every application of the file. The exit code is 7 if \
                none of them allows the address.
                """)

        @OptionGroup var output: JSONOption

        @Argument(help: "Address to explain")
        var address: String

        @OptionGroup(title: "Common options") var global: GlobalOptions

        var needsTrust: Bool { false }

        func run() async throws {
            let context = try Context(self)
            let isNamed = (global.application ?? ProcessEnvironment.current["SUSI_APPLICATION"]) != nil
            let explanations: [AuthorityExplanation]
            do {
                let name = isNamed ? context.application.name : nil
                explanations = try Self.explanations(of: address, context.file, name)
            } catch {
                throw SusiError(
                    .unknownAuthority, "invalid address “\(error.text)”", why: error.reason,
                    next: "write a whole address such as https://HOST/TENANT/POLICY")
            }
            let report = ExplanationReport(address: address, explanations: explanations)
            try context.show(report, json: output.json)
            if !report.isAllowed { throw CommandEnded(code: .notSafe) }
        }

        private static func explanations(
            of address: String, _ file: PoliciesFile, _ name: String?
        ) throws(InvalidAddress) -> [AuthorityExplanation] {
            try AuthorityExplanation.all(address, for: file.applications.filter { name == nil || $0.name == name })
        }
    }
}

/// The explanation of an address, and the applications that may contact it.
struct ExplanationReport: CommandResult {
    let address: String
    let explanations: [AuthorityExplanation]

    private var reading: AddressReading? { explanations.first?.reading }

    /// Whether an application may contact the address.
    var isAllowed: Bool { explanations.contains { $0.decision.entry != nil } }

    var json: JSONObject {
        [
            "schemaVersion": 2, "address": address, "role": reading?.role.rawValue ?? "",
            "form": reading?.form?.rawValue, "isAllowed": isAllowed, "applications": explanations.map(\.json),
        ]
    }

    func lines(_ style: Style) -> [String] {
        let title = style.strong(Terminal.safe(address))
        guard explanations.count > 1 else {
            return [title] + rows([typeRow] + explanations.flatMap { $0.rows(style) }, style)
        }
        return [title] + rows([typeRow], style)
            + explanations.flatMap { one in
                ["", "application \(style.strong(Terminal.safe(one.application)))"] + rows(one.rows(style), style)
            }
    }

    private func rows(_ rows: [[String]], _ style: Style) -> [String] {
        Table.lines(rows.map { ["  \(style.faint($0[0]))", $0[1]] }, style)
    }

    private var typeRow: [String] {
        // Where the address names the policy.
        let place = explanations.allSatisfy { $0.policy == nil } ? nil : reading?.form
        let formText =
            switch place {
            case .path: ", policy in the path"
            case .tfp: ", policy after /tfp/ in the path"
            case .query: ", policy in the parameter p"
            case nil: ""
            }
        return ["type", (reading?.role.label ?? "") + formText]
    }
}

extension AuthorityExplanation {
    fileprivate var json: JSONObject {
        let (entry, refusal) = (decision.entry, decision.refusal)
        return [
            "application": application, "kind": kind.rawValue, "isKindCertain": isKindCertain, "tenant": tenant,
            "policy": policy?.spelling,
            "uses": uses.map { ["application": $0.application, "policy": $0.policy.spelling] as JSONObject },
            "isAllowed": entry != nil, "allowedBy": entry?.text, "reason": refusal?.reason,
            "missingEntry": refusal?.missing,
            // Whether the application has no `knownAuthorities`, so only its own authority is allowed.
            "isOwnAuthority": entry?.isOwn ?? false,
            "toAllow": addition, "hints": hints,
        ]
    }

    private var isKindCertain: Bool { reading.kind != nil }

    /// The addition to policies.json that would allow the address, if there is one.
    private var addition: String? { decision.refusal?.addition(to: "the application") }

    fileprivate func rows(_ style: Style) -> [[String]] {
        let note = "  (from the application “\(application)”; the address does not show it)"
        var rows = [
            ["kind", kind.rawValue + (isKindCertain ? "" : note)], ["tenant", Terminal.safe(tenant ?? "none")],
        ]
        if kind.traits.hasPolicies { rows.append(["policy", Terminal.safe(policy?.spelling ?? "none")]) }
        rows += uses.map { ["used by", "policy \($0.policy) of the application “\($0.application)”"] }
        switch decision {
        case .allowed(by: let entry) where entry.isOwn:
            rows.append(["allowed", style.good("as the application's own authority")])
        case .allowed(by: let entry):
            let match = style.good("by the entry “\(entry.text)”")
            rows.append(["allowed", "\(match) of the application “\(application)”"])
        case .refused(let refusal):
            rows.append(["refused", style.bad(Terminal.safe(refusal.reason)) + " (application “\(application)”)"])
            if let addition { rows.append(["to allow", Terminal.safe("add \(addition)")]) }
        }
        return rows + hints.map { ["note", Terminal.safe($0)] }
    }
}
