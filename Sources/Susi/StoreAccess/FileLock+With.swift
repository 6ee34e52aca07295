import SusiBase
import SusiHTTP
package import SusiStore
package import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension FileLock {
    /// Runs `body` while this process holds the lock of a file.
    package static func with<T>(_ path: FilePath, _ body: () async throws -> T) async throws -> T {
        let lock = try await held(path)
        defer { withExtendedLifetime(lock) {} }
        return try await body()
    }

    /// Returns the lock of a file, held by this process until the value is gone.
    ///
    /// If another process holds it, `tellsHolder` is called once with its process id, if that is known. After `limit`
    /// seconds of waiting ``DeadlineExceeded`` is thrown; `nil` means no limit.
    static func held(
        _ path: FilePath, limit: Int64? = nil, tellsHolder: ((Int32?) -> Void)? = nil
    ) async throws -> FileLock {
        let lock: FileLock
        do {
            lock = try FileLock(path)
            let isHeld = try await lock.lock(.exclusive, limit: limit.map { .seconds($0) }) {
                tellsHolder?(holder(path))
            }
            guard isHeld else { throw DeadlineExceeded() }
        } catch let error as Errno {
            throw SusiError.lockFailed(path, FileFailure.reason(error))
        }
        // The holder leaves its process id in the file, for those who wait.
        if tellsHolder != nil { try? lock.write("\(getpid())\n") }
        return lock
    }

    private static func holder(_ path: FilePath) -> Int32? {
        guard let bytes = SmallFile.read(path.string, limit: 64) else { return nil }
        return Int32(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}
