/// Dates in HTTP headers (RFC 9110 section 5.6.7), in epoch seconds.
package enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    /// The maximum of `Retry-After`, a week; longer values are ignored.
    private static let longestDelay: Int64 = 604_800

    /// Parses a date in any of the three formats: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT`,
    /// `Sun Nov  6 08:49:37 1994`.
    package static func seconds(_ text: String) -> Int64? {
        let words = text.split { " ,-:".contains($0) }.map { $0.lowercased() }
        guard (7...8).contains(words.count) else { return nil }
        let isCalendar = words.count == 7
        let numbers = words.map { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64($0) : nil }
        guard let month = months.firstIndex(where: { $0.lowercased() == words[isCalendar ? 1 : 2] }),
            let day = numbers[isCalendar ? 2 : 1],
            let year = numbers[isCalendar ? 6 : 3], let hour = numbers[isCalendar ? 3 : 4],
            let minute = numbers[isCalendar ? 4 : 5], let second = numbers[isCalendar ? 5 : 6],
            (1...31).contains(day), (0...9999).contains(year), hour < 24, minute < 60, second <= 60
        else { return nil }
        // A year of two digits is in the nearer century (RFC 9110 wants it not far in the future).
        let fullYear = year < 100 ? year + (year < 70 ? 2000 : 1900) : year
        return days(year: fullYear, month: Int64(month) + 1, day: day) * 86_400 + hour * 3_600 + minute * 60 + second
    }

    /// Formats a time: `Sun, 06 Nov 1994 08:49:37 GMT`.
    package static func text(_ seconds: Int64) -> String {
        let seconds = max(seconds, 0)
        let parts = EpochTime.text(seconds).split { "-TZ".contains($0) }
        guard parts.count == 4, let month = Int(parts[1]), months.indices.contains(month - 1) else { return "" }
        // 1970 began on a Thursday.
        let weekday = weekdays[Int((seconds / 86_400 + 4) % 7)]
        return "\(weekday), \(parts[2]) \(months[month - 1]) \(parts[0]) \(parts[3]) GMT"
    }

    /// Parses `Retry-After`: a number of seconds, or a date relative to the time of the response.
    package static func delay(_ text: String, since date: Int64?) -> Int64? {
        let seconds = text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
        guard let delay = seconds ?? (Self.seconds(text).flatMap { end in date.map { end - $0 } }) else { return nil }
        return min(max(delay, 0), longestDelay)
    }

    /// Counts the days from 1970-01-01 in the Gregorian calendar; years begin in March here.
    package static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
