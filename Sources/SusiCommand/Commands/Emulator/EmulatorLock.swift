import FoundationEssentials
import Susi
import SusiBase
import SusiEmulator
import SystemPackage

/// A lock that prevents a reset of a folder while an emulator uses it. The kernel releases the lock when its holder
/// dies.
struct EmulatorLock {
    private let lock: FileLock

    /// Takes the lock of a folder, which is created if it does not exist. Throws if another process holds a lock that
    /// excludes this one.
    init(_ folder: FilePath, _ mode: FileLock.Mode) throws {
        let path = folder.appending("lock")
        let isFree: Bool
        do {
            try FileManager.default.createDirectory(
                atPath: folder.string, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            lock = try FileLock(path)
            isFree = try lock.tryLock(mode)
        } catch {
            throw SusiError(
                EmulatorError.folderUnusable(
                    path: folder.string, reason: FileFailure.reason(error)))
        }
        if isFree { return }
        let (why, next) =
            mode == .exclusive
            ? ("an emulator uses \(folder)", "stop the emulator (Ctrl-C), then try again")
            : ("\(folder) is being reset", "try again")
        throw SusiError(.store, "the emulator's folder is in use", why: why, next: NextStep(next))
    }

    func release() { withExtendedLifetime(lock) {} }
}
