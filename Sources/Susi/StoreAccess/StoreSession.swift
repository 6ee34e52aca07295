import SusiStore

/// The store of one client: opened at its first use, for reading or writing, and once: a reader becomes the writer. It is unlocked
/// before an encrypted record is read or written.
final class StoreSession {
    private let folder: StoreFolder
    private let keys: StoreKeys
    private var store: AccountStore?
    private var key: SealingKey?

    init(folder: StoreFolder, keys: StoreKeys) {
        self.folder = folder
        self.keys = keys
    }

    /// Opens the store for writing. Creates it if it is missing, and asks for its key if it is locked.
    func open() async throws -> AccountStore {
        if let store, !store.isForReading { return store }
        let store = try await openUnlocked()
        if let leftover = store.leftover { await keys.release(leftover) }
        return store
    }

    /// Returns the store if there is one; reading creates none. With `unlocks`, a store with encrypted records is unlocked
    /// first.
    func existing(unlocks: Bool = true) async throws -> AccountStore? {
        let found = try peek()
        guard unlocks, let found, !found.isUnlocked, try found.hasEncryptedRecords(),
            let record = try folder.keyRecord()
        else { return found }
        let key = try await keys.key(of: record)
        self.key = key
        try found.unlock(key)
        // A repair may have replaced the file in the meantime.
        return try peek()
    }

    /// Returns the store if there is one, without unlocking it.
    func peek() throws(StoreError) -> AccountStore? {
        if let store, store.isOfCurrentFile { return store }
        store = try AccountStore(existing: folder, key: key)
        return store
    }

    private func openUnlocked() async throws -> AccountStore {
        do throws(StoreError) { return try open(.existing) } catch {
            guard [.locked, .noKey].contains(error.kind) else { throw error }
        }
        guard let record = try folder.keyRecord() else { return try await create() }
        key = try await keys.key(of: record)
        return try open(.existing)
    }

    private func create() async throws -> AccountStore {
        let new = try await keys.newKey(try keys.keeper.choices().source)
        let result = Result { try open(.makes(new)) }
        // Another process may have created a key a moment before.
        guard let record = try folder.keyRecord(), record.id != new.record.id else { return try result.get() }
        await keys.release(new.record)
        return try await openUnlocked()
    }

    private func open(_ rule: KeyRule) throws(StoreError) -> AccountStore {
        if let store, try store.becomeWriter(key: key, rule: rule) { return store }
        let new = try AccountStore(opening: folder, key: key, rule: rule)
        store = new
        return new
    }
}
