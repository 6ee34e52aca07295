import FoundationEssentials
import SusiPolicies
import SystemPackage

/// The temporary files next to the store.
extension StoreFolder {
    /// The files that belong to the database.
    static let companions = ["-wal", "-shm", "-journal"]

    /// A file whose name begins with the database's.
    func beside(_ suffix: String) -> FilePath { FilePath(database.string + suffix) }

    /// The copy of the store from before a migration to a schema.
    func backup(before version: Int64) -> FilePath {
        let number = String(version)
        return beside(".before-" + String(repeating: "0", count: max(0, 3 - number.count)) + number)
    }

    /// The working folder of a repair.
    var repair: FilePath { path.appending("repair") }

    /// The name under which a damaged file is kept, by the time in seconds since 1970.
    func aside(_ time: Int64) -> FilePath { beside(".damaged-\(time)") }

    /// The names in a folder; none if it does not exist.
    static func names(in folder: FilePath) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.string).sorted()) ?? []
    }

    /// Damaged files that were kept, without their companions.
    var damagedFiles: [FilePath] {
        Self.names(in: path)
            .filter { $0.hasPrefix("store.sqlite.damaged-") && !$0.hasSuffix("-wal") }
            .map { path.appending($0) }
    }

    /// Removes the damaged files that repairs kept.
    func removeDamagedFiles() {
        for name in Self.names(in: path) where name.hasPrefix("store.sqlite.damaged-") {
            try? FileName.remove(path.appending(name))
        }
    }

    /// Removes every copy that a migration or a repair left; the caller holds the store's lock.
    func removeLeftovers() {
        for name in Self.names(in: path) where name.hasPrefix("store.sqlite.before-") {
            try? FileName.remove(path.appending(name))
        }
        if (try? SmallFile.Status(at: repair)) != nil { try? FileManager.default.removeItem(atPath: repair.string) }
    }
}

extension FilePath {
    /// The path with every link above the last name resolved: SQLite follows no links.
    var withoutLinksAbove: FilePath {
        guard let name = lastComponent else { return self }
        let above = removingLastComponent()
        let folder = URL(filePath: above.isEmpty ? "." : above.string).resolvingSymlinksInPath()
        return FilePath(folder.path).appending(name)
    }
}
