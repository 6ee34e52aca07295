import Synchronization

/// The faults that an emulator has at present. They are gone with its end.
public final class Faults: Sendable {
    /// A fault and how often it struck.
    public struct Standing: Hashable, Sendable {
        /// Names it.
        public let id: Int
        /// What was asked for.
        public let fault: Fault
        /// What its chance began with.
        public let seed: UInt64
        /// How many requests it could have struck.
        public internal(set) var met = 0
        /// How many it struck.
        public internal(set) var struck = 0
        fileprivate var chance: Chance

        fileprivate var isSpent: Bool { fault.count.map { struck >= $0 } ?? false }
    }

    /// SplitMix64: small, and the same on every machine.
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
        var standing: [Standing] = []
        var last = 0
    }

    private let kept = Mutex(Kept())

    init() {}

    /// All of them, in the order in which they came; those that have struck as often as they may are still among them.
    public var all: [Standing] { kept.withLock { $0.standing } }

    /// Adds a fault and returns its id. Of several that fit a request, the first strikes.
    @discardableResult
    public func add(_ fault: Fault) -> Int {
        // A seed that JSON's integers can carry.
        let seed = fault.seed ?? UInt64.random(in: 0...UInt64(Int64.max))
        return kept.withLock { kept in
            kept.last += 1
            kept.standing.append(Standing(id: kept.last, fault: fault, seed: seed, chance: Chance(state: seed)))
            return kept.last
        }
    }

    /// Removes a fault; false when there is none with that id.
    @discardableResult
    public func remove(_ id: Int) -> Bool {
        kept.withLock { kept in
            let count = kept.standing.count
            kept.standing.removeAll { $0.id == id }
            return kept.standing.count < count
        }
    }

    /// Removes all of them.
    public func removeAll() { kept.withLock { $0.standing = [] } }

    /// Whether there are none, which is so in most runs.
    var isEmpty: Bool { kept.withLock { $0.standing.isEmpty } }

    /// The fault that strikes a request; `client` is asked only where a fault names one.
    func strike(_ endpoint: Fault.Endpoint, _ tenant: Tenant, policy: String?, client: () -> String?) -> Standing? {
        kept.withLock { kept in
            for index in kept.standing.indices {
                let fault = kept.standing[index].fault
                guard !kept.standing[index].isSpent, fault.fits(endpoint, tenant, policy: policy, client: client) else {
                    continue
                }
                kept.standing[index].met += 1
                let drawn = Double.random(in: 0..<1, using: &kept.standing[index].chance)
                guard drawn < fault.probability else { continue }
                kept.standing[index].struck += 1
                return kept.standing[index]
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
