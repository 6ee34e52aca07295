import Susi

/// What an API does with a token, rule by rule. Does not contain the token.
struct VerdictReport: CommandResult {
    let verdict: APIVerdict
    let library: APISettings.Library
    let remarks: [String]

    private var libraryName: String {
        switch library {
        case .identityWeb: "Microsoft.Identity.Web"
        case .fastAPI: "an API that compares exactly, as fastapi-azure-auth does"
        }
    }

    var json: JSONObject {
        let rules: [JSONObject] = verdict.rules.map { rule in
            let (outcome, change): (String, String?) =
                switch rule.outcome {
                case .met: ("met", nil)
                case .broken(_, let change): ("broken", change)
                case .open: ("open", nil)
                }
            return ["rule": rule.name.rawValue, "outcome": outcome, "detail": rule.detail, "change": change]
        }
        return [
            "schemaVersion": 1, "isAccepted": verdict.isAccepted, "isComplete": verdict.isComplete,
            "status": verdict.refusal?.status, "code": verdict.refusal?.code, "rules": rules, "remarks": remarks,
        ]
    }

    func lines(_ style: Style) -> [String] {
        let rows = verdict.rules.map { rule in
            ["  \(mark(rule, style)) \(rule.name.rawValue)", Terminal.safe(rule.detail)]
        }
        var lines = Table.lines([[headline(style)]], style)
        for (rule, block) in zip(verdict.rules, Table.blocks(rows, style)) {
            lines += block
            if case .broken(_, let change) = rule.outcome {
                lines += Table.lines([["      next: \(Terminal.safe(change))"]], style)
            }
        }
        let hints = verdict.isAccepted ? [Self.unseen] : [verdict.failure?.description].compactMap(\.self)
        return lines + Table.lines((remarks + hints).map { [style.faint(Terminal.safe($0))] }, style)
    }

    private static let unseen = """
        If the API still refuses it: other settings may win (appsettings.Development.json, variables), or its code checks more.
        """

    private func headline(_ style: Style) -> String {
        if let refusal = verdict.refusal {
            let code = refusal.code.isEmpty ? "" : ", \(refusal.code)"
            return "\(style.bad("refused")) with \(refusal.status)\(code), by \(libraryName)"
        }
        if !verdict.isComplete { return style.warning("not checked completely") }
        return "\(style.good("accepted")) by \(libraryName)"
    }

    private func mark(_ rule: APIRule, _ style: Style) -> String {
        switch rule.outcome {
        case .met: style.good("✓")
        case .broken: style.bad("✗")
        case .open: style.faint("○")
        }
    }
}
