import FoundationEssentials
import SusiBase
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
        /// What was lost, by table.
        package internal(set) var lost: [String] = []
        /// The number of lost rows that SQLite could read.
        package internal(set) var lostCount = 0
        /// Whether the store is shared from now on, because it cannot be read whether it was.
        package internal(set) var countsAsShared = false
        /// Where the damaged file is now; `nil` if it was not moved.
        package internal(set) var keptAside: FilePath?
        package internal(set) var wasGood = false
        /// Whether an interrupted repair was finished; what that one kept and lost is not known.
        package internal(set) var endedEarlierOne = false
    }

    /// Repairs the store of a folder. `now` is the time in seconds since 1970, for the name of the damaged file.
    ///
    /// `key` is one that the caller unlocked. With `isDryRun` the same work is done in memory. Throws the key's own error if only
    /// the key is missing or wrong, and `.busy` if another process has the store open for writing. Whenever this is interrupted,
    /// the store is the damaged one or the new one, and another repair finishes it.
    package static func run(
        _ folder: StoreFolder, key: SealingKey? = nil, isDryRun: Bool = false, now: Int64, busyTimeout: Int32 = 5_000
    ) throws(StoreError) -> Report {
        try folder.check()
        guard let lock = try folder.lock(.exclusive, patience: busyTimeout) else {
            throw StoreError(.openForWriting, folder.database)
        }
        defer { withExtendedLifetime(lock) {} }
        var report = Report()
        if let finished = finished(in: folder) {
            report.endedEarlierOne = true
            if !isDryRun { report.keptAside = try guarded(folder) { try put(finished, in: folder) } }
            return report
        }
        let check = try StoreCheck.run(folder, key: key, busyTimeout: busyTimeout)
        guard check.isRepairable else {
            if let error = check.keyError { throw error }
            report.wasGood = true
            return report
        }
        return try guarded(folder) {
            let copy = { (new: Connection) in
                // Closed at once: a connection that closes later would remove the log of the new file.
                let old = try AccountStore.connect(folder, busyTimeout, mode: .readOnly)
                return try RowCopy.run(from: old, to: new, KeyFiles(folder: folder, given: key))
            }
            return try isDryRun ? copy(Connection(path: ":memory:")) : rebuild(folder, now, copy)
        }
    }

    private static func guarded<T>(_ folder: StoreFolder, _ body: () throws -> T) throws(StoreError) -> T {
        try AccountStore.guarded(folder) {
            do { return try body() } catch  where !(error is StoreError || error is SQLiteError) {
                throw StoreError(.repair, folder.repair, error)
            }
        }
    }

    /// Builds the new database in a folder of its own, then replaces the damaged one.
    private static func rebuild(
        _ folder: StoreFolder, _ now: Int64, _ copy: (Connection) throws -> Report
    ) throws -> Report {
        let files = FileManager.default
        try? files.removeItem(atPath: folder.repair.string)
        do {
            try files.createDirectory(
                atPath: folder.repair.string, withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700])
            var time = now
            while try SmallFile.Status(at: folder.aside(time)) != nil { time += 1 }
            let finished = folder.repair.appending(finishedPrefix + "\(time)")
            var report = try PrivateFile.make(finished, isDurable: true) { new in
                try copy(Connection(path: new.temporary.withoutLinksAbove.string, mode: .readWrite))
            }
            report.keptAside = try put(finished, in: folder)
            return report
        } catch {
            if finished(in: folder) == nil { try? files.removeItem(atPath: folder.repair.string) }
            throw error
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
                do { try FileName.add(kept, to: folder.beside(suffix)) } catch {
                    // Not every file system supports hard links.
                    try FileManager.default.copyItem(atPath: folder.beside(suffix).string, toPath: kept.string)
                }
            }
        }
        try FileName.flush(in: folder.path)
        for suffix in StoreFolder.companions { SmallFile.remove(folder.beside(suffix).string) }
        try FileName.move(finished, to: folder.database)
        try FileName.flush(in: folder.path)
        try? FileManager.default.removeItem(atPath: folder.repair.string)
        return aside
    }
}
