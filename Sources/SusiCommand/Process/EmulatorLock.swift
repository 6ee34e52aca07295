import FoundationEssentials
import Susi
import SusiEmulator
import SystemPackage

/// A lock that prevents a reset of a folder while an emulator uses it. The kernel releases the lock when its holder
/// dies.
struct EmulatorLock {
    /// How the lock is held.
    enum Mode {
        /// By several emulators at once.
        case shared
        /// By one process, while no emulator runs.
        case exclusive
    }

    private let file: FileDescriptor

    /// Locks a folder and creates it if needed. Throws if another process holds a conflicting lock.
    init(_ folder: FilePath, _ mode: Mode) throws {
        let path = folder.appending("lock")
        do {
            try FileManager.default.createDirectory(
                atPath: folder.string, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            file = try FileDescriptor.open(
                path, .readWrite, options: [.create, .noFollow, .closeOnExec], permissions: .ownerReadWrite)
        } catch {
            throw SusiError(
                EmulatorError.folderUnusable(path: folder.string, reason: (error as? Errno)?.inWords ?? "\(error)"))
        }
        do { try file.lock(exclusive: mode == .exclusive) } catch {
            try? file.close()
            guard error == .wouldBlock else {
                throw SusiError(EmulatorError.folderUnusable(path: folder.string, reason: "\(error)"))
            }
            let (why, next) =
                mode == .exclusive
                ? ("an emulator uses \(folder)", "stop the emulator (Ctrl-C), then try again")
                : ("\(folder) is being reset", "try again")
            throw SusiError(.store, "the emulator's folder is in use", why: why, next: NextStep(next))
        }
    }

    func release() { try? file.close() }
}
