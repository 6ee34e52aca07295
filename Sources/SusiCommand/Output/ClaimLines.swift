import Susi
import SusiBase

/// Lines for claims and header fields, with readable times and the meaning of known names.
enum ClaimLines {
    static func lines(_ node: JSONNode, now: Int64, style: Style) -> [String] {
        let rows = node.members.map { member in
            let row = ClaimMeaning.row(member.name)
            return [
                "  \(shortened(Terminal.safe(member.name)))",
                shortened(value(member.node, isTime: row?.isTime ?? false, now: now)),
                row.map { style.faint($0.meaning) } ?? "",
            ]
        }
        return Table.lines(rows, style)
    }

    private static let longestText = 1_000
    private static let shownStart = 200

    // A long text would hide all others. The whole one is in JSON.
    private static func shortened(_ text: String) -> String {
        let size = text.utf8.count
        guard size > longestText else { return text }
        return "\(text.prefix(shownStart))… (shortened: \(size) bytes; --json shows all)"
    }

    /// Formats the value of a claim or header field by its name.
    static func value(_ name: String, _ node: JSONNode, now: Int64) -> String {
        value(node, isTime: ClaimMeaning.row(name)?.isTime ?? false, now: now)
    }

    private static func value(_ node: JSONNode, isTime: Bool, now: Int64) -> String {
        if isTime, let time = node.lenientInteger, time.magnitude < 100_000_000_000 {
            let distance =
                time > now ? "in \(Timestamp.span(from: now, to: time))" : "\(Timestamp.span(from: time, to: now)) ago"
            return "\(Timestamp(time).rfc3339) (\(distance))"
        }
        switch node.value {
        case .string(let text): return Terminal.safe(text)
        case .number(let text): return Terminal.safe(text)
        case .bool(let value): return value ? "true" : "false"
        case .null: return "null"
        case .array(let nodes): return nodes.map { value($0, isTime: false, now: now) }.joined(separator: ", ")
        case .object: return PrettyJSON.text(node).split(whereSeparator: \.isNewline).joined(separator: " ")
        }
    }
}
