import SusiPolicies

extension ClientContext {
    /// Runs `body` while this process holds the sign-in lock of a policy. Two pages of the same sign-in would confuse the
    /// person, and both need the redirect port. The person is told about a wait, which lasts no longer than a sign-in.
    func holdingSignInLock<T>(
        of policy: Policy, on surface: SignInSurface, _ body: () async throws -> T
    ) async throws -> T {
        try await FileLock.with(
            folder.lock(ofSignIn: policy.name, in: scope(of: policy)), limit: surface.timeout,
            tellsHolder: { surface.tell(.waitingForAnother(process: $0)) }, body)
    }
}
