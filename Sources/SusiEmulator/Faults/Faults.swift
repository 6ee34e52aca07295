import HTTPTypes
import SusiBase
import SusiPolicies
import Synchronization

/// The current faults of a running emulator.
public final class Faults: Sendable {
    /// A fault and its statistics.
    public struct Active: Hashable, Sendable {
        /// Its number since the emulator's start.
        public let id: Int
        /// The fault as it was added; its own `seed` may be nil.
        public let fault: Fault
        /// The seed of its random numbers.
        public let seed: UInt64
        /// The number of requests that matched.
        public internal(set) var matches = 0
        /// The number of requests that it hit.
        public internal(set) var hits = 0
        fileprivate var chance: Chance

        fileprivate var isSpent: Bool { fault.count.map { hits >= $0 } ?? false }
    }

    /// SplitMix64: small, with the same numbers on every machine.
    fileprivate struct Chance: Hashable, Sendable, RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return mixed ^ (mixed >> 31)
        }
    }

    private struct Kept {
        var active: [Active] = []
        var last = 0
    }

    private let kept = Mutex(Kept())

    init() {}

    /// All faults in the order of their addition, including those that reached their maximum.
    public var all: [Active] { kept.withLock { $0.active } }

    /// Adds a fault and returns its id. If several match a request, the first one hits it.
    @discardableResult
    public func add(_ fault: Fault) -> Int {
        // A seed in the range of JSON integers.
        let seed = fault.seed ?? UInt64.random(in: 0...UInt64(Int64.max))
        return kept.withLock { kept in
            kept.last += 1
            kept.active.append(Active(id: kept.last, fault: fault, seed: seed, chance: Chance(state: seed)))
            return kept.last
        }
    }

    /// Removes a fault. Returns whether it existed.
    @discardableResult
    public func remove(_ id: Int) -> Bool {
        kept.withLock { kept in
            let count = kept.active.count
            kept.active.removeAll { $0.id == id }
            return kept.active.count < count
        }
    }

    /// Removes all faults; their numbers are not used again.
    public func removeAll() { kept.withLock { $0.active = [] } }

    var isEmpty: Bool { kept.withLock { $0.active.isEmpty } }

    /// The fault that hits a request; `client` is called only for a fault that names a client.
    func next(_ endpoint: Fault.Endpoint, _ tenant: Tenant, policy: String?, client: () -> String?) -> Active? {
        kept.withLock { kept in
            for index in kept.active.indices {
                let fault = kept.active[index].fault
                guard !kept.active[index].isSpent, fault.fits(endpoint, tenant, policy: policy, client: client) else {
                    continue
                }
                kept.active[index].matches += 1
                let drawn = Double.random(in: 0..<1, using: &kept.active[index].chance)
                guard drawn < fault.probability else { continue }
                kept.active[index].hits += 1
                return kept.active[index]
            }
            return nil
        }
    }
}

extension Fault {
    fileprivate func fits(_ endpoint: Endpoint, _ tenant: Tenant, policy: String?, client: () -> String?) -> Bool {
        guard self.endpoint == .any || self.endpoint == endpoint else { return false }
        if let wanted = self.tenant, tenant.spelling(wanted) == nil { return false }
        if let wanted = self.policy, wanted.lowercased() != policy?.lowercased() { return false }
        if let clientID, clientID.lowercased() != client()?.lowercased() { return false }
        return true
    }
}

extension Faults {
    func respond(
        to context: RequestContext, at endpoint: Fault.Endpoint, of tenant: Tenant, policy: PolicyEndpoint? = nil,
        _ work: () throws -> Response
    ) throws -> Response {
        guard !isEmpty else { return try work() }
        let client = { context.query["client_id"] ?? context.form["client_id"] }
        let active = next(endpoint, tenant, policy: policy?.policy.name.spelling, client: client)
        guard let active else { return try work() }
        var response: Response
        switch active.fault.kind {
        case .status(let code, let body, let type, let seconds):
            response = try Self.response(status: code, body: body, type: type, policy: policy, context)
            if let seconds { response = response.setting("Retry-After", "\(seconds)") }
        case .delay(let milliseconds):
            response = try work()
            response.delay = .milliseconds(milliseconds)
        case .drop(.request):
            response = Response(status: .ok)
            response.drop = .response
        case .drop(let drop):
            response = try work()
            response.drop = drop
        case .malformed(let form): response = try work().malformed(form)
        }
        let reason = "fault \(active.id): \(active.fault.kind.title)"
        response.note = response.note.map { "\($0) (\(reason))" } ?? reason
        response.facts.reason = response.facts.reason.map { "\($0) (\(reason))" } ?? reason
        return response
    }

    // Without a body, a busy service's own error.
    private static func response(
        status code: Int, body: String?, type: String, policy: PolicyEndpoint?, _ context: RequestContext
    ) throws -> Response {
        let status = HTTPResponse.Status(code: (200...599).contains(code) ? code : 500)
        if let body { return Response(status: status, body: Array(body.utf8), type: type) }
        guard code == 429 || code >= 500 else { return Response(status: status) }
        let refusal = code == 429 ? Refusal.tooManyRequests : Refusal.busy
        guard let policy else {
            return .json(["error": "temporarily_unavailable"], status: status)
        }
        var response = try policy.json(refusal, now: context.now)
        response.status = status
        return response
    }
}

extension Response {
    fileprivate func malformed(_ form: Fault.Malformation) -> Response {
        var copy = self
        switch form {
        case .html:
            let page = "<!DOCTYPE html>\n<html lang=\"en\"><title>Sorry</title><p>Something went wrong.</p></html>\n"
            copy = Response(status: .ok, body: Array(page.utf8), type: "text/html; charset=utf-8", note: note)
            copy.facts = facts
        case .cut: copy.body = Array(body.prefix(body.count / 2))
        case .type: if !body.isEmpty { copy.headers[.contentType] = "text/plain" }
        // Neither byte occurs in UTF-8 (RFC 3629 section 1).
        case .encoding: if !body.isEmpty { copy.body.insert(contentsOf: [0xff, 0xfe], at: body.count / 2) }
        }
        return copy
    }
}
