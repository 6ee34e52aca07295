import FoundationEssentials
import Susi
import SusiEmulator
import SystemPackage

/// Keeps those who run an emulator with a folder apart from the one who empties it. The kernel frees it when its holder dies.
struct EmulatorLock {
    /// How it is held.
    enum Way {
        /// Beside other emulators.
        case beside
        /// While none runs.
        case alone
    }

    private let file: FileDescriptor

    /// Takes the lock of a folder, which is made when it is not there. Throws when another process holds it in a way that
    /// excludes this one.
    init(_ folder: FilePath, _ way: Way) throws {
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
        do { try file.lock(alone: way == .alone) } catch {
            try? file.close()
            guard error == .wouldBlock else {
                throw SusiError(EmulatorError.folderUnusable(path: folder.string, reason: "\(error)"))
            }
            let (why, next) =
                way == .alone
                ? ("an emulator uses \(folder)", "stop the emulator (Ctrl-C), then try again")
                : ("\(folder) is being reset", "try again")
            throw SusiError(.store, "the emulator's folder is in use", why: why, next: NextStep(next))
        }
    }

    /// Frees it.
    func end() { try? file.close() }
}
