extension Duration {
    private static let units: [(letter: Character, seconds: Int64)] = [
        ("d", 86_400), ("h", 3_600), ("m", 60), ("s", 1),
    ]

    // A hundred years, so that calculations cannot overflow.
    private static let longest: Int64 = 36_525 * 86_400

    /// Returns the seconds of a text such as `90s`, `5m`, `2h` or `14d`: digits, then `s`, `m`, `h` or `d`. A number
    /// alone means seconds. Returns `nil` for a text with a sign, or for more than a hundred years.
    package static func seconds(in text: String) -> Int64? {
        guard let last = text.last else { return nil }
        let unit = units.first { $0.letter == last }?.seconds
        let digits = unit == nil ? Substring(text) : text.dropLast()
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }), let value = Int64(digits),
            value <= longest / (unit ?? 1)
        else { return nil }
        return value * (unit ?? 1)
    }

    /// Formats seconds in the largest unit that gives a whole number.
    package static func text(seconds: Int64) -> String {
        let unit = units.first { seconds != 0 && seconds.isMultiple(of: $0.seconds) } ?? ("s", 1)
        return "\(seconds / unit.seconds)\(unit.letter)"
    }
}
