import ArgumentParser
import Susi

extension PoliciesCommand {
    /// `susi policies check`.
    struct Check: AsyncParsableCommand, GivenCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Check that a sign-in could start under each policy.",
            discussion: """
                  susi policies check
                  susi policies check -A staging -p B2C_1_susi --json

                Checks knownAuthorities, the OpenID configuration with its issuer and endpoints, the signing keys and the clock, without \
                any cache. Does not sign in and stores nothing.
                """)

        @OptionGroup var policy: PolicyOption
        @OptionGroup var output: JSONOption
        @OptionGroup(title: "Common options") var global: GlobalOptions

        static var givenOptions: [OptionReader<Self>] { .group(\.policy) }

        func run() async throws {
            let context = try Context(self)
            let checks = try await context.client.check(policy: policy.name)
            try context.show(CheckReport(checks, of: context.application, given: context.given), json: output.json)
            if let code = CheckReport.exitCode(checks) { throw CommandEnded(code: code) }
        }
    }
}

/// The result of `policies check`.
struct CheckReport: CommandResult {
    let schemaVersion = 1
    let application: String
    let isFine: Bool
    let policies: [PolicyRecord]

    init(_ checks: [PolicyCheck], of application: Application, given: GivenOptions) {
        self.application = application.name
        isFine = checks.allSatisfy(\.problems.isEmpty)
        policies = checks.map { PolicyRecord($0, given) }
    }

    /// Returns the exit code; `nil` without problems. An unsafe authority takes precedence over an unreachable one.
    static func exitCode(_ checks: [PolicyCheck]) -> ExitCodes? {
        let codes = checks.flatMap(\.problems).map { ExitCodes($0.error.code) }
        return codes.contains(.notSafe) ? .notSafe : codes.first
    }

    func lines(_ style: Style) -> [String] {
        policies.flatMap { $0.lines(style) }
            + (isFine
                ? []
                : ["", style.bad("\(policies.filter { !$0.problems.isEmpty }.count) of \(policies.count) failed")])
    }

    struct PolicyRecord: Encodable {
        let policy: String
        let kind: String
        let authority: String
        let allowedBy: String?
        /// Whether the application has no `knownAuthorities`, so only its own authority is allowed.
        let isOwnAuthority: Bool
        let configuration: String
        let issuer: String?
        let tenantId: String?
        let endpoints: [String: String]
        let usableKeys: Int?
        let signingAlgorithms: [String]
        let clockSkewSeconds: Int64?
        let offers: [String]
        let problems: [ProblemRecord]
    }

    /// A problem that the check found.
    struct ProblemRecord: Encodable {
        let step: String
        let what: String
        let why: String
        let next: String
    }
}

extension CheckReport.PolicyRecord {
    init(_ check: PolicyCheck, _ given: GivenOptions) {
        let (report, metadata) = (check.report, check.report.metadata)
        policy = check.policy.name.spelling
        kind = report.authority.kind.rawValue
        authority = report.authority.address.description
        allowedBy = report.entry?.text
        isOwnAuthority = report.entry?.isOwn ?? false
        configuration = report.authority.discovery.description
        issuer = metadata?.issuer
        tenantId = metadata?.tenantID
        let found = metadata.map { $0.endpoints } ?? []
        endpoints = Dictionary(uniqueKeysWithValues: found.map { ($0.name.rawValue, $0.endpoint.description) })
        usableKeys = report.usableKeys
        signingAlgorithms = metadata?.signingAlgorithms ?? []
        clockSkewSeconds = report.clockSkew
        offers = metadata.map(Self.offers) ?? []
        problems = check.problems.map { problem in
            CheckReport.ProblemRecord(
                step: problem.step.rawValue, what: problem.error.what, why: problem.error.why,
                next: given.text(problem.error.nextStep))
        }
    }

    private static func offers(_ metadata: ProviderMetadata) -> [String] {
        let endpoints: [(EndpointName, String)] = [
            (.endSession, "browser sign-out"), (.userinfo, "userinfo"),
            (.deviceAuthorization, "device code"), (.revocation, "revocation"),
        ]
        let found = Set(metadata.endpoints.map(\.name))
        return endpoints.filter { found.contains($0.0) }.map(\.1)
            + (metadata.responseModes.contains("form_post") ? ["form_post"] : [])
            + (metadata.announcesIssuerParameter ? ["iss in responses"] : [])
    }

    func lines(_ style: Style) -> [String] {
        let mark = problems.isEmpty ? style.good("ok") : style.bad("failed")
        var rows = [["configuration", configuration], ["allowed by", matchText]]
        if let issuer { rows.append(["issuer", issuer]) }
        if let usableKeys {
            let algorithms = signingAlgorithms.isEmpty ? "" : " (\(signingAlgorithms.joined(separator: ", ")))"
            rows.append(["keys", "\(Count.text(usableKeys, "signing key"))\(algorithms)"])
        }
        if let clockSkewSeconds { rows.append(["clock", Self.clock(clockSkewSeconds)]) }
        if !offers.isEmpty { rows.append(["offers", offers.joined(separator: ", ")]) }
        var lines = Table.lines([["\(mark)  \(style.strong(policy))", authority]], style)
        lines += Table.lines(rows.map { ["    \($0[0])", Terminal.safe($0[1])] }, style)
        for problem in problems {
            lines.append("    \(style.bad(problem.step)): \(Terminal.safe(problem.what))")
            if !problem.why.isEmpty { lines.append("      \(Terminal.safe(problem.why))") }
            if !problem.next.isEmpty { lines.append("      next: \(Terminal.safe(problem.next))") }
        }
        return lines
    }

    private var matchText: String {
        if isOwnAuthority { return "the application's own authority" }
        return allowedBy.map { "the entry “\($0)”" } ?? "no entry of knownAuthorities"
    }

    private static func clock(_ skew: Int64) -> String {
        switch skew {
        case -1...1: "in sync with the server"
        case 2...: "\(Timestamp.span(skew)) ahead of the server"
        default: "\(Timestamp.span(-skew)) behind the server"
        }
    }
}
