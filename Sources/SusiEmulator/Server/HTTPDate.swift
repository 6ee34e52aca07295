import FoundationEssentials

/// A time in epoch seconds as the `Date` header has it (RFC 9110 section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
func httpDate(_ seconds: Int64) -> String {
    let seconds = max(seconds, 0)
    let date = Date(timeIntervalSince1970: TimeInterval(seconds))
    let parts = date.formatted(.iso8601).split { "-TZ".contains($0) }
    guard parts.count == 4, let month = Int(parts[1]), months.indices.contains(month - 1) else { return "" }
    // 1970 began on a Thursday.
    let weekday = weekdays[Int((seconds / 86_400 + 4) % 7)]
    return "\(weekday), \(parts[2]) \(months[month - 1]) \(parts[0]) \(parts[3]) GMT"
}

private let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
private let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
