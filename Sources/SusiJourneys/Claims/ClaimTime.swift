import SusiBase

/// Days and times of claims, in milliseconds since 1970.
enum ClaimTime {
    private static let day: Int64 = 86_400_000

    /// Parses a time as in ISO 8601, in UTC if it names no zone, or the form of `{Context:DateTimeInUtc}`.
    static func milliseconds(_ text: String) -> Int64? {
        iso(text.trimmed) ?? invariant(text.trimmed)
    }

    /// Returns a day as `yyyy-MM-dd`; `nil` for other texts, and for days that no calendar has.
    static func date(_ text: String) -> String? {
        let text = text.trimmed
        return text.utf8.count == 10 && iso(text) != nil ? text : nil
    }

    /// Formats a time as in ISO 8601, with a fraction if there is one or if it must have `digits`.
    static func text(_ milliseconds: Int64, digits: Int = 0) -> String {
        let rest = milliseconds - seconds(milliseconds) * 1_000
        let fraction = digits == 0 && rest == 0 ? "" : "." + padded(rest, 3)
        let zeros = String(repeating: "0", count: max(0, digits - 3))
        return EpochTime.text(seconds(milliseconds)).dropLast() + fraction + zeros + "Z"
    }

    /// Formats a time as .NET's invariant culture does: `10/10/2021 12:00:00 PM` (claim-resolver-overview).
    static func invariantText(_ milliseconds: Int64) -> String {
        let parts = EpochTime.text(seconds(milliseconds)).split { "-T:Z".contains($0) }.compactMap { Int64($0) }
        guard parts.count == 6 else { return "" }
        let hour = parts[3] % 12 == 0 ? 12 : parts[3] % 12
        let time = "\(hour):\(padded(parts[4], 2)):\(padded(parts[5], 2)) \(parts[3] < 12 ? "AM" : "PM")"
        return "\(padded(parts[1], 2))/\(padded(parts[2], 2))/\(padded(parts[0], 4)) \(time)"
    }

    private static func seconds(_ milliseconds: Int64) -> Int64 {
        (milliseconds - ((milliseconds % 1_000) + 1_000) % 1_000) / 1_000
    }

    private static func padded(_ number: Int64, _ digits: Int) -> String {
        String(repeating: "0", count: max(0, digits - String(number).count)) + String(number)
    }

    private static func iso(_ text: String) -> Int64? {
        let form =
            /([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[Tt ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?(.*))?/
        guard let parts = text.wholeMatch(of: form)?.output, let day = start(parts.1, parts.2, parts.3) else {
            return nil
        }
        guard let hour = parts.4, let minute = parts.5 else { return day }
        let fraction = ((parts.7 ?? "") + "000").prefix(3)
        guard let time = time(hour, minute, parts.6 ?? "0"), let zone = zone(parts.8 ?? "") else { return nil }
        return day + time + (Int64(fraction) ?? 0) - zone
    }

    private static func invariant(_ text: String) -> Int64? {
        let form = /([0-9]{1,2})\/([0-9]{1,2})\/([0-9]{4})(?: ([0-9]{1,2}):([0-9]{2}):([0-9]{2}) ([AaPp])[Mm])?/
        guard let parts = text.wholeMatch(of: form)?.output, let day = start(parts.3, parts.1, parts.2) else {
            return nil
        }
        guard let hour = parts.4, let minute = parts.5, let second = parts.6 else { return day }
        guard (1...12).contains(Int64(hour) ?? 0), let time = time(hour, minute, second) else { return nil }
        let isLate = parts.7?.lowercased() == "p"
        return day + time + (Int64(hour) == 12 ? isLate ? 0 : -day12 : isLate ? day12 : 0)
    }

    private static let day12 = day / 2

    // The beginning of a day that the calendar has.
    private static func start(_ year: Substring, _ month: Substring, _ date: Substring) -> Int64? {
        guard let year = Int64(year), let month = Int64(month), let date = Int64(date), year > 0,
            (1...12).contains(month)
        else { return nil }
        let start = HTTPDate.days(year: year, month: month, day: date) * 86_400
        let text = "\(padded(year, 4))-\(padded(month, 2))-\(padded(date, 2))T"
        return EpochTime.text(start).hasPrefix(text) ? start * 1_000 : nil
    }

    private static func time(_ hour: Substring, _ minute: Substring, _ second: Substring) -> Int64? {
        guard let hour = Int64(hour), let minute = Int64(minute), let second = Int64(second), hour < 24, minute < 60,
            second < 60
        else { return nil }
        return ((hour * 60 + minute) * 60 + second) * 1_000
    }

    private static func zone(_ text: Substring) -> Int64? {
        if ["", "Z", "z"].contains(text) { return 0 }
        guard let parts = text.wholeMatch(of: /([+\-])([0-9]{2}):?([0-9]{2})/)?.output,
            let offset = time(parts.2, parts.3, "0")
        else { return nil }
        return parts.1 == "-" ? -offset : offset
    }
}
