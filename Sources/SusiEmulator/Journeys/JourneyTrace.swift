import SusiBase
import SusiJourneys
import Synchronization

/// Gathers what the journeys of a request did.
final class JourneyTrace: Sendable {
    private let kept = Mutex<[TraceLine]>([])

    var lines: [TraceLine] { kept.withLock { $0 } }

    func add(_ lines: [TraceLine]) { kept.withLock { $0 += lines } }
}

/// The engine has hidden secrets already (spec §0 B4).
extension TraceLine {
    var json: JSON {
        [
            "step": .string(step), "subject": .string(subject), "text": .string(text),
            "added": added.isEmpty ? nil : .object(added.mapValues(JSON.string)),
            "changed": changed.isEmpty ? nil : .object(changed.mapValues(JSON.string)),
            "removed": removed.isEmpty ? nil : .list(removed),
        ]
    }

    /// One line for a terminal or a page.
    var shown: String {
        let values = (added.map { ("+", $0) } + changed.map { ("~", $0) }).sorted { $0.1.key < $1.1.key }
        let claims = values.map { "\($0.0)\($0.1.key)=\($0.1.value)" } + removed.map { "-\($0)" }
        return ([step.isEmpty ? "" : "step \(step)", subject, text] + claims).filter { !$0.isEmpty }.joined(
            separator: " ")
    }
}
