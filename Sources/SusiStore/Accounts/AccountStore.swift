import FoundationEssentials
import SusiBase
import SusiOAuth
import SusiPolicies
internal import SusiSQLite
internal import SystemPackage

/// The persons, accounts and tokens of one user, in one SQLite file. One task uses it at a time.
///
/// Every call is one transaction and sees one state of the file. What other processes write is seen by the next call.
package final class AccountStore {
    let folder: StoreFolder
    let database: Connection
    private(set) var keys: KeyFiles
    private var state: KeyFiles.State
    private var lock: FileLock?
    /// Whether it was opened for reading; then every write throws.
    package private(set) var isForReading: Bool
    // The file that was opened for reading; `nil` if it cannot be kept open.
    private let file: [UInt64]?
    /// The record of a key that an interrupted change of the key left; it encrypts nothing.
    package private(set) var leftover: KeyRecord?

    /// Opens the store of `folder`, and makes folder, database and key when they are missing.
    ///
    /// `key` is one that the caller unlocked; it is used if it is the store's. A locked key throws `.locked`. `busyTimeout` is
    /// the time in milliseconds that a call waits for other processes: long, because SQLite does not queue waiters fairly, and
    /// a refresh token that cannot be stored is lost.
    package init(
        opening folder: StoreFolder, key: SealingKey? = nil, rule: KeyRule = .makesFile, busyTimeout: Int32 = 30_000
    ) throws(StoreError) {
        try folder.prepare()
        self.folder = folder
        isForReading = false
        file = nil
        lock = try Self.lock(folder, busyTimeout)
        let keys = KeyFiles(folder: folder, given: key ?? rule.key)
        self.keys = keys
        (database, (state, leftover)) = try Self.guarded(folder) {
            // SQLite would create the file with the permissions of the umask; -wal and -shm get this file's.
            do { try PrivateFile.create(folder.database).close() } catch Errno.fileExists {} catch {
                throw StoreError(.createStore, folder.database, error)
            }
            let database = try Self.connect(folder, busyTimeout)
            return (database, try Self.prepare(database, keys, rule))
        }
        if let leftover { KernelKeyring.forget(leftover.id) }
    }

    /// Lets a store that was opened for reading write too, through the same connection. Returns `false` if it has to be opened
    /// again: its file was replaced, or cannot be kept open. Throws what opening for writing throws; then it still reads.
    package func becomeWriter(
        key: SealingKey? = nil, rule: KeyRule, busyTimeout: Int32 = 30_000
    ) throws(StoreError) -> Bool {
        guard isForReading else { return true }
        try folder.prepare()
        let lock = try Self.lock(folder, busyTimeout)
        guard isOfCurrentFile else { return false }
        let keys = KeyFiles(folder: folder, given: key ?? rule.key)
        database.setBusyTimeout(busyTimeout)
        (state, leftover) = try guarded {
            let opened = try Self.prepare(database, keys, rule)
            try database.keepWALOnClose(false)
            return opened
        }
        (self.keys, self.lock, isForReading) = (keys, lock, false)
        if let leftover { KernelKeyring.forget(leftover.id) }
        return true
    }

    /// Whether what was opened is still the file of the folder; a repair replaces the file. A writer excludes that.
    package var isOfCurrentFile: Bool {
        guard isForReading else { return true }
        return file != nil && (try? SmallFile.Status(at: folder.database))?.identity == file
    }

    /// Prepares a connection for writing: its settings, the schema, the key.
    private static func prepare(
        _ database: Connection, _ keys: KeyFiles, _ rule: KeyRule
    ) throws -> (state: KeyFiles.State, leftover: KeyRecord?) {
        try database.set("foreign_keys = ON", "secure_delete = ON", "synchronous = FULL")
        try Schema.prepare(database, of: keys.folder)
        let opened = try keys.open(database, rule)
        keys.folder.removeLeftovers()
        return opened
    }

    /// Takes the shared lock of writers. An interrupted repair has to be finished first: it would replace the damaged file, and
    /// everything written to that now would be lost.
    private static func lock(_ folder: StoreFolder, _ patience: Int32) throws(StoreError) -> FileLock {
        guard let lock = try folder.lock(.shared, patience: patience) else {
            throw StoreError(.beingRepaired, folder.database)
        }
        guard StoreRepair.finished(in: folder) == nil else {
            throw StoreError(.repairInterrupted, folder.database)
        }
        return lock
    }

    /// Opens the store of `folder` for reading; `nil` if there is none. It creates and writes nothing.
    ///
    /// With a locked key, reading an encrypted value throws `.locked`. On a full or read-only disk, it is read all the same,
    /// unless its log cannot be read: without the log, an older state would be returned.
    package init?(
        existing folder: StoreFolder, key: SealingKey? = nil, busyTimeout: Int32 = 5_000
    ) throws(StoreError) {
        guard try folder.hasFile(folder.database) else { return nil }
        let keys = KeyFiles(folder: folder, given: key)
        var file = (try? SmallFile.Status(at: folder.database))?.identity
        let opened = try Self.guarded(folder) {
            do { return try Self.openExisting(folder, keys, busyTimeout) } catch let error as SQLiteError
                where error.isOfMissingIndex
            {
                // SQLite cannot make the index of its log. A process that uses the store would have made it.
                let hasLog = try folder.hasReadableLog()
                let alone = try? Self.openExisting(folder, keys, busyTimeout, mode: .alone(hasLog: hasLog))
                guard let alone else { throw error }
                file = nil
                return alone
            }
        }
        guard let opened else { return nil }
        self.folder = folder
        self.keys = keys
        self.file = file
        isForReading = true
        lock = nil
        leftover = nil
        (database, state) = opened
    }

    private static func openExisting(
        _ folder: StoreFolder, _ keys: KeyFiles, _ busyTimeout: Int32, mode: Connection.Mode = .readWrite
    ) throws -> (Connection, KeyFiles.State)? {
        let database = try connect(folder, busyTimeout, mode: mode)
        try database.keepWALOnClose()
        return try Schema.isPresent(in: database, of: folder) ? (database, try keys.state()) : nil
    }

    /// Opens the database, which gets the schema of this version if it has that of an earlier one.
    static func connect(
        _ folder: StoreFolder, _ busyTimeout: Int32, mode: Connection.Mode = .readWrite
    ) throws -> Connection {
        let database = try connection(folder, busyTimeout, mode)
        let steps = Schema.steps
        switch mode {
        case _ where steps.isEmpty: break
        case .readWrite: try Schema.takeSteps(steps, in: database)
        case .readOnly: try Schema.takeSteps(steps, in: connection(folder, busyTimeout, .readWrite))
        default: break
        }
        return database
    }

    // SQLite refuses a link anywhere in the path, so links above the folder, which belong to the system, are resolved.
    private static func connection(
        _ folder: StoreFolder, _ busyTimeout: Int32, _ mode: Connection.Mode
    ) throws -> Connection {
        do {
            return try Connection(path: folder.database.string, mode: mode, busyTimeout: busyTimeout)
        } catch let error where error.extendedCode == SQLiteError.symbolicLink {
            let database = folder.path.withoutLinksAbove.appending("store.sqlite")
            return try Connection(path: database.string, mode: mode, busyTimeout: busyTimeout)
        }
    }

    // MARK: Shared by the extensions

    /// Runs `body` and explains errors of SQLite.
    func guarded<T>(_ body: () throws -> T) throws(StoreError) -> T { try Self.guarded(folder, body) }

    static func guarded<T>(_ folder: StoreFolder, _ body: () throws -> T) throws(StoreError) -> T {
        do {
            return try body()
        } catch let error as StoreError {
            throw error
        } catch let error as SQLiteError {
            throw StoreError(error, database: folder.database)
        } catch {
            throw StoreError(.unexpected(FileFailure.reason(error)), folder.database)
        }
    }

    /// Runs `body`, which only reads, on one state of the file. Its own errors are passed on.
    package func reading<T>(_ body: () throws -> T) throws -> T {
        do { return try database.read(body) } catch let error as SQLiteError {
            throw StoreError(error, database: folder.database)
        }
    }

    /// Runs `body` in one write transaction. Throws when this store was opened for reading.
    func write<T>(_ body: () throws -> T) throws(StoreError) -> T {
        if isForReading { throw StoreError(.openedForReading, folder.database) }
        return try guarded { try database.write(body) }
    }

    // MARK: Sealing

    /// Decrypts a value of `owner`; `nil` if it was altered or moved. When another process has changed the key since this
    /// store was opened, the new one is found.
    func unseal(_ sealed: Seal.Sealed, _ owner: Seal.Owner) throws(StoreError) -> String? {
        let seal = try openedSeal()
        if let text = seal.open(sealed, owner) { return text }
        guard let newer = try keys.seal(of: sealed.keyID) else { return nil }
        state = .success(newer)
        return newer.open(sealed, owner)
    }

    /// Returns the seal for writing: inside a write transaction, the one that the database names.
    func currentSeal() throws -> Seal {
        let seal = try openedSeal()
        guard let sealing = try KeyFiles.sealing(database), sealing != seal.keyID else { return seal }
        guard let newer = try keys.seal(of: sealing) else { throw StoreError(.otherKey, folder.key) }
        state = .success(newer)
        return newer
    }

    /// Returns the seal. Throws if the key is unavailable.
    func openedSeal() throws(StoreError) -> Seal {
        // The key may have been unlocked since.
        if !isUnlocked { state = try keys.state() }
        return try state.get()
    }

    /// Whether the key is available, so that encrypted records can be read.
    package var isUnlocked: Bool { if case .success = state { true } else { false } }

    /// Returns whether the store has encrypted records, of any application.
    package func hasEncryptedRecords() throws(StoreError) -> Bool { try guarded { try KeyFiles.hasSealed(database) } }

    /// Returns the error of every command if the encrypted records need a key that is not in the folder; `nil` if it is.
    package func missingKey() throws(StoreError) -> StoreError? {
        try guarded {
            guard try KeyFiles.hasSealed(database), let sealing = try KeyFiles.sealing(database) else { return nil }
            guard try folder.keyRecord() != nil else { return StoreError(.keyMissing, folder.key) }
            // During a change of the key, its next file has it.
            return keys.hasRecord(of: sealing) ? nil : StoreError(.otherKey, folder.key)
        }
    }

    /// Decrypts with a key that the caller unlocked, if it is the store's.
    package func unlock(_ key: SealingKey) throws(StoreError) {
        keys = KeyFiles(folder: folder, given: key)
        state = try keys.state()
    }

    /// Encrypts with another key from now on.
    func use(_ key: SealingKey) { state = .success(Seal(key: key)) }
}
