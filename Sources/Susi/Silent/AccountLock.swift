import Dispatch
import SusiOAuth
import SusiStore
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// One process at a time refreshes an account's tokens. The kernel frees the lock when its holder dies.
enum AccountLock {
    /// Runs `body` while this process holds the account's lock.
    static func with<T>(
        _ account: Account, in folder: StoreFolder, _ body: () async throws -> T
    ) async throws -> T {
        try await with(folder.lock(of: account), body)
    }

    /// Runs `body` while this process holds a lock file of the store's folder.
    static func with<T>(_ path: FilePath, _ body: () async throws -> T) async throws -> T {
        let file = try open(path)
        defer { try? file.close() }
        try await lock(file, path)
        return try await body()
    }

    private static func open(_ path: FilePath) throws -> FileDescriptor {
        do {
            return try FileDescriptor.open(
                path, .readWrite, options: [.create, .noFollow, .closeOnExec], permissions: .ownerReadWrite)
        } catch {
            throw failure(path, "\(error)")
        }
    }

    // Waiting blocks a thread of its own, none of those that run tasks.
    private static func lock(_ file: FileDescriptor, _ path: FilePath) async throws {
        let result: Int32 = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                var result = flock(file.rawValue, LOCK_EX)
                while result != 0, errno == EINTR { result = flock(file.rawValue, LOCK_EX) }
                continuation.resume(returning: result == 0 ? 0 : errno)
            }
        }
        guard result == 0 else { throw failure(path, "\(Errno(rawValue: result))") }
    }

    private static func failure(_ path: FilePath, _ reason: String) -> SusiError {
        SusiError(.store, "The lock \(path) cannot be taken", why: reason, next: "check the folder's permissions")
    }
}
