import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Who may have the store open for writing: many processes at a time, or the one that puts another file in its place.
///
/// SQLite's own locks belong to the file. A process that waits for one while the file is replaced would go on with the old
/// file and the new one's log, which ruins both. The kernel frees this lock when its holder dies.
final class StoreLock {
    /// What it keeps apart.
    enum Subject: String {
        /// Those who write, and the one who replaces the file.
        case store
        /// Those who find an older schema: one of them at a time makes the copy and migrates.
        case migration
    }

    /// How it is held.
    enum Way {
        /// Beside others.
        case shared
        /// Alone.
        case alone
    }

    private let file: FileDescriptor

    /// Takes the lock of a folder that is there; nil when another process holds it in a way that excludes this one for
    /// longer than `patience` milliseconds.
    init?(_ folder: StoreFolder, of subject: Subject = .store, _ way: Way, patience: Int32) throws(StoreError) {
        let path = folder.locks.appending("\(subject.rawValue).lock")
        do {
            file = try FileDescriptor.open(
                path, .readWrite, options: [.create, .noFollow, .closeOnExec], permissions: .ownerReadWrite)
        } catch {
            throw StoreError(error as? Errno ?? .ioError, path: path, what: "the store's lock file cannot be used")
        }
        do {
            guard try Self.take(file, way, patience) else {
                try? file.close()
                return nil
            }
        } catch {
            try? file.close()
            throw StoreError(error, path: path, what: "the store's lock file cannot be used")
        }
    }

    deinit { try? file.close() }

    private static func take(_ file: FileDescriptor, _ way: Way, _ patience: Int32) throws(Errno) -> Bool {
        var waited: Int32 = 0
        while flock(file.rawValue, (way == .alone ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0 {
            let reason = Errno(rawValue: errno)
            if reason == .interrupted { continue }
            guard reason == .wouldBlock else { throw reason }
            guard waited < patience else { return false }
            usleep(5_000)
            waited += 5
        }
        return true
    }
}

extension StoreError {
    static func inUse(_ folder: StoreFolder, _ why: String) -> StoreError {
        StoreError(
            .busy, path: folder.database, what: "the store is in use", why: why, next: waitForOther)
    }
}
