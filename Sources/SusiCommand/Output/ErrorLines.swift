import Susi

extension SusiError {
    /// The most candidates that are shown.
    private static let mostCandidates = 20

    /// The error as standard error shows it: what failed, why, what could have been meant, and what to do next.
    func lines(_ style: Style) -> [String] {
        var lines = ["\(style.bad("susi:")) \(Terminal.safe(what))"]
        if !why.isEmpty { lines.append("  \(Terminal.safe(why))") }
        lines += candidates.prefix(Self.mostCandidates).map { "    \(Terminal.safe($0))" }
        if candidates.count > Self.mostCandidates {
            lines.append("    and \(candidates.count - Self.mostCandidates) more")
        }
        if !next.isEmpty { lines.append(style.next(next)) }
        if let id = correlationID {
            let time = refusal?.timestamp.map { ", \($0)" } ?? ""
            lines.append("  \(style.faint("correlation id: \(Terminal.safe(id + time))"))")
        }
        return lines
    }
}

extension Style {
    /// What to do next: a command to type, or an instruction.
    func next(_ step: String) -> String { "  \(faint("next:")) \(strong(Terminal.safe(step)))" }
}
