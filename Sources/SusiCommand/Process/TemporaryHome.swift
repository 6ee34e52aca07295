import FoundationEssentials
import Susi
import SystemPackage

/// A `SUSI_HOME` of its own for one command, removed when that ends; when it was killed, before the next one is made.
struct TemporaryHome {
    // Locked from the moment on at which it has this name until its process ends.
    private static let mark = "in-use"

    let path: FilePath
    /// The emulator's folder in it, where `susi` looks for the certificate.
    var emulator: FilePath { path.appending("emulator") }
    /// The policies file in it.
    var policies: FilePath { path.appending("policies.json") }

    static func with<T>(named name: String, _ body: (TemporaryHome) async throws -> T) async throws -> T {
        let temporary = FileManager.default.temporaryDirectory
        removeAbandoned(named: name, in: temporary)
        let folder = temporary.appending(path: "\(name)-\(RandomText.make().prefix(8))")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = FilePath(folder.path(percentEncoded: false))
        let lock = try locked(path)
        defer { withExtendedLifetime(lock) {} }
        return try await body(TemporaryHome(path: path))
    }

    private static func locked(_ folder: FilePath) throws -> FileLock {
        let (fresh, name) = (folder.appending(".\(mark)"), folder.appending(mark))
        let lock = try FileLock(fresh)
        _ = try lock.tryLock(.exclusive)
        try FileManager.default.moveItem(atPath: fresh.string, toPath: name.string)
        return lock
    }

    // Folders of the same name whose process was killed: this user's own, with a lock that nobody holds.
    private static func removeAbandoned(named name: String, in temporary: URL) {
        let files = FileManager.default
        let parent = FilePath(temporary.path(percentEncoded: false))
        for entry in (try? files.contentsOfDirectory(atPath: parent.string)) ?? [] where entry.hasPrefix("\(name)-") {
            let folder = parent.appending(entry)
            guard SmallFile.owner(folder.string) == ProcessEnvironment.process.user,
                let file = try? FileDescriptor.open(
                    folder.appending(mark), .readWrite, options: [.noFollow, .closeOnExec, .nonBlocking])
            else { continue }
            let lock = FileLock(file)
            if (try? lock.tryLock(.exclusive)) == true { try? files.removeItem(atPath: folder.string) }
        }
    }
}
