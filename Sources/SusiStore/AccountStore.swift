import FoundationEssentials
import SusiOAuth
internal import SusiSQLite
internal import SystemPackage

/// The persons, accounts and tokens of one user, in one SQLite file. One task uses it at a time.
///
/// Every call is one transaction and sees one state of the file. What other processes write is seen by the next call.
public final class AccountStore {
    let folder: StoreFolder
    let database: Connection
    private let lock: StoreLock?
    private let seal: Seal?
    private let isForReading: Bool

    /// Opens the store of `folder`, and makes folder, database and key when they are missing.
    ///
    /// `busyTimeout` is the time in milliseconds that a call waits for another process.
    public init(opening folder: StoreFolder, busyTimeout: Int32 = 5_000) throws(StoreError) {
        try folder.prepare()
        self.folder = folder
        isForReading = false
        lock = try Self.lock(folder, busyTimeout)
        (database, seal) = try Self.guarded(folder) {
            try WriteAheadLog.check(folder)
            // SQLite would make the file for everyone whom the umask lets in; -wal and -shm take this file's mode.
            try Self.makeDatabase(folder)
            let database = try Self.connect(folder, busyTimeout)
            for pragma in ["foreign_keys = ON", "secure_delete = ON", "synchronous = FULL"] {
                _ = try database.rows("PRAGMA \(pragma)") { _ in }
            }
            let state = try Migrations.state(of: database)
            switch state {
            // A copy that was put back has no log yet.
            case .current: try Migrations.useLog(database)
            case .newer(let version): throw StoreError.newer(version, folder.database)
            case .foreign: throw StoreError.foreign(folder.database)
            case .empty, .older: try Migrations.apply(to: database, in: folder)
            }
            let seal = Seal(key: try Self.key(of: folder, database))
            if state == .current { folder.removeLeftovers() }
            return (database, seal)
        }
    }

    /// The place among those who write. A repair that was cut short has to be ended first: the file in place is the damaged
    /// one, and what was written to it now would be lost.
    private static func lock(_ folder: StoreFolder, _ patience: Int32) throws(StoreError) -> StoreLock {
        guard let lock = try StoreLock(folder, .shared, patience: patience) else {
            throw StoreError.inUse(folder, "It is being repaired.")
        }
        guard StoreRepair.finished(in: folder) == nil else {
            throw StoreError.damaged(folder, "A repair was cut short.", what: "The store is not opened.")
        }
        return lock
    }

    /// Opens the store of `folder` for reading; nil when there is none. Nothing is made, migrated or written.
    public init?(existing folder: StoreFolder, busyTimeout: Int32 = 5_000) throws(StoreError) {
        guard try folder.isThere(folder.path, as: .directory), try folder.isThere(folder.database, as: .regular) else {
            return nil
        }
        let opened = try Self.guarded(folder) { () -> (Connection, Seal?)? in
            let database = try Self.connect(folder, busyTimeout)
            try database.keepWALOnClose()
            switch try Migrations.state(of: database) {
            case .current: break
            case .empty: return nil
            case .newer(let version): throw StoreError.newer(version, folder.database)
            case .older(let version): throw StoreError.older(version, folder.database)
            case .foreign: throw StoreError.foreign(folder.database)
            }
            return (database, try Self.existingSeal(folder))
        }
        guard let opened else { return nil }
        self.folder = folder
        isForReading = true
        lock = nil
        (database, seal) = opened
    }

    private static func makeDatabase(_ folder: StoreFolder) throws(StoreError) {
        do {
            try FileDescriptor.open(
                folder.database, .readWrite, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
                permissions: .ownerReadWrite
            ).close()
        } catch Errno.fileExists {
            return
        } catch {
            throw StoreError(
                error as? Errno ?? .ioError, path: folder.database, what: "The store could not be made.")
        }
    }

    /// SQLite refuses a link anywhere in the path, but those above the folder are the system's own and stay allowed.
    static func connect(
        _ folder: StoreFolder, _ busyTimeout: Int32, mode: Connection.Mode = .readWrite
    ) throws -> Connection {
        do {
            return try Connection(path: folder.database.string, mode: mode, busyTimeout: busyTimeout)
        } catch let error where error.extendedCode == SQLiteError.symbolicLink {
            let database = folder.path.withoutLinksAbove.appending("store.sqlite")
            return try Connection(path: database.string, mode: mode, busyTimeout: busyTimeout)
        }
    }

    /// The key, made in the first opening only: a second key beside what the first one sealed would hide the loss.
    private static func key(of folder: StoreFolder, _ database: Connection) throws -> [UInt8] {
        let file = KeyFile(folder: folder)
        if let key = try? file.read() { return key }
        // Another process may be making it: under the write lock the file is whole or not there.
        return try database.write {
            if let key = try file.read() { return key }
            let sealed = try database.first("SELECT EXISTS (SELECT 1 FROM accounts) OR EXISTS (SELECT 1 FROM imported)")
            { row in try row.integer(0) }
            guard sealed == 0 else { throw StoreError.keyMissing(folder) }
            return try file.make()
        }
    }

    /// The seal of a store that is there; nil when its key is gone.
    static func existingSeal(_ folder: StoreFolder) throws(StoreError) -> Seal? {
        guard let key = try KeyFile(folder: folder).read() else { return nil }
        return Seal(key: key)
    }

    // MARK: Shared by the extensions

    /// Runs `body`; an error of SQLite comes out as what it means.
    func guarded<T>(_ body: () throws -> T) throws(StoreError) -> T { try Self.guarded(folder, body) }

    static func guarded<T>(_ folder: StoreFolder, _ body: () throws -> T) throws(StoreError) -> T {
        do {
            return try body()
        } catch let error as StoreError {
            throw error
        } catch let error as SQLiteError {
            throw StoreError(error, database: folder.database)
        } catch {
            throw StoreError(
                .sqlite, path: folder.database, what: "The store failed.", why: "\(error).", next: "Try again.")
        }
    }

    /// Runs `body` in one write transaction.
    func write<T>(_ body: () throws -> T) throws(StoreError) -> T {
        try refuseReader()
        return try guarded { try database.write(body) }
    }

    /// Throws when this store was opened for reading.
    func refuseReader() throws(StoreError) {
        guard isForReading else { return }
        throw StoreError(
            .sqlite, path: folder.database, what: "Nothing was written.", why: "This store was opened for reading.",
            next: "Open it with AccountStore(opening:).")
    }

    /// The seal; without a key nothing that was sealed can be read.
    func openedSeal() throws(StoreError) -> Seal {
        guard let seal else { throw StoreError.keyMissing(folder) }
        return seal
    }
}

extension StoreError {
    static func keyMissing(_ folder: StoreFolder) -> StoreError {
        StoreError(
            .keyMissing, path: folder.key, what: "The stored accounts cannot be opened.",
            why: "The key that sealed them, \(folder.key), is gone.",
            next: "Put it back, or move the folder \(folder.path) away and sign in again.")
    }
}
