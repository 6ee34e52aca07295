import Susi

extension SusiError {
    private static let maximumCandidates = 20

    /// Formats the error for standard error: what failed, why, the candidates, and what to do next.
    func lines(_ style: Style) -> [String] {
        var lines = ["\(style.bad("susi:")) \(Terminal.safe(what))"]
        if !why.isEmpty { lines.append("  \(Terminal.safe(why))") }
        lines += candidates.prefix(Self.maximumCandidates).map { "    \(Terminal.safe($0))" }
        if candidates.count > Self.maximumCandidates {
            lines.append("    and \(candidates.count - Self.maximumCandidates) more")
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
    /// Formats the next step: a command or an instruction.
    func next(_ step: String) -> String { "  \(faint("next:")) \(strong(Terminal.safe(step)))" }
}
