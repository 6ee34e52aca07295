import FoundationEssentials
import SusiBase
import SusiPolicies
package import SystemPackage

/// The temporary files next to the store.
extension StoreFolder {
    /// The files that belong to the database.
    static let companions = ["-wal", "-shm", "-journal"]

    /// A file whose name begins with the database's.
    func beside(_ suffix: String) -> FilePath { FilePath(database.string + suffix) }

    /// The working folder of a repair.
    var repair: FilePath { path.appending("repair") }

    /// The name under which a damaged file is kept, by the time in seconds since 1970.
    func aside(_ time: Int64) -> FilePath { beside(".damaged-\(time)") }

    /// The names in a folder; none if it does not exist.
    static func names(in folder: FilePath) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.string).sorted()) ?? []
    }

    /// Damaged files that were kept, without their companions.
    package var damagedFiles: [FilePath] {
        Self.names(in: path)
            .filter { $0.hasPrefix("store.sqlite.damaged-") && !$0.hasSuffix("-wal") }
            .map { path.appending($0) }
    }

    /// Removes the damaged files that repairs kept.
    func removeDamagedFiles() {
        for name in Self.names(in: path) where name.hasPrefix("store.sqlite.damaged-") {
            SmallFile.remove(path.appending(name).string)
        }
    }

    /// Removes what an interrupted repair left; the caller holds the store's lock.
    func removeLeftovers() {
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
