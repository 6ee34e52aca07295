extension Comparison {
    func table(_ options: Options) -> String {
        let place = options.core.map { "core \($0)" } ?? "any core"
        var lines = [
            "\(options.name): \(pairs.count) pairs of whole processes in turn, \(place)",
            "  A      \(Self.column(medianA)) ms  \(options.a.joined(separator: " "))",
            "  B      \(Self.column(medianB)) ms  \(options.b.joined(separator: " "))",
            "  A / B  \(Self.column(ratio)) ×   middle half \(spread.low.hundredths) to \(spread.high.hundredths)",
        ]
        if let most = options.atMost {
            lines.append("  \(ratio <= most ? "kept" : "EXCEEDED"): at most \(most.hundredths) ×")
        }
        return lines.joined(separator: "\n")
    }

    private static func column(_ value: Double) -> String {
        let text = value.hundredths
        return String(repeating: " ", count: max(0, 7 - text.count)) + text
    }
}
