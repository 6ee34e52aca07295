import Susi
import SusiBase
import SusiTools

struct InitReport: CommandResult {
    /// Where the values came from.
    let values: DraftValues
    let application: Application
    let file: String
    let checks: [PolicyCheck]
    /// Whether the file needs trust and was trusted.
    let isTrusted: Bool
    let next: SuggestedCommand
    /// The exit code, unless it is 0: no policy of the tenant could be checked.
    var exitCode: ExitCodes? {
        guard !checks.isEmpty, checks.allSatisfy({ $0.failure != nil }) else { return nil }
        return checks.contains(where: \.isReached) ? .failed : .network
    }
    /// The command that runs a local copy of the tenant.
    let copy: SuggestedCommand
    /// The tenant file of the copy, whether it existed and was kept, and what it lacks.
    var copied: (file: String, isKept: Bool, missing: [String])?

    var json: JSONObject {
        let apis: [JSONObject] = application.apis.map {
            ["name": $0.name, "baseUrl": $0.baseURL.description, "scopes": $0.scopes]
        }
        return [
            "schemaVersion": 1, "file": file, "application": application.name, "kind": application.kind.rawValue,
            "authority": application.authority.spelling, "clientId": application.clientID,
            "policies": application.policies.map(json), "apis": apis,
            "redirectAddresses": addressesToRegister, "isTrusted": isTrusted, "next": next.description,
            "origins": values.origins, "notUsed": values.notUsed, "copy": copied?.file,
            "notCopied": copied?.missing ?? [],
        ]
    }

    private func json(_ policy: Policy) -> JSONObject {
        let check = check(policy)
        return [
            "name": policy.name.spelling, "kind": policy.kind.rawValue, "isDefault": application.isDefault(policy),
            "check": check.map { $0.failure == nil ? "ok" : "failed" } ?? "notChecked",
            "problem": check?.failure?.description,
        ]
    }

    func lines(_ style: Style) -> [String] {
        let title = "application \(style.strong(application.name)), kind \(application.kind.rawValue)"
        var lines = [
            "\(style.good("Wrote")) \(Terminal.safe(file)): \(title)",
            "  \(Terminal.safe(application.authority.spelling))",
        ]
        lines += Table.lines(application.policies.map { row($0, style) }, style)
        lines += Table.lines(application.apis.map { ["  \($0.name)", Terminal.safe("\($0.baseURL)")] }, style)
        if let unreached { lines.append("  \(style.faint("not checked:")) \(Terminal.safe(unreached.what))") }
        lines += origins(style)
        // A copy has the client ID that was made up for it, and the tenant does not.
        if application.clientID != LocalCopy.clientID {
            let platform =
                application.kind.traits.authorityIsIssuer ? "" : " (platform “Mobile and desktop applications”)"
            lines += ["", "Register these redirect addresses\(platform):"]
            lines += addressesToRegister.map { "  \($0)" }
        }
        lines += [
            "",
            "The file has no secrets: commit it to version control. Never commit the store, which has the tokens.",
        ]
        if isTrusted {
            lines += [style.faint("The file is trusted. After a change, check it with susi policies trust.")]
        }
        if let (file, isKept, missing) = copied {
            let verb = style.good(isKept ? "Kept" : "Wrote")
            let gap =
                missing.isEmpty ? "" : isKept ? ", which lacks what the files say" : "; the files do not say all of it"
            lines += ["", "\(verb) \(Terminal.safe(file)): a local copy of the tenant\(gap)"]
            lines += missing.map { "  \(style.faint("add:")) \(Terminal.safe($0))" }
        }
        if copied == nil, !application.authority.isLoopback {
            lines += ["", style.faint("To try it with a local copy of the tenant: \(Terminal.safe("\(copy)"))")]
        }
        return lines + ["", style.next(next.description)]
    }

    // The address of a page is registered for the page.
    private var addressesToRegister: [String] {
        let ofPages = values.registrations.filter(\.isPage).flatMap(\.redirects)
        return application.addressesToRegister.filter { !ofPages.contains($0) }
    }

    // What was read from where, what was changed, and what was left out.
    private func origins(_ style: Style) -> [String] {
        var lines: [String] = []
        if !values.origins.isEmpty {
            let rows = values.origins.map { ["  \(Terminal.safe($0.value))", Terminal.safe($0.name)] }
            let files = values.draft.sources.map(\.file).joined(separator: ", ")
            lines += ["", "Read from \(Terminal.safe(files)):"] + Table.lines(rows, style)
        }
        if let old = values.replaced(application.kind) {
            lines.append(
                "\(application.authority.host) replaces \(Terminal.safe(old.host)), which no longer serves B2C")
        }
        return lines + values.notUsed.map { style.faint(Terminal.safe("not used: \($0)")) }
    }

    private func row(_ policy: Policy, _ style: Style) -> [String] {
        let outcome =
            check(policy).map { $0.failure.map { style.bad(Terminal.safe($0.description)) } ?? style.good("ok") }
            ?? style.faint("not checked")
        let kind = policy.kind.label + (application.isDefault(policy) ? ", default" : "")
        return ["  \(policy.name.spelling)", kind, outcome]
    }

    // The check of a policy to which the tenant responded.
    private func check(_ policy: Policy) -> PolicyCheck? {
        checks.first { $0.policy.name == policy.name && $0.isReached }
    }

    // The reason why the tenant was not reached: the first, because the others are the same.
    private var unreached: SusiError? { checks.first { !$0.isReached }?.failure }
}

extension PolicyCheck {
    /// Why a sign-in cannot start.
    var failure: SusiError? { problems.first?.error }
    /// Whether the tenant responded.
    var isReached: Bool { failure == nil || !(report.problems.first?.error is NetworkFailure) }
}
