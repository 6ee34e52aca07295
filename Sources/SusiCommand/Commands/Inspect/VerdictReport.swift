import Susi
import SusiTools

/// What an API does with a token, rule by rule. Does not contain the token.
struct VerdictReport: CommandResult {
    let verdict: APIVerdict
    let remarks: [String]

    var json: JSONObject {
        [
            "schemaVersion": 1, "isAccepted": verdict.isAccepted, "isComplete": verdict.isComplete,
            "rules": verdict.rules.map(\.json), "remarks": remarks,
        ]
    }

    func lines(_ style: Style) -> [String] {
        let hints = verdict.isAccepted ? [Self.unseen] : [verdict.failure?.description].compactMap(\.self)
        return Table.lines([[headline(style)]], style) + APIRule.lines(verdict.rules, style)
            + Table.lines((remarks + hints).map { [style.faint(Terminal.safe($0))] }, style)
    }

    private static let unseen = "If the API still refuses it: its variables may differ, or its code checks more."

    private func headline(_ style: Style) -> String {
        let broken = verdict.rules.filter { $0.outcome == .broken }.map(\.name.rawValue)
        if verdict.isRefused {
            let names = broken.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
            return "\(style.bad("refused")): \(names.joined(separator: ", "))"
        }
        return verdict.isComplete ? style.good("accepted") : style.warning("not checked completely")
    }
}

extension APIRule {
    var json: JSONObject {
        [
            "rule": name.rawValue, "outcome": outcome.rawValue, "found": found, "wanted": wanted, "codes": name.codes,
            "changes": changes.map { ["place": $0.place.rawValue, "text": $0.text] as JSONObject },
        ]
    }

    /// Returns a line for each rule, each followed by what to change.
    static func lines(_ rules: [APIRule], _ style: Style) -> [String] {
        let blocks = Table.blocks(
            rules.map { ["  \($0.mark(style)) \($0.name.rawValue)", Terminal.safe($0.comparison)] }, style)
        return zip(rules, blocks).flatMap { rule, block in
            let changes = rule.changes.enumerated().map { index, change in
                ["      \(index == 0 ? "next" : "or"): in the \(change.place.label): \(Terminal.safe(change.text))"]
            }
            return block + Table.lines(changes, style)
        }
    }

    private var comparison: String {
        let codes = outcome == .broken && !name.codes.isEmpty ? " (\(name.codes.joined(separator: ", ")))" : ""
        return found + (wanted.map { ", wanted: \($0)" } ?? "") + codes
    }

    private func mark(_ style: Style) -> String {
        switch outcome {
        case .met: style.good("✓")
        case .broken: style.bad("✗")
        case .open: style.faint("○")
        }
    }
}

extension APIRule.Change.Place {
    fileprivate var label: String { self == .api ? "API" : rawValue }
}
