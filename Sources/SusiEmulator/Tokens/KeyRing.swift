import SusiBase
import Synchronization

/// The signing keys of a tenant, or of some of its policies. The first one is created on demand, because that is slow and many
/// tenants never need it.
final class KeyRing: Sendable {
    enum State: String, Sendable {
        /// The key is published before it signs.
        case next
        /// The key is published; the newest one signs.
        case published
        /// The key is no longer published.
        case withdrawn
    }

    struct Kept: Sendable {
        let key: SigningKey
        var state: State
    }

    /// The policies that share the keys.
    let group: String
    private let database: Database
    private let algorithm: SigningAlgorithm
    private let clock: EmulatorClock
    private let read = Mutex<[Kept]?>(nil)

    init(database: Database, group: String, algorithm: SigningAlgorithm, clock: EmulatorClock) {
        self.database = database
        self.group = group
        self.algorithm = algorithm
        self.clock = clock
    }

    /// All keys, newest first; at least one of them signs with the tenant's algorithm.
    func all() throws -> [Kept] { try read.withLock { try all(&$0) } }

    private func all(_ read: inout [Kept]?) throws -> [Kept] {
        if let read { return read }
        var keys = try database.keys()
        if !keys.contains(where: isSigner) {
            let made = Kept(key: try SigningKey.make(algorithm, now: clock.now()), state: .published)
            try database.add(made)
            keys.insert(made, at: 0)
        }
        read = keys
        return keys
    }

    private func isSigner(_ kept: Kept) -> Bool { kept.state == .published && kept.key.algorithm == algorithm }

    func current() throws -> SigningKey {
        guard let kept = try all().first(where: isSigner) else { throw NoKey() }
        return kept.key
    }

    struct NoKey: Error {}

    /// The withdrawn keys, newest first.
    func withdrawn() throws -> [SigningKey] { try all().filter { $0.state == .withdrawn }.map(\.key) }

    /// Signs with the newest key.
    func sign(_ claims: JSON, type: String = SigningKey.usualType) throws -> String {
        try current().sign(claims, type: type)
    }

    func published() throws -> [SigningKey] { try all().filter { $0.state != .withdrawn }.map(\.key) }

    /// A key set of the members of each key (RFC 7517 section 5).
    static func set(_ keys: [[String: JSON]]) -> JSON { ["keys": .array(keys.map(JSON.object))] }

    /// Publishes the key that signs after the next rotation, unless one is announced already.
    func announce() throws {
        try change { keys in
            guard !keys.contains(where: { $0.state == .next && $0.key.algorithm == algorithm }) else { return }
            try add(SigningKey.make(algorithm, now: clock.now()), .next, to: &keys)
        }
    }

    /// Signs with the announced key, or a new one, from now on. Older keys are kept published unless they are withdrawn.
    func rotate(withdrawing: Bool) throws {
        try change { keys in
            if withdrawing {
                for index in keys.indices where keys[index].state == .published {
                    try set(.withdrawn, at: index, in: &keys)
                }
            }
            guard let next = keys.firstIndex(where: { $0.state == .next && $0.key.algorithm == algorithm }) else {
                return try add(SigningKey.make(algorithm, now: clock.now()), .published, to: &keys)
            }
            try set(.published, at: next, in: &keys)
        }
    }

    /// Withdraws the key with that id, unless it does not exist (`absent`) or is the one that signs (`signs`).
    func withdraw(_ id: String) throws -> Withdrawal {
        var outcome = Withdrawal.absent
        try change { keys in
            guard let index = keys.firstIndex(where: { $0.key.id == id && $0.state != .withdrawn }) else { return }
            guard keys.first(where: isSigner)?.key.id != id else { return outcome = .signs }
            try set(.withdrawn, at: index, in: &keys)
            outcome = .done
        }
        return outcome
    }

    enum Withdrawal { case done, absent, signs }

    // One change at a time; memory changes only after the file.
    private func change(_ body: (inout [Kept]) throws -> Void) throws {
        try read.withLock { read in
            var keys = try all(&read)
            // After a failed change the keys are read again.
            read = nil
            try body(&keys)
            read = keys
        }
    }

    private func add(_ key: SigningKey, _ state: State, to keys: inout [Kept]) throws {
        let kept = Kept(key: key, state: state)
        try database.add(kept)
        keys.insert(kept, at: 0)
    }

    private func set(_ state: State, at index: Int, in keys: inout [Kept]) throws {
        try database.set(state, of: keys[index].key)
        keys[index].state = state
    }
}
