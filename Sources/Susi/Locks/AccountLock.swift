import SusiOAuth
import SusiStore

/// One process at a time refreshes an account's tokens.
enum AccountLock {
    /// Runs `body` while this process holds the account's lock.
    static func with<T>(
        _ account: Account, in folder: StoreFolder, _ body: () async throws -> T
    ) async throws -> T {
        try await FileLock.with(folder.lock(of: account), body)
    }
}
