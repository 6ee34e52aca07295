import FoundationEssentials

/// A point in time as results show it: epoch seconds and RFC 3339 in JSON, relative words for people.
struct Moment: Encodable, Equatable {
    let epoch: Int64
    let rfc3339: String

    init(_ epoch: Int64) {
        self.epoch = epoch
        rfc3339 = Date(timeIntervalSince1970: TimeInterval(epoch)).formatted(.iso8601)
    }

    /// "52 min", "3 h", "14 d": the nearest one.
    static func span(_ seconds: Int64) -> String {
        switch seconds {
        case ..<90: "\(max(0, seconds)) s"
        case ..<5_400: "\((seconds + 30) / 60) min"
        case ..<172_800: "\((seconds + 1_800) / 3_600) h"
        default: "\((seconds + 43_200) / 86_400) d"
        }
    }

    /// "valid 52 min" (in brief "52 min") or "ended 3 h ago".
    static func validity(until end: Int64?, now: Int64, brief: Bool = false) -> String {
        guard let end else { return "valid" }
        guard end > now else { return "ended \(span(now - end)) ago" }
        return brief ? span(end - now) : "valid \(span(end - now))"
    }
}
