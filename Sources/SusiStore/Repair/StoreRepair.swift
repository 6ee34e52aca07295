import FoundationEssentials
import SusiPolicies
internal import SusiSQLite
public import SystemPackage

/// Builds a new store from the rows of a damaged one that can be read, and puts it in its place. The damaged file is kept.
public enum StoreRepair {
    /// What a repair kept and what it lost.
    public struct Report: Hashable, Sendable {
        /// Persons that were kept.
        public internal(set) var persons = 0
        /// Accounts that were kept.
        public internal(set) var accounts = 0
        /// Tokens that were kept.
        public internal(set) var tokens = 0
        /// Tokens of another library's cache that were kept.
        public internal(set) var imported = 0
        /// What was lost, the first of it, each as a sentence.
        public internal(set) var lost: [String] = []
        /// How much was lost in all.
        public internal(set) var lostCount = 0
        /// Where the damaged file is now; nil when nothing was moved.
        public internal(set) var keptAside: FilePath?
        /// Whether there was nothing to repair.
        public internal(set) var wasGood = false
        /// Whether an earlier repair was ended that had been cut short; what it kept and lost is not known any more.
        public internal(set) var endedEarlierOne = false

        private static let most = 1_000

        mutating func lose(_ what: String) {
            lostCount += 1
            if lost.count < Self.most { lost.append(what) }
        }
    }

    /// Repairs the store of a folder. `now` is the time in seconds since 1970, for the name of the damaged file.
    ///
    /// `key` is one that the caller unlocked. With `isDryRun` the same work is done and thrown away. Nobody else may have the
    /// store open for writing: else `.busy`. Whenever this is cut short, the store is the damaged one or the new one, and another repair ends it.
    public static func run(
        _ folder: StoreFolder, key: SealingKey? = nil, isDryRun: Bool = false, now: Int64, busyTimeout: Int32 = 5_000
    ) throws(StoreError) -> Report {
        try folder.check()
        guard try folder.isThere(folder.database, as: .regular) else { throw StoreError.noStore(folder) }
        guard let lock = try folder.lock(.store, .exclusive, patience: busyTimeout) else {
            throw StoreError.inUse(folder, "another command has it open for writing")
        }
        return try AccountStore.guarded(folder) {
            try withExtendedLifetime(lock) {
                do {
                    return try rebuild(folder, key: key, isDryRun: isDryRun, now: now, busyTimeout: busyTimeout)
                } catch is Salvage.NothingOpens {
                    throw StoreError.wrongKey(folder)
                } catch let error as Errno {
                    throw StoreError(error, path: folder.repair, what: "the store cannot be repaired")
                }
            }
        }
    }

    private static func rebuild(
        _ folder: StoreFolder, key: SealingKey?, isDryRun: Bool, now: Int64, busyTimeout: Int32
    ) throws -> Report {
        var report = Report()
        if let finished = finished(in: folder) {
            report.endedEarlierOne = true
            if !isDryRun { report.keptAside = try put(finished, in: folder) }
            return report
        }
        guard try StoreCheck.run(folder, key: key, busyTimeout: busyTimeout).isRepairable else {
            report.wasGood = true
            return report
        }
        try? FileManager.default.removeItem(atPath: folder.repair.string)
        try makeFolder(folder)
        do {
            let new = folder.repair.appending("new.sqlite")
            report = try build(new, of: folder, key: key, busyTimeout: busyTimeout)
            let file = try FileDescriptor.open(new, .readWrite, options: [.noFollow, .closeOnExec])
            try file.closeAfter { try file.flush() }
            if isDryRun {
                try FileManager.default.removeItem(atPath: folder.repair.string)
                return report
            }
            var time = now
            while try FileStatus(at: folder.aside(time)) != nil { time += 1 }
            let finished = folder.repair.appending(finishedPrefix + "\(time)")
            try FileName.move(new, to: finished)
            try FileName.flush(in: folder.repair)
            report.keptAside = try put(finished, in: folder)
            return report
        } catch {
            if finished(in: folder) == nil { try? FileManager.default.removeItem(atPath: folder.repair.string) }
            throw error
        }
    }

    private static func makeFolder(_ folder: StoreFolder) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: folder.repair.string, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw StoreError.cannotMakeRepairFolder(folder, error)
        }
    }

    /// Builds a new database at `path` and closes it.
    private static func build(
        _ path: FilePath, of folder: StoreFolder, key: SealingKey?, busyTimeout: Int32
    ) throws -> Report {
        let old = try readable(folder, busyTimeout)
        var version = Migrations.ours.newest
        if let old, case .older(let older) = try Migrations.ours.state(of: old) { version = older }
        try FileDescriptor.open(
            path, .writeOnly, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
            permissions: .ownerReadWrite
        ).close()
        let new = try Connection(path: path.withoutLinksAbove.string, mode: .readWrite)
        // The file is of no use before it is complete, so its journal needs no disk.
        for pragma in ["journal_mode = MEMORY", "synchronous = OFF", "secure_delete = ON"] {
            _ = try new.rows("PRAGMA \(pragma)") { _ in }
        }
        try new.write { try Migrations.ours.make(version, in: new) }
        var salvage = Salvage(new: new, keys: KeyFiles(folder: folder, given: key))
        try salvage.run(from: old)
        try check(new, folder)
        // The header says so from now on; the log itself goes when the connection closes.
        _ = try new.rows("PRAGMA journal_mode = WAL") { _ in }
        return salvage.report
    }

    /// The damaged database; `nil` if SQLite cannot read even its schema.
    private static func readable(_ folder: StoreFolder, _ busyTimeout: Int32) throws -> Connection? {
        do {
            let database = try AccountStore.connect(folder, busyTimeout, mode: .readOnly)
            _ = try database.first("SELECT count(*) FROM sqlite_schema", [], { _ in })
            return database
        } catch let error as SQLiteError {
            guard error.code == .corrupt || error.code == .notADatabase else { throw error }
            return nil
        }
    }

    private static func check(_ new: Connection, _ folder: StoreFolder) throws {
        let isWhole = try new.first("PRAGMA integrity_check") { row in try row.text(0) == "ok" } ?? false
        let isTied = try new.first("PRAGMA foreign_key_check", [], { _ in }) == nil
        guard isWhole, isTied else {
            throw StoreError.unrepairable(folder)
        }
    }

    // MARK: Putting it in its place

    private static let finishedPrefix = "finished-"

    /// The new database of a repair that was cut short when it had only to be put in its place.
    static func finished(in folder: StoreFolder) -> FilePath? {
        guard (try? FileStatus(at: folder.repair)) != nil else { return nil }
        return StoreFolder.names(in: folder.repair).first { $0.hasPrefix(finishedPrefix) }
            .map { folder.repair.appending($0) }
    }

    /// Each step can be done again. Until the last rename the damaged file is in place; its log goes before that, since it
    /// would be taken for the new one's.
    private static func put(_ finished: FilePath, in folder: StoreFolder) throws -> FilePath {
        let time = finished.string.dropFirst(folder.repair.appending(finishedPrefix).string.count)
        let aside = folder.aside(Int64(time) ?? 0)
        for suffix in ["-wal", ""] {
            let kept = FilePath(aside.string + suffix)
            if try FileStatus(at: folder.beside(suffix)) != nil, try FileStatus(at: kept) == nil {
                try FileName.keep(folder.beside(suffix), as: kept)
            }
        }
        try FileName.flush(in: folder.path)
        for suffix in StoreFolder.companions { try FileName.remove(folder.beside(suffix)) }
        try FileName.move(finished, to: folder.database)
        try FileName.flush(in: folder.path)
        try? FileManager.default.removeItem(atPath: folder.repair.string)
        return aside
    }
}

extension StoreError {
    static func wrongKey(_ folder: StoreFolder) -> StoreError {
        StoreError(
            .sealBroken, path: folder.key, what: "the store was not repaired",
            why: "the key \(folder.key) decrypts nothing in it; it belongs to another store",
            next: "restore the right key file, then \(Self.repair)")
    }
}
