import ArgumentParser
import Susi
import SusiBase
import SusiTools

extension PoliciesCommand {
    struct Check: AsyncParsableCommand, PolicyCommand {
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

        var givenPolicy: String? { policy.text }
        var givenTenant: String? { policy.tenant.text }

        func run() async throws {
            let context = try Context(self)
            let checks = try await context.client.check(policy: try policy.name(in: context))
            let report = CheckReport(application: context.application, checks: checks, given: context.given)
            try context.show(report, json: output.json)
            if let code = report.exitCode { throw CommandEnded(code: code) }
        }
    }
}

struct CheckReport: CommandResult {
    let application: Application
    let checks: [PolicyCheck]
    let given: GivenOptions

    private var failed: [PolicyCheck] { checks.filter { !$0.problems.isEmpty } }

    /// The exit code; `nil` without problems. An unsafe authority takes precedence over an unreachable one.
    var exitCode: ExitCodes? {
        let codes = checks.flatMap(\.problems).map { ExitCodes($0.error.code) }
        return codes.contains(.notSafe) ? .notSafe : codes.first
    }

    var json: JSONObject {
        [
            "schemaVersion": 1, "application": application.name, "isFine": failed.isEmpty,
            "policies": checks.map { $0.json(given) },
        ]
    }

    func lines(_ style: Style) -> [String] {
        checks.flatMap { $0.lines(style, given) }
            + (failed.isEmpty ? [] : ["", style.bad("\(failed.count) of \(checks.count) failed")])
    }
}

extension PolicyCheck {
    fileprivate func json(_ given: GivenOptions) -> JSONObject {
        let (authority, metadata) = (report.authority, report.metadata)
        let endpoints = (metadata?.endpoints ?? []).map { ($0.name.rawValue, JSON.string($0.endpoint.description)) }
        return [
            "policy": policy.name.spelling, "kind": authority.kind.rawValue,
            "authority": authority.address.description, "allowedBy": report.entry?.text,
            // Whether the application has no `knownAuthorities`, so only its own authority is allowed.
            "isOwnAuthority": report.entry?.isOwn ?? false,
            "configuration": authority.discovery.description, "issuer": metadata?.issuer,
            "tenantId": metadata?.tenantID, "endpoints": JSON.object(Dictionary(uniqueKeysWithValues: endpoints)),
            "usableKeys": report.usableKeys, "signingAlgorithms": metadata?.signingAlgorithms ?? [],
            "clockSkewSeconds": report.clockSkew, "offers": offers, "unusedScopes": unusedScopes,
            "problems": problems.map { step, error in error.json(given) + ["step": step.rawValue] },
        ]
    }

    // The policy's own scopes, if it keeps no token for them.
    private var unusedScopes: [String] { policy.kind.keepsAccounts ? [] : policy.scopes }

    private var offers: [String] {
        guard let metadata = report.metadata else { return [] }
        let endpoints: [(EndpointName, String)] = [
            (.endSession, "browser sign-out"), (.userinfo, "userinfo"),
            (.deviceAuthorization, "device code"), (.revocation, "revocation"),
        ]
        let found = Set(metadata.endpoints.map(\.name))
        return endpoints.filter { found.contains($0.0) }.map(\.1)
            + (metadata.responseModes.contains("form_post") ? ["form_post"] : [])
            + (metadata.announcesIssuerParameter ? ["iss in responses"] : [])
    }

    fileprivate func lines(_ style: Style, _ given: GivenOptions) -> [String] {
        let mark = problems.isEmpty ? style.good("ok") : style.bad("failed")
        var rows = [["configuration", report.authority.discovery.description], ["allowed by", matchText]]
        if let issuer = report.metadata?.issuer { rows.append(["issuer", issuer]) }
        if let usableKeys = report.usableKeys {
            let algorithms = (report.metadata?.signingAlgorithms ?? []).joined(separator: ", ")
            let suffix = algorithms.isEmpty ? "" : " (\(algorithms))"
            rows.append(["keys", "\(Count.text(usableKeys, "signing key"))\(suffix)"])
        }
        if let skew = report.clockSkew { rows.append(["clock", Self.clock(skew)]) }
        if !offers.isEmpty { rows.append(["offers", offers.joined(separator: ", ")]) }
        if !unusedScopes.isEmpty { rows.append(["scopes", "not requested: \(policy.keepsNoAccount)"]) }
        let address = report.authority.address.description
        var lines = Table.lines([["\(mark)  \(style.strong(policy.name.spelling))", address]], style)
        lines += Table.lines(rows.map { ["    \($0[0])", Terminal.safe($0[1])] }, style)
        for (step, error) in problems {
            let next = given.text(error.nextStep)
            lines.append("    \(style.bad(step.rawValue)): \(Terminal.safe(error.what))")
            if !error.why.isEmpty { lines.append("      \(Terminal.safe(error.why))") }
            if !next.isEmpty { lines.append("      next: \(Terminal.safe(next))") }
        }
        return lines
    }

    private var matchText: String {
        guard let entry = report.entry else { return "no entry of knownAuthorities" }
        return entry.isOwn ? "the application's own authority" : "the entry “\(entry.text)”"
    }

    private static func clock(_ skew: Int64) -> String {
        switch skew {
        case -1...1: "in sync with the server"
        case 2...: "\(Timestamp.span(skew)) ahead of the server"
        default: "\(Timestamp.span(-skew)) behind the server"
        }
    }
}
