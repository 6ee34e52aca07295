import FoundationEssentials

/// Times in whole seconds since 1970, as tokens, caches and the store hold them.
package enum EpochTime {
    /// The end of the year 9999, the latest time in RFC 3339.
    package static let latest: Int64 = 253_402_300_799
    private static let yearOne: Int64 = -62_135_596_800
    /// The valid times of a record.
    package static let valid = 0...latest

    /// Formats a time as in RFC 3339, for example `2026-01-31T12:00:00Z`: four digits for the year, whatever the number is.
    package static func text(_ time: Int64) -> String {
        Date(timeIntervalSince1970: TimeInterval(min(max(time, yearOne), latest))).formatted(.iso8601)
    }

    /// Returns the nearest valid time.
    package static func clamped(_ time: Int64) -> Int64 { min(max(time, 0), latest) }

    /// Returns a duration in seconds, at most a hundred years: a larger number has no effect and could overflow.
    package static func duration(_ seconds: Int64) -> Int64 { min(max(seconds, 0), 3_155_760_000) }

    /// Returns the seconds from `start` to `end` without overflow; a file may contain any number as a time.
    package static func seconds(from start: Int64, to end: Int64) -> Int64 {
        let (seconds, overflows) = end.subtractingReportingOverflow(start)
        return overflows ? (end > start ? .max : .min) : seconds
    }
}

/// Formats durations.
package enum Span {
    /// Returns for example "52 s", "52 min", "3 h" or "14 d".
    package static func text(_ seconds: Int64) -> String {
        switch seconds {
        case ..<90: "\(max(0, seconds)) s"
        case ..<5_400: "\((seconds + 30) / 60) min"
        case ..<172_800: "\((seconds + 1_800) / 3_600) h"
        default: "\((min(seconds, EpochTime.latest) + 43_200) / 86_400) d"
        }
    }
}
