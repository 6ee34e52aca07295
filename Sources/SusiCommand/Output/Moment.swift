import FoundationEssentials
import Susi

/// A point in time as results show it: epoch seconds and RFC 3339 in JSON, relative words for people.
struct Moment: Encodable, Equatable {
    let epoch: Int64
    let rfc3339: String

    init(_ epoch: Int64) {
        self.epoch = epoch
        rfc3339 = Date(timeIntervalSince1970: TimeInterval(epoch)).formatted(.iso8601)
    }

    /// "52 min", "3 h", "14 d": the nearest one.
    static func span(_ seconds: Int64) -> String { Span.text(seconds) }

    /// "valid 52 min" (in brief "52 min") or "ended 3 h ago".
    static func validity(until end: Int64?, now: Int64, brief: Bool = false) -> String {
        guard let end else { return "valid" }
        guard end > now else { return "ended \(span(now - end)) ago" }
        return brief ? span(end - now) : "valid \(span(end - now))"
    }
}
