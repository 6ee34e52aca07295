import SusiBase
import SusiJourneys

struct FolderCheckReport: CommandResult {
    let check: FolderCheck
    let folder: String
    let isVerbose: Bool

    var json: JSONObject {
        [
            "schemaVersion": 1, "isFine": check.refused.isEmpty, "policies": check.policies.map(path),
            "findings": check.findings.map(json),
            "refused": check.refused.map { ["file": path($0.path), "errors": $0.errors] as JSONObject },
            "environments": check.environments, "policyKeys": check.keys, "otherFiles": check.ignored.map(path),
        ]
    }

    private func json(_ finding: Finding) -> JSONObject {
        [
            "severity": finding.severity.rawValue, "kind": finding.kind, "file": path(finding.path),
            "line": finding.line,
            "what": finding.text, "why": finding.hint.isEmpty ? nil : finding.hint,
        ]
    }

    func lines(_ style: Style) -> [String] {
        let shown = check.findings.filter { isVerbose || $0.severity != .note }
        var lines = shown.flatMap { self.lines(of: $0, style) }
        if isVerbose { lines += check.ignored.map { "\(Terminal.safe(path($0))): not a policy" } }
        if !lines.isEmpty { lines.append("") }
        for environment in check.environments {
            lines.append("Settings of the environment \(Terminal.safe(environment)).")
        }
        if !check.keys.isEmpty {
            lines.append("Policy keys that the tenant needs: \(Terminal.safe(check.keys.joined(separator: ", ")))")
        }
        return lines + [summary(style)]
    }

    private func lines(of finding: Finding, _ style: Style) -> [String] {
        let word =
            switch finding.severity {
            case .error: style.bad(finding.severity.rawValue)
            case .warning: style.warning(finding.severity.rawValue)
            case .note: style.faint(finding.severity.rawValue)
            }
        let first = "\(Terminal.safe(path(finding.path))):\(finding.line): \(word): \(Terminal.safe(finding.text))"
        return [first] + (finding.hint.isEmpty ? [] : ["    \(Terminal.safe(finding.hint))"])
    }

    private func summary(_ style: Style) -> String {
        let (policies, refused) = (Count.text(check.policies.count, "policy", plural: "policies"), check.refused)
        guard !refused.isEmpty else {
            let warnings = check.findings.count { $0.severity == .warning }
            return style.good("\(policies): no errors, \(Count.text(warnings, "warning"))")
        }
        let files = refused.map { "\(path($0.path)) (\($0.errors == 0 ? "by a base" : "\($0.errors)"))" }.joined(
            separator: ", ")
        return style.bad("\(refused.count) of \(policies) would be refused: \(Terminal.safe(files))")
    }

    private func path(_ path: String) -> String { folder == "." ? path : "\(folder)/\(path)" }
}
