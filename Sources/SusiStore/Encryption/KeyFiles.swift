import SusiBase
import SusiPolicies
import SusiSQLite

/// The key of a store: the files `key` and `key.new`, and the key id in the database.
///
/// A change of the key writes `key.new` and re-encrypts every row in one transaction, then moves the file to `key`. If a
/// process finds `key.new` under the database's write lock, the change is over or its process is dead. It then finishes the
/// change: the database names the key of its rows.
struct KeyFiles {
    let folder: StoreFolder
    /// A key that the caller unlocked.
    let given: SealingKey?
    private var current: KeyFile { KeyFile(folder: folder, path: folder.key) }
    private var next: KeyFile { KeyFile(folder: folder, path: folder.newKey) }

    /// The seal, or why values cannot be decrypted.
    typealias State = Result<Seal, StoreError>

    func state() throws(StoreError) -> State {
        guard let record = try current.read() else { return .failure(StoreError(.keyMissing, folder.key)) }
        return state(of: record)
    }

    private func state(of record: KeyRecord) -> State {
        if let key = record.key { return .success(Seal(key: key)) }
        let id = record.id
        if let given, given.id == id { return .success(Seal(key: given)) }
        if let held = KernelKeyring.held(id) { return .success(Seal(key: held.key)) }
        return .failure(record.locked(in: folder))
    }

    /// Returns the seal of a database that may be damaged: of the key that it names, else of one that its rows name; `nil` if
    /// nothing is encrypted. Throws if the key is missing, invalid, locked, or another store's.
    func seal(of database: Connection) throws -> Seal? {
        for table in ["sealing", "accounts"] {
            let ids = try? database.rows("SELECT DISTINCT key_id FROM \(table)") { row in try row.blob(0) }
            for id in ids ?? [] { if let seal = try seal(of: id) { return seal } }
        }
        let record = try current.read()
        guard try Self.hasSealed(database) else { return nil }
        throw StoreError(record == nil ? .keyMissing : .otherKey, folder.key)
    }

    /// Returns the seal with a key id, which may have changed since `key` was read; `nil` if neither file has it.
    func seal(of id: [UInt8]) throws(StoreError) -> Seal? {
        // In this order, a file that is moved between the two reads is still found.
        for file in [next, current] {
            if let record = try? file.read(), record.id.bytes == id { return try state(of: record).get() }
        }
        return nil
    }

    func hasRecord(of id: [UInt8]) -> Bool {
        [next, current].contains { (try? $0.read())?.id.bytes == id }
    }

    // MARK: With the database

    /// Finds the key for a writer, or makes one according to `rule` if the store has none. Also returns the record of a key that
    /// an interrupted change left.
    func open(_ database: Connection, _ rule: KeyRule) throws -> (state: State, leftover: KeyRecord?) {
        if try !folder.isThere(folder.newKey, as: .file), let record = try? current.read(),
            try Self.sealing(database) == record.id.bytes
        {
            return (try checked(state(of: record), rule), nil)
        }
        // Another process may be changing the files; under the write lock they are consistent.
        return try database.write {
            let leftover = try settle(database, dropsDamaged: rule.isUnneeded)
            let found = rule.isUnneeded ? try? current.read() : try current.read() ?? made(database, rule)
            guard let record = found else { return (.failure(StoreError(.keyMissing, folder.key)), leftover) }
            try agree(on: record, database, rule)
            return (try checked(state(of: record), rule), leftover)
        }
    }

    private func checked(_ state: State, _ rule: KeyRule) throws(StoreError) -> State {
        if !rule.isUnneeded { _ = try state.get() }
        return state
    }

    /// Creates a key for a store without one. If the store has encrypted values, a new key would hide the loss of theirs.
    private func made(_ database: Connection, _ rule: KeyRule) throws -> KeyRecord {
        let isFresh = try !Self.hasSealed(database)
        let record: KeyRecord
        switch rule {
        case _ where !isFresh: throw StoreError(.keyMissing, folder.key)
        case .existing, .unneeded: throw StoreError(.noKey, folder.key)
        case .makesFile: record = NewKey(for: .file, lifetime: 0).record
        case .makes(let new): record = new.record
        }
        try current.write(record)
        return record
    }

    // The database has to name the key of the file.
    private func agree(on record: KeyRecord, _ database: Connection, _ rule: KeyRule) throws {
        let sealing = try Self.sealing(database)
        if sealing == record.id.bytes { return }
        if sealing != nil, try Self.hasSealed(database) {
            if rule.isUnneeded { return }
            throw StoreError(.otherKey, folder.key)
        }
        try Self.set(record.id, database)
    }

    /// Finishes an interrupted change, under the write lock. Returns the record of the key that is no longer used. With
    /// `dropsDamaged`, an invalid file with the next key is removed, even if it was the one of the encrypted values.
    func settle(_ database: Connection, dropsDamaged: Bool = false) throws -> KeyRecord? {
        let sealing = try Self.sealing(database)
        let pending: KeyRecord?
        do { pending = try next.read() } catch  where error.kind == .keyDamaged {
            if !dropsDamaged, try current.read()?.id.bytes != sealing { throw error }
            next.remove()
            return nil
        }
        guard let pending else { return nil }
        guard pending.id.bytes == sealing else {
            next.remove()
            return pending
        }
        let old = try? current.read()
        try next.move(to: current)
        return old
    }

    /// Writes the next key file and records its key in the database; the caller has a transaction open.
    func prepare(_ new: NewKey, _ database: Connection) throws {
        try Self.set(new.record.id, database)
        try next.write(new.record)
    }

    /// The id of the key that encrypts; `nil` before the first.
    static func sealing(_ database: Connection) throws -> [UInt8]? {
        try database.first("SELECT key_id FROM sealing") { row in try row.blob(0) }
    }

    private static func set(_ id: KeyID, _ database: Connection) throws {
        try database.execute(
            "INSERT INTO sealing VALUES (1, ?) ON CONFLICT DO UPDATE SET key_id = excluded.key_id", [.blob(id.bytes)])
    }

    static func hasSealed(_ database: Connection) throws -> Bool {
        try database.hasRow("SELECT 1 FROM accounts LIMIT 1")
    }
}

/// How to open a store without a key.
package enum KeyRule: Sendable {
    case makesFile
    case makes(NewKey)
    /// Throws ``StoreError/Kind/noKey``, so that the caller can make one.
    case existing
    /// Opens it without a key, also if the key is locked: encrypted values are not read.
    case unneeded

    var isUnneeded: Bool { if case .unneeded = self { true } else { false } }
    var key: SealingKey? { if case .makes(let new) = self { new.key } else { nil } }
}
