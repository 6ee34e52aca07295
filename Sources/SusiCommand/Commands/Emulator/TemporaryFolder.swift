import FoundationEssentials
import Susi
import SusiBase
import SusiStartup
import SystemPackage

/// A temporary `SUSI_HOME` for one command, removed when the command ends. If the command was killed, the next one
/// removes it.
struct TemporaryFolder {
    // A file in the folder. It gets this name after it is locked, and stays locked until its process ends.
    private static let lockName = "in-use"

    let path: FilePath
    /// The emulator's folder, where `susi` looks for the certificate.
    var emulator: FilePath { path.appending("emulator") }
    var policies: FilePath { path.appending("policies.json") }

    static func with<T>(named name: String, _ body: (TemporaryFolder) async throws -> T) async throws -> T {
        let temporary = FileManager.default.temporaryDirectory
        removeAbandoned(named: name, in: temporary)
        let folder = temporary.appending(path: "\(name)-\(RandomBytes.text().prefix(8))")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = FilePath(folder.path(percentEncoded: false))
        let lock = try locked(path)
        defer { withExtendedLifetime(lock) {} }
        return try await body(TemporaryFolder(path: path))
    }

    private static func locked(_ folder: FilePath) throws -> FileLock {
        let (pending, name) = (folder.appending(".\(lockName)"), folder.appending(lockName))
        let lock = try FileLock(pending)
        _ = try lock.tryLock(.exclusive)
        try FileManager.default.moveItem(atPath: pending.string, toPath: name.string)
        return lock
    }

    // Removes folders of killed processes: same name, same user, and a lock that no process holds.
    private static func removeAbandoned(named name: String, in temporary: URL) {
        let files = FileManager.default
        let parent = FilePath(temporary.path(percentEncoded: false))
        for entry in (try? files.contentsOfDirectory(atPath: parent.string)) ?? [] where entry.hasPrefix("\(name)-") {
            let folder = parent.appending(entry)
            guard SmallFile.owner(folder.string) == ProcessEnvironment.process.user,
                let file = try? FileDescriptor.open(
                    folder.appending(lockName), .readWrite, options: [.noFollow, .closeOnExec, .nonBlocking])
            else { continue }
            let lock = FileLock(file)
            if (try? lock.tryLock(.exclusive)) == true { try? files.removeItem(atPath: folder.string) }
        }
    }
}
