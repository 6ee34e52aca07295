/// The result of interleaved runs of two programs: A compared with B.
struct Comparison {
    /// Wall times in milliseconds, in the order of the runs.
    let pairs: [(a: Double, b: Double)]

    var medianA: Double { Self.median(pairs.map(\.a)) }
    var medianB: Double { Self.median(pairs.map(\.b)) }

    /// The median of the pairs' own ratios: a temporary load slows both halves of a pair.
    var ratio: Double { Self.median(pairs.map { $0.a / $0.b }) }

    /// The limits of the middle half of the ratios.
    var spread: (low: Double, high: Double) {
        let ratios = pairs.map { $0.a / $0.b }.sorted()
        return ratios.isEmpty ? (.nan, .nan) : (ratios[ratios.count / 4], ratios[ratios.count * 3 / 4])
    }

    /// Returns the middle value, or the mean of the two in the middle; NaN for no values.
    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return .nan }
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}

extension Double {
    /// The value in hundredths with both digits; FoundationEssentials has no format strings.
    var hundredths: String {
        guard isFinite else { return "\(self)" }
        let digits = String(Int((self * 100).rounded()))
        let padded = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
        return "\(padded.dropLast(2)).\(padded.suffix(2))"
    }
}
