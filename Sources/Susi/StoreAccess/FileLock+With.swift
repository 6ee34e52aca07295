import SusiBase
import SusiHTTP
import SusiPolicies
import SusiStore
import SystemPackage

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension FileLock {
    /// Runs `body` while this process holds the lock of a file, and frees it afterwards.
    ///
    /// If another process holds it, `tellsHolder` is called once with its process id, if that is known. After `limit`
    /// seconds of waiting ``DeadlineExceeded`` is thrown; `nil` means no limit.
    static func with<T>(
        _ path: FilePath, limit: Int64? = nil, tellsHolder: ((Int32?) -> Void)? = nil, _ body: () async throws -> T
    ) async throws -> T {
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
        defer { withExtendedLifetime(lock) {} }
        return try await body()
    }

    private static func holder(_ path: FilePath) -> Int32? {
        guard let bytes = SmallFile.read(path.string, limit: 64) else { return nil }
        return Int32(String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}

extension ClientContext {
    /// Runs `body` while this process holds the sign-in lock of a policy. Two pages of the same sign-in would confuse the
    /// person, and both need the redirect port. The person is told about a wait, which lasts no longer than a sign-in. Without
    /// a surface there is no page, and no lock.
    func holdingSignInLock<T>(
        of policy: Policy, on surface: SignInSurface?, _ body: () async throws -> T
    ) async throws -> T {
        guard let surface else { return try await body() }
        return try await FileLock.with(
            folder.lock(ofSignIn: policy.name, in: scope(of: policy)), limit: surface.timeout,
            tellsHolder: { surface.tell(.waitingForAnother(process: $0)) }, body)
    }
}
