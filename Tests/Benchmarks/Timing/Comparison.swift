/// What interleaved runs of two programs say: A is measured against B.
struct Comparison {
    /// Wall times in milliseconds, run for run beside each other.
    let pairs: [(a: Double, b: Double)]

    var medianA: Double { Self.median(pairs.map(\.a)) }
    var medianB: Double { Self.median(pairs.map(\.b)) }

    /// The median of the pairs' own ratios: whatever slows the machine for a while slows both halves of a pair.
    var ratio: Double { Self.median(pairs.map { $0.a / $0.b }) }

    /// The middle half of the ratios lies between these two.
    var spread: (low: Double, high: Double) {
        let ratios = pairs.map { $0.a / $0.b }.sorted()
        return ratios.isEmpty ? (.nan, .nan) : (ratios[ratios.count / 4], ratios[ratios.count * 3 / 4])
    }

    /// The middle value; of an even number of values the mean of the two in the middle; NaN of none.
    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return .nan }
        return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    }
}

extension Double {
    /// Rounded to hundredths, with both digits; FoundationEssentials has no format strings.
    var hundredths: String {
        guard isFinite else { return "\(self)" }
        let digits = String(Int((self * 100).rounded()))
        let padded = String(repeating: "0", count: max(0, 3 - digits.count)) + digits
        return "\(padded.dropLast(2)).\(padded.suffix(2))"
    }
}
