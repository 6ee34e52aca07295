import HTTPTypes
import Synchronization

/// What became of one request. Nothing in it is secret: no query, no body, no header.
public struct AuditEntry: Hashable, Sendable {
    /// Which request it was, counted from the emulator's start.
    public internal(set) var number: Int64 = 0
    /// When the response was sent, in epoch seconds of the emulator's clock.
    public let time: Int64
    /// Its method.
    public let method: String
    /// Its path, without the query.
    public let path: String
    /// The name of the tenant that it was for; its id where it has no name.
    public let tenant: String?
    /// The policy, in a tenant that has some.
    public let policy: String?
    /// The client that asked, registered or not.
    public let clientID: String?
    /// The authentication contexts that the sign-in was asked for: the parameter `acr_values`.
    public let acrValues: String?
    /// The status of the response.
    public let status: Int
    /// Which error the response names: `AADB2C90118`, `AADSTS50011`, `invalid_token`; nil without one.
    public let code: String?
    /// Why it was refused: which parameter, what came and what was expected; nil when it was not.
    public let reason: String?
    /// The correlation id that the response's error names.
    public let correlationID: String?
    /// Whether it fetched metadata or keys, which every client does again and again, and got them.
    let isRoutine: Bool
}

/// What a response tells the audit trail about its request.
struct AuditFacts: Sendable {
    var tenant: String?
    var policy: String?
    var clientID: String?
    var acrValues: String?
    var code: String?
    var reason: String?
    var correlationID: String?
    var isMetadata = false
}

/// The latest requests, kept while the emulator runs. Those of the admin API are not among them.
final class AuditTrail: Sendable {
    /// How many are kept.
    static let most = 1_000

    // A ring: once it is full, the oldest entry gives its endpoint to the next one.
    private struct Ring {
        var entries: [AuditEntry] = []
        var count: Int64 = 0
        var next = 0
    }

    private let ring = Mutex(Ring())

    /// Keeps what became of a request.
    func add(_ method: String, path: String, time: Int64, _ response: Response) {
        let facts = response.facts
        var entry = AuditEntry(
            time: time, method: oneLine(method), path: oneLine(String(path.prefix(500))),
            tenant: facts.tenant, policy: facts.policy,
            clientID: facts.clientID.map { oneLine(String($0.prefix(100))) },
            acrValues: facts.acrValues.map { oneLine(String($0.prefix(200))) },
            status: response.status.code, code: facts.code,
            reason: (facts.reason ?? response.note).map { oneLine(String($0.prefix(1_000))) },
            correlationID: facts.correlationID,
            isRoutine: facts.isMetadata && response.status.code < 400 && facts.code == nil)
        ring.withLock { ring in
            ring.count += 1
            entry.number = ring.count
            if ring.entries.count < Self.most { ring.entries.append(entry) } else { ring.entries[ring.next] = entry }
            ring.next = (ring.next + 1) % Self.most
        }
    }

    /// The latest entries, the newest first.
    func latest(_ count: Int) -> [AuditEntry] {
        ring.withLock { ring in
            let (older, newer) = (ring.entries.prefix(ring.next), ring.entries.dropFirst(ring.next))
            let all = ring.entries.count < Self.most ? ring.entries : Array(newer + older)
            return Array(all.suffix(max(0, count)).reversed())
        }
    }

    /// Forgets all of them; the count goes on.
    func clear() {
        ring.withLock { ring in
            ring.entries = []
            ring.next = 0
        }
    }
}
