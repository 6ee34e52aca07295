import FoundationEssentials
import SusiPolicies
internal import SusiSQLite
package import SystemPackage

/// Builds a new store from the rows of a damaged one that can be read, and puts it in its place. The damaged file is kept.
package enum StoreRepair {
    /// What a repair kept and lost.
    package struct Report: Hashable, Sendable {
        /// Persons that were kept.
        package internal(set) var persons = 0
        /// Accounts that were kept.
        package internal(set) var accounts = 0
        /// Tokens that were kept.
        package internal(set) var tokens = 0
        /// The first lost items.
        package internal(set) var lost: [String] = []
        package internal(set) var lostCount = 0
        /// Where the damaged file is now; `nil` if it was not moved.
        package internal(set) var keptAside: FilePath?
        package internal(set) var wasGood = false
        /// Whether an interrupted repair was finished; what that one kept and lost is not known.
        package internal(set) var endedEarlierOne = false

        private static let most = 1_000

        mutating func lose(_ what: String) {
            lostCount += 1
            if lost.count < Self.most { lost.append(what) }
        }
    }

    /// Repairs the store of a folder. `now` is the time in seconds since 1970, for the name of the damaged file.
    ///
    /// `key` is one that the caller unlocked. With `isDryRun` the same work is done and thrown away. Throws `.keyDamaged` if
    /// only the key is missing or invalid, and `.busy` if another process has the store open for writing. Whenever this is interrupted, the store is the damaged one or the new one, and
    /// another repair finishes it.
    package static func run(
        _ folder: StoreFolder, key: SealingKey? = nil, isDryRun: Bool = false, now: Int64, busyTimeout: Int32 = 5_000
    ) throws(StoreError) -> Report {
        try folder.check()
        guard try folder.isThere(folder.database, as: .file) else { throw StoreError.noStore(folder) }
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
        let check = try StoreCheck.run(folder, key: key, busyTimeout: busyTimeout)
        guard check.isRepairable else {
            if let finding = check.findings.first(where: { $0.kind == .key }) {
                throw StoreError.onlyKeyIsDamaged(finding, folder)
            }
            report.wasGood = true
            return report
        }
        try? FileManager.default.removeItem(atPath: folder.repair.string)
        try makeFolder(folder)
        do {
            let new = folder.repair.appending("new.sqlite")
            report = try build(new, of: folder, key: key, busyTimeout: busyTimeout)
            try FileName.flush(new)
            if isDryRun {
                try FileManager.default.removeItem(atPath: folder.repair.string)
                return report
            }
            var time = now
            while try SmallFile.Status(at: folder.aside(time)) != nil { time += 1 }
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
        let found = try old.flatMap { try Migrations.ours.version(of: $0, in: folder) }
        let version = found ?? Migrations.ours.newest
        try FileName.make(path)
        let new = try Connection(path: path.withoutLinksAbove.string, mode: .readWrite)
        // The file is useless until it is complete, so its journal is kept in memory.
        try new.set("journal_mode = MEMORY", "synchronous = OFF", "secure_delete = ON")
        try new.write { try Migrations.ours.make(version, in: new) }
        var salvage = Salvage(new: new, keys: KeyFiles(folder: folder, given: key))
        try salvage.run(from: old)
        try check(new, folder)
        // Recorded in the header; the log itself is removed when the connection closes.
        try new.set("journal_mode = WAL")
        return salvage.report
    }

    /// The damaged database; `nil` if SQLite cannot read even its schema.
    private static func readable(_ folder: StoreFolder, _ busyTimeout: Int32) throws -> Connection? {
        do {
            let database = try AccountStore.connect(folder, busyTimeout, mode: .readOnly)
            _ = try database.count("sqlite_schema")
            return database
        } catch let error as SQLiteError {
            guard error.code == .corrupt || error.code == .notADatabase else { throw error }
            return nil
        }
    }

    private static func check(_ new: Connection, _ folder: StoreFolder) throws {
        guard try new.text("PRAGMA integrity_check") == "ok", try !new.hasRow("PRAGMA foreign_key_check") else {
            throw StoreError.unrepairable(folder)
        }
    }

    // MARK: Replacing the damaged file

    private static let finishedPrefix = "finished-"

    /// The complete new database of a repair that was interrupted before it replaced the damaged file.
    static func finished(in folder: StoreFolder) -> FilePath? {
        guard (try? SmallFile.Status(at: folder.repair)) != nil else { return nil }
        return StoreFolder.names(in: folder.repair).first { $0.hasPrefix(finishedPrefix) }
            .map { folder.repair.appending($0) }
    }

    /// Replaces the damaged file with the finished one and returns the new path of the damaged one. Each step can be
    /// repeated. The log is removed before the last rename, because SQLite would apply it to the new file.
    private static func put(_ finished: FilePath, in folder: StoreFolder) throws -> FilePath {
        let time = finished.string.dropFirst(folder.repair.appending(finishedPrefix).string.count)
        let aside = folder.aside(Int64(time) ?? 0)
        for suffix in ["-wal", ""] {
            let kept = FilePath(aside.string + suffix)
            if try SmallFile.Status(at: folder.beside(suffix)) != nil, try SmallFile.Status(at: kept) == nil {
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
    static func onlyKeyIsDamaged(_ finding: StoreCheck.Finding, _ folder: StoreFolder) -> StoreError {
        StoreError(
            .keyDamaged, path: folder.key, what: "a repair cannot restore the store's key", why: finding.what,
            next: finding.next ?? repair)
    }

    static func wrongKey(_ folder: StoreFolder) -> StoreError {
        StoreError(
            .sealBroken, path: folder.key, what: "the store was not repaired",
            why: "the key \(folder.key) decrypts nothing in it; it belongs to another store",
            next: "restore the right key file, then \(Self.repair)")
    }
}
