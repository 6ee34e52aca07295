import SusiBase

/// Days and times of claims, in milliseconds since 1970.
enum ClaimTime {
    private static let day: Int64 = 86_400_000

    /// Parses a time as in ISO 8601, in UTC if it names no zone, or the form of `{Context:DateTimeInUtc}`.
    static func milliseconds(_ text: String) -> Int64? { iso(text.trimmed) ?? invariant(text.trimmed) }

    /// Returns a day as `yyyy-MM-dd`; `nil` for other texts, and for days that no calendar has.
    static func date(_ text: String) -> String? {
        text.trimmed.utf8.count == 10 && iso(text.trimmed) != nil ? text.trimmed : nil
    }

    /// Formats a time as in ISO 8601, with a fraction if there is one or if it must have `digits`.
    static func text(_ milliseconds: Int64, digits: Int = 0) -> String {
        let parts = parts(of: milliseconds)
        let zeros = String(repeating: "0", count: max(0, digits - 3))
        let fraction = digits == 0 && parts[6] == "000" ? "" : ".\(parts[6])\(zeros)"
        return parts[..<3].joined(separator: "-") + "T" + parts[3..<6].joined(separator: ":") + fraction + "Z"
    }

    /// Formats a time as `{Context:DateTimeInUtc}` does: `10/10/2021 12:00:00 PM` (claim-resolver-overview).
    static func invariantText(_ milliseconds: Int64) -> String {
        let parts = parts(of: milliseconds)
        let (month, day, hour) = (Int(parts[1]) ?? 0, Int(parts[2]) ?? 0, Int(parts[3]) ?? 0)
        let time = "\((hour + 11) % 12 + 1):\(parts[4]):\(parts[5]) \(hour < 12 ? "AM" : "PM")"
        return "\(month)/\(day)/\(parts[0]) \(time)"
    }

    // Year, month, day, hour, minute, second and milliseconds, with all digits: the inverse of `HTTPDate.days`.
    // Foundation counts days before 1582 in another calendar, and .NET does not.
    private static func parts(of milliseconds: Int64) -> [String] {
        let rest = ((milliseconds % day) + day) % day
        let (era, ofEra) = ((milliseconds - rest) / day + 719_468).quotientAndRemainder(dividingBy: 146_097)
        let year = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * year + year / 4 - year / 100)
        // Counted from March.
        let month = (5 * ofYear + 2) / 153
        let date = [
            year + era * 400 + (month < 10 ? 0 : 1), month < 10 ? month + 3 : month - 9,
            ofYear - (153 * month + 2) / 5 + 1,
        ]
        let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60, rest % 1_000]
        return zip(date + time, [4, 2, 2, 2, 2, 2, 3]).map { number, digits in
            String(repeating: "0", count: max(0, digits - String(number).count)) + String(number)
        }
    }

    private static func iso(_ text: String) -> Int64? {
        let form =
            /([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?(.*))?/
        guard let parts = text.wholeMatch(of: form)?.output, let day = start(parts.1, parts.2, parts.3) else {
            return nil
        }
        guard let hour = parts.4, let minute = parts.5 else { return day }
        guard let time = timeOfDay(hour, minute, parts.6 ?? "0"), let zone = zone(parts.8 ?? "") else { return nil }
        return day + time + (Int64("\(parts.7 ?? "")000".prefix(3)) ?? 0) - zone
    }

    private static func invariant(_ text: String) -> Int64? {
        let form = /([0-9]{1,2})\/([0-9]{1,2})\/([0-9]{4})(?: ([0-9]{1,2}):([0-9]{2}):([0-9]{2}) ([AaPp])[Mm])?/
        guard let parts = text.wholeMatch(of: form)?.output, let day = start(parts.3, parts.1, parts.2) else {
            return nil
        }
        guard let hour = parts.4.flatMap({ Int64($0) }), let minute = parts.5, let second = parts.6 else { return day }
        let half = "Pp".contains(parts.7 ?? "") ? 12 : 0
        guard (1...12).contains(hour), let time = timeOfDay("\(hour % 12 + Int64(half))", minute, second) else {
            return nil
        }
        return day + time
    }

    // The beginning of a day that the calendar has.
    private static func start(_ year: Substring, _ month: Substring, _ date: Substring) -> Int64? {
        guard let year = Int64(year), let month = Int64(month), let date = Int64(date), year > 0, date > 0,
            (1...12).contains(month)
        else { return nil }
        let start = HTTPDate.days(year: year, month: month, day: date)
        let next = HTTPDate.days(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1)
        return start < next ? start * day : nil
    }

    private static func timeOfDay(_ hour: Substring, _ minute: Substring, _ second: Substring) -> Int64? {
        guard let hour = Int64(hour), let minute = Int64(minute), let second = Int64(second), hour < 24, minute < 60,
            second < 60
        else { return nil }
        return ((hour * 60 + minute) * 60 + second) * 1_000
    }

    private static func zone(_ text: Substring) -> Int64? {
        if ["", "Z", "z"].contains(text) { return 0 }
        guard let parts = text.wholeMatch(of: /([+\-])([0-9]{2}):?([0-9]{2})/)?.output else { return nil }
        return timeOfDay(parts.2, parts.3, "0").map { parts.1 == "-" ? -$0 : $0 }
    }
}
