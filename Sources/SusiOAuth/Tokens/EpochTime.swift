/// Times in whole seconds since 1970, as tokens, caches and the store hold them.
package enum EpochTime {
    /// The end of the year 9999, the latest time in RFC 3339.
    package static let latest: Int64 = 253_402_300_799
    /// The valid times of a record.
    package static let valid = 0...latest

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
