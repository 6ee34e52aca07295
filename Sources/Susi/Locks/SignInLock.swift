import SusiPolicies
import SusiStore

/// One process at a time waits for a person under a policy: two pages of the same sign-in confuse, and both would want
/// the same redirect port.
enum SignInLock {
    /// Runs `body` while this process holds the policy's lock. Whoever has to wait is told, and waits no longer than for
    /// the person.
    static func with<T>(
        _ policy: PolicyName, _ scope: ApplicationScope, in folder: StoreFolder, _ surface: SignInSurface,
        _ body: () async throws -> T
    ) async throws -> T {
        try await FileLock.with(
            folder.lock(ofSignIn: policy, in: scope), limit: surface.timeout,
            tellsHolder: { surface.tell(.waitingForAnother(process: $0)) }, body)
    }
}
