import SusiHTTP
import SusiPolicies
import SusiStore
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A lock between processes: the kernel frees it when its holder dies, and a wait for it can be cancelled.
enum FileLock {
    /// Runs `body` while this process holds the lock, and frees it afterwards.
    ///
    /// When another process holds it, `tellsHolder` hears once which one, if that is known. After `limit` seconds of
    /// waiting ``DeadlineExceeded`` is thrown; nil waits for as long as it takes.
    static func with<T>(
        _ path: FilePath, limit: Int64? = nil, tellsHolder: ((Int32?) -> Void)? = nil, _ body: () async throws -> T
    ) async throws -> T {
        let file = try open(path)
        defer { try? file.close() }
        try await lock(file, path, limit.map { .seconds($0) }, tellsHolder)
        if tellsHolder != nil { try? sign(file) }
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

    // Asked again and again: a thread that blocks in the kernel could not be called back.
    private static func lock(
        _ file: FileDescriptor, _ path: FilePath, _ limit: Duration?, _ tellsHolder: ((Int32?) -> Void)?
    ) async throws {
        var waited = Duration.zero
        var pause = Duration.milliseconds(2)
        while flock(file.rawValue, LOCK_EX | LOCK_NB) != 0 {
            let reason = Errno(rawValue: errno)
            if reason == .interrupted { continue }
            guard reason == .wouldBlock else { throw failure(path, "\(reason)") }
            if waited == .zero { tellsHolder?(holder(path)) }
            if let limit, waited >= limit { throw DeadlineExceeded() }
            try await Task.sleep(for: pause)
            waited += pause
            pause = min(pause * 2, .milliseconds(50))
        }
    }

    // The holder leaves its process id in the file, for those who wait.
    private static func sign(_ file: FileDescriptor) throws {
        _ = try file.writeAll(Array("\(getpid())\n".utf8))
    }

    private static func holder(_ path: FilePath) -> Int32? {
        guard let bytes = SmallFile.read(path.string, limit: 64) else { return nil }
        return Int32(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }

    private static func failure(_ path: FilePath, _ reason: String) -> SusiError {
        SusiError.lockFailed(path, reason)
    }
}
