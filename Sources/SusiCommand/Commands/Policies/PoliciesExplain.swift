import ArgumentParser
import Susi

extension PoliciesCommand {
    /// `susi policies explain`.
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

        func run() async throws {
            let context = try Context(self, onlyReadsPolicies: true)
            let isNamed = (global.application ?? ProcessEnvironment.current["SUSI_APPLICATION"]) != nil
            let explanations: [AuthorityExplanation]
            do {
                explanations = try AuthorityExplanation.all(
                    address, for: isNamed ? [context.application] : context.file.applications)
            } catch {
                throw SusiError(
                    .unknownAuthority, "invalid address “\(error.text)”", why: error.reason,
                    next: "write a whole address such as https://HOST/TENANT/POLICY")
            }
            let report = ExplanationReport(address, explanations)
            try context.show(report, json: output.json)
            if !report.isAllowed { throw CommandEnded(code: .notSafe) }
        }
    }
}

/// The explanation of an address, and the applications that may contact it.
struct ExplanationReport: CommandResult {
    let schemaVersion = 2
    let address: String
    let role: String
    let form: String?
    /// Whether an application may contact the address.
    let isAllowed: Bool
    let applications: [ApplicationExplanation]

    init(_ address: String, _ found: [AuthorityExplanation]) {
        self.address = address
        let reading = found.first?.reading
        role = reading?.role.rawValue ?? ""
        form = reading?.form?.rawValue
        applications = found.map(ApplicationExplanation.init)
        isAllowed = applications.contains(where: \.isAllowed)
    }

    func lines(_ style: Style) -> [String] {
        let title = style.strong(Terminal.safe(address))
        guard applications.count > 1 else {
            return [title] + rows([typeRow] + applications.flatMap { $0.rows(style) }, style)
        }
        return [title] + rows([typeRow], style)
            + applications.flatMap { one in
                ["", "application \(style.strong(Terminal.safe(one.application)))"] + rows(one.rows(style), style)
            }
    }

    private func rows(_ rows: [[String]], _ style: Style) -> [String] {
        Table.lines(rows.map { ["  \(style.faint($0[0]))", $0[1]] }, style)
    }

    private var typeRow: [String] {
        let label = AddressReading.Role(rawValue: role)?.label ?? role
        // Where the address names the policy.
        let place = applications.allSatisfy { $0.policy == nil } ? nil : form.flatMap(AddressReading.Form.init)
        let formText: String? =
            switch place {
            case .path: "policy in the path"
            case .tfp: "policy after /tfp/ in the path"
            case .query: "policy in the parameter p"
            case nil: nil
            }
        return ["type", label + (formText.map { ", \($0)" } ?? "")]
    }
}

/// The explanation of an address for one application.
struct ApplicationExplanation: Encodable {
    let application: String
    let kind: String
    let isKindCertain: Bool
    let tenant: String?
    let policy: String?
    let uses: [Use]
    let isAllowed: Bool
    let allowedBy: String?
    let reason: String?
    let missingEntry: String?
    /// Whether the application has no `knownAuthorities`, so only its own authority is allowed.
    let isOwnAuthority: Bool
    /// The addition to policies.json that would allow the address.
    let toAllow: String?
    let hints: [String]

    /// A policy that uses the authority.
    struct Use: Encodable {
        let application: String
        let policy: String
    }

    init(_ found: AuthorityExplanation) {
        application = found.application
        kind = found.kind.rawValue
        isKindCertain = found.reading.kind != nil
        tenant = found.tenant
        policy = found.policy?.spelling
        uses = found.uses.map { Use(application: $0.application, policy: $0.policy.spelling) }
        hints = found.hints
        switch found.decision {
        case .allowed(by: let entry):
            (isAllowed, allowedBy, reason, missingEntry) = (true, entry.text, nil, nil)
            (isOwnAuthority, toAllow) = (entry.isOwn, nil)
        case .refused(let refusal):
            (isAllowed, allowedBy, reason, missingEntry) = (false, nil, refusal.reason, refusal.missing)
            (isOwnAuthority, toAllow) = (false, refusal.addition(to: "the application"))
        }
    }

    private var matchText: String {
        isOwnAuthority ? "as the application's own authority" : "by the entry “\(allowedBy ?? "")”"
    }

    func rows(_ style: Style) -> [[String]] {
        var rows = [
            [
                "kind",
                kind + (isKindCertain ? "" : "  (from the application “\(application)”; the address does not show it)"),
            ],
            ["tenant", Terminal.safe(tenant ?? "none")],
        ]
        if AuthorityKind(rawValue: kind)?.hasPolicies ?? false {
            rows.append(["policy", Terminal.safe(policy ?? "none")])
        }
        rows += uses.map { ["used by", "policy \($0.policy) of the application “\($0.application)”"] }
        rows.append(
            isAllowed
                ? ["allowed", style.good(matchText) + (isOwnAuthority ? "" : " of the application “\(application)”")]
                : ["refused", style.bad(Terminal.safe(reason ?? "")) + " (application “\(application)”)"])
        if let toAllow { rows.append(["to allow", Terminal.safe("add \(toAllow)")]) }
        return rows + hints.map { ["note", Terminal.safe($0)] }
    }
}
