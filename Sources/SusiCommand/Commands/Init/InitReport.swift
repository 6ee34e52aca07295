import Susi

/// The result of `susi init`.
struct InitReport: CommandResult {
    let schemaVersion = 1
    let file: String
    let application: String
    let kind: String
    let authority: String
    let clientId: String
    let policies: [PolicyRecord]
    let apis: [APIRecord]
    let redirectAddresses: [String]
    /// Whether the file needs trust and was trusted.
    let isTrusted: Bool
    let next: String
    private let unreached: String?
    private let copy: String?
    private let hasPlatforms: Bool

    struct PolicyRecord: Encodable {
        let name: String
        let kind: String
        let isDefault: Bool
        /// `ok`, `failed` or `notChecked`.
        let check: String
        let problem: String?
        fileprivate var label: String {
            (PolicyKind(rawValue: kind)?.label ?? kind) + (isDefault ? ", default" : "")
        }
    }

    struct APIRecord: Encodable {
        let name: String
        let baseUrl: String
        let scopes: [String]
    }

    private enum CodingKeys: CodingKey {
        case schemaVersion, file, application, kind, authority, clientId, policies, apis, redirectAddresses, isTrusted
        case next
    }

    init(
        _ application: Application, file: String, _ outcomes: [PolicyName: DraftCheck.Outcome], isTrusted: Bool,
        next: SuggestedCommand, copy: SuggestedCommand
    ) {
        self.file = file
        self.application = application.name
        kind = application.kind.rawValue
        authority = application.authority.spelling
        clientId = application.clientID
        policies = application.policies.map { policy in
            PolicyRecord(
                policy, isDefault: policy.name == application.defaultPolicy?.name, outcome: outcomes[policy.name])
        }
        apis = application.apis.map { APIRecord(name: $0.name, baseUrl: $0.baseURL.description, scopes: $0.scopes) }
        redirectAddresses = application.addressesToRegister
        self.isTrusted = isTrusted
        self.next = next.description
        unreached =
            application.policies.lazy.compactMap { policy -> String? in
                guard case .unreached(let error) = outcomes[policy.name] else { return nil }
                return error.what
            }.first
        self.copy = application.authority.isLoopback ? nil : copy.description
        hasPlatforms = !application.kind.authorityIsIssuer
    }

    func lines(_ style: Style) -> [String] {
        let rows = policies.map { ["  \($0.name)", $0.label, $0.shown(style)] }
        var lines = [
            "\(style.good("Wrote")) \(Terminal.safe(file)): application \(style.strong(application)), kind \(kind)",
            "  \(Terminal.safe(authority))",
        ]
        lines += Table.lines(rows, style)
        lines += Table.lines(apis.map { ["  \($0.name)", Terminal.safe($0.baseUrl)] }, style)
        if let unreached { lines.append("  \(style.faint("not checked:")) \(Terminal.safe(unreached))") }
        let platform = hasPlatforms ? " (platform “Mobile and desktop applications”)" : ""
        lines += ["", "Register these redirect addresses\(platform):"] + redirectAddresses.map { "  \($0)" }
        if isTrusted {
            lines += ["", style.faint("The file is trusted. After a change, check it with susi policies trust.")]
        }
        if let copy { lines += ["", style.faint("To try it with a local copy of the tenant: \(Terminal.safe(copy))")] }
        return lines + ["", "  \(style.faint("next:")) \(style.strong(Terminal.safe(next)))"]
    }
}

extension InitReport.PolicyRecord {
    fileprivate init(_ policy: Policy, isDefault: Bool, outcome: DraftCheck.Outcome?) {
        name = policy.name.spelling
        kind = policy.kind.rawValue
        self.isDefault = isDefault
        switch outcome {
        case .answers: (check, problem) = ("ok", nil)
        case .failed(let error): (check, problem) = ("failed", error.description)
        case .unreached, nil: (check, problem) = ("notChecked", nil)
        }
    }

    fileprivate func shown(_ style: Style) -> String {
        if let problem { return style.bad(Terminal.safe(problem)) }
        return check == "ok" ? style.good("ok") : style.faint("not checked")
    }
}

extension Application {
    /// The redirect addresses to register at the provider; without a port if the provider ignores it.
    fileprivate var addressesToRegister: [String] {
        let paths = Set(policies.map(\.redirectPath)).sorted()
        let listed = redirectAddresses(paths: paths)
        return listed.isEmpty ? paths.map { "http://localhost\($0 == "/" ? "" : $0)" } : listed
    }
}
