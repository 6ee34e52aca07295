package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A lock on a file, between processes. The kernel frees it when its holder dies.
package final class FileLock: Sendable {
    package enum Mode: Sendable {
        /// Held by several processes at the same time.
        case shared
        /// Held by one process alone.
        case exclusive
    }

    private let file: FileDescriptor

    /// Takes over an open file, which closes with the lock; nothing is locked yet.
    package init(_ file: FileDescriptor) { self.file = file }

    /// Opens a file, which is created if it is missing; nothing is locked yet.
    package convenience init(_ path: FilePath) throws(Errno) {
        let file: FileDescriptor
        do {
            file = try FileDescriptor.open(
                path, .readWrite, options: [.create, .noFollow, .closeOnExec], permissions: .ownerReadWrite)
        } catch { throw error as? Errno ?? .ioError }
        self.init(file)
    }

    deinit { try? file.close() }

    /// Locks without waiting; false if another process excludes it.
    package func tryLock(_ mode: Mode) throws(Errno) -> Bool {
        while flock(file.rawValue, (mode == .exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0 {
            let reason = Errno(rawValue: errno)
            if reason == .wouldBlock { return false }
            guard reason == .interrupted else { throw reason }
        }
        return true
    }

    /// Locks, and blocks this thread for up to `patience` milliseconds; false if another process excludes it for longer.
    package func lock(_ mode: Mode, patience: Int32) throws(Errno) -> Bool {
        var waited: Int32 = 0
        while try !tryLock(mode) {
            guard waited < patience else { return false }
            usleep(5_000)
            waited += 5
        }
        return true
    }

    /// Locks, and waits up to `limit`, or without a limit if it is `nil`; false if another process excludes it for
    /// longer. `waits` is called once before a wait. No thread blocks in the kernel, so that the wait can be cancelled.
    package func lock(_ mode: Mode, limit: Duration?, waits: () -> Void) async throws -> Bool {
        var waited = Duration.zero
        var pause = Duration.milliseconds(2)
        while try !tryLock(mode) {
            if waited == .zero { waits() }
            if let limit, waited >= limit { return false }
            try await Task.sleep(for: pause)
            waited += pause
            pause = min(pause * 2, .milliseconds(50))
        }
        return true
    }

    /// Writes a text into the file, for waiting processes.
    package func write(_ text: String) throws { _ = try file.writeAll(text.utf8) }
}
