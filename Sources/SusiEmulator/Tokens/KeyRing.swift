import Synchronization

/// A tenant's keys. The first one is made when it is needed: that takes a while, and many tenants are never asked.
final class KeyRing: Sendable {
    private let database: Database
    private let algorithm: SigningAlgorithm
    private let clock: EmulatorClock
    private let read = Mutex<[SigningKey]?>(nil)

    init(database: Database, algorithm: SigningAlgorithm, clock: EmulatorClock) {
        self.database = database
        self.algorithm = algorithm
        self.clock = clock
    }

    /// All published keys, the newest first; there is at least one of the tenant's algorithm.
    private func all() throws -> [SigningKey] {
        try read.withLock { read in
            if let read { return read }
            var keys = try database.keys()
            if !keys.contains(where: { $0.algorithm == algorithm }) {
                let made = try SigningKey.make(algorithm, now: clock.now())
                try database.add(made, withdrawing: false)
                keys.insert(made, at: 0)
            }
            read = keys
            return keys
        }
    }

    /// Signs with the newest key.
    func sign(_ claims: JSON, type: String = "JWT") throws -> String {
        guard let key = try all().first(where: { $0.algorithm == algorithm }) else { return "" }
        return try key.sign(claims, type: type)
    }

    /// The published keys (RFC 7517 section 5).
    func published() throws -> JSON { ["keys": .array(try all().map(\.publicJSON))] }

    /// Begins to sign with a new key. The older ones stay published unless they are withdrawn.
    func rotate(withdrawing: Bool) throws {
        let older = try all()
        let made = try SigningKey.make(algorithm, now: clock.now())
        try database.add(made, withdrawing: withdrawing)
        read.withLock { $0 = withdrawing ? [made] : [made] + older }
    }
}
