import HTTPTypes
import SusiBase
import SusiJourneys
import Synchronization

/// A request and its outcome, without secrets: no query, no body, no header.
public struct AuditEntry: Hashable, Sendable {
    /// The number of the request since the emulator's start.
    public internal(set) var number: Int64 = 0
    /// When the response was sent, in epoch seconds of the emulator's clock.
    public let time: Int64
    /// The HTTP method.
    public let method: String
    /// The path, without the query.
    public let path: String
    /// The tenant's name, or its id without a name.
    public let tenant: String?
    /// The policy; nil for kinds without policies.
    public let policy: String?
    /// The client id, registered or not.
    public let clientID: String?
    /// The requested authentication contexts: the parameter `acr_values`.
    public let acrValues: String?
    /// The HTTP status of the response.
    public let status: Int
    /// The error code of the response: `AADB2C90118`, `AADSTS50011`, `invalid_token`; nil without an error.
    public let code: String?
    /// Why the request was refused: the parameter, its value and the expected one; nil for a successful request.
    public let reason: String?
    /// The correlation id of the error.
    public let correlationID: String?
    /// Whether the request fetched metadata or keys without an error; clients do that all the time.
    let isRoutine: Bool
    /// What the journey of a custom policy did in this request.
    let journey: [TraceLine]
}

/// Facts about a request that its response passes to the audit trail.
struct AuditFacts: Sendable {
    var tenant: String?
    var policy: String?
    var clientID: String?
    var acrValues: String?
    var code: String?
    var reason: String?
    var correlationID: String?
    var isMetadata = false
    /// What the journey of a custom policy did.
    var journey: [TraceLine] = []
}

/// The latest requests since the emulator's start, except those of the admin API.
final class AuditTrail: Sendable {
    static let most = 1_000

    private struct Kept {
        var entries: [AuditEntry] = []
        var count: Int64 = 0
    }

    private let kept = Mutex(Kept())

    func add(_ method: String, path: String, time: Int64, _ response: Response) {
        let facts = response.facts
        var entry = AuditEntry(
            time: time, method: DisplayText.safe(method), path: DisplayText.safe(String(path.prefix(500))),
            tenant: facts.tenant, policy: facts.policy,
            clientID: facts.clientID.map { DisplayText.safe(String($0.prefix(100))) },
            acrValues: facts.acrValues.map { DisplayText.safe(String($0.prefix(200))) },
            status: response.status.code, code: facts.code,
            reason: (facts.reason ?? response.note).map { DisplayText.safe(String($0.prefix(1_000))) },
            correlationID: facts.correlationID,
            isRoutine: facts.isMetadata && response.status.code < 400 && facts.code == nil,
            journey: facts.journey)
        kept.withLock { kept in
            kept.count += 1
            entry.number = kept.count
            if kept.entries.count == Self.most { kept.entries.removeFirst() }
            kept.entries.append(entry)
        }
    }

    /// The latest entries, newest first.
    func latest(_ count: Int) -> [AuditEntry] { kept.withLock { $0.entries.suffix(max(0, count)).reversed() } }

    /// Removes all entries; numbers are not reused.
    func clear() { kept.withLock { $0.entries = [] } }
}
