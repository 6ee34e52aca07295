import Susi
import SusiBase

/// A point in time in results: epoch seconds and RFC 3339 in JSON, a relative time in text.
struct Timestamp: JSONRepresentable, Equatable {
    let epoch: Int64
    let rfc3339: String

    init(_ epoch: Int64) {
        self.epoch = epoch
        rfc3339 = EpochTime.text(epoch)
    }

    var json: JSON { ["epoch": .integer(epoch), "rfc3339": .string(rfc3339)] }

    /// Formats a duration in the nearest unit, for example "52 min", "3 h" or "14 d".
    static func span(_ seconds: Int64) -> String { Span.text(seconds) }

    /// Formats the duration between two points in time.
    static func span(from start: Int64, to end: Int64) -> String { span(EpochTime.seconds(from: start, to: end)) }

    /// Formats a validity, for example "valid 52 min" or "expired 3 h ago".
    static func validity(until end: Int64?, now: Int64) -> String {
        guard let end else { return "valid" }
        return end > now ? "valid \(span(from: now, to: end))" : "expired \(span(from: end, to: now)) ago"
    }
}
