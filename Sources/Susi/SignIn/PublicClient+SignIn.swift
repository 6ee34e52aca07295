public import SusiOAuth
import SusiPolicies
import SusiStore

extension PublicClient {
    /// Runs one sign-in. Only one sign-in page of a policy is open at a time.
    ///
    /// The store is opened first, so that an error of the store, or another person in a shared store, is reported before the person
    /// types a password.
    private func signIn(
        _ request: SignInRequest, to target: TokenTarget, by means: SignInMeans
    ) async throws(SusiError) -> SignInResult {
        let context = context
        return try await withUnlockedStore(policy: target.policy.name) { store in
            let lock = try await context.pageLock(of: target.policy, on: means.surface)
            defer { withExtendedLifetime(lock) {} }
            // Another sign-in may have changed the store before the lock was free.
            let flow = try SignInFlow(request, to: target, by: means, in: store, context)
            do { return try await flow.run() } catch {
                throw context.explained(error, under: target.policy.name, of: flow.person)
            }
        }
    }

    /// Signs a person in through the browser and stores the account under its person and its policy.
    ///
    /// Errors: ``SusiError/Code/cancelled`` (AADB2C90091 and 90273 too), `unknownAuthority` before anything is sent,
    /// `network`, `timeout`, `invalidResponse`, `differentPerson`, `store`. If its task is cancelled, it frees the redirect port,
    /// closes its connections and locks, stores nothing, and throws `cancelled`; the browser's window stays open.
    @discardableResult
    public func signIn(
        _ request: SignInRequest = SignInRequest(), through surface: SignInSurface = SignInSurface()
    ) async throws(SusiError) -> SignInResult {
        let target = try target(of: request)
        guard target.policy.kind == .signUpOrSignIn else { throw SusiError.noSignInPage(target.policy) }
        return try await signIn(request, to: target, by: .page(surface))
    }

    /// Signs a person in on another device (RFC 8628), and stores the account like any other.
    ///
    /// `tell` gets the code that the person types there. The wait ends when the code expires, or after `limit` seconds;
    /// `pause` waits between two requests. Errors: ``SusiError/Code/cancelled`` if the person declines, `timeout`,
    /// `unknownName` if the provider has no such flow, like Azure AD B2C.
    @discardableResult
    public func signInOnAnotherDevice(
        _ request: SignInRequest = SignInRequest(), limit: Int64? = nil,
        pause: @escaping @Sendable (_ seconds: Int64) async throws -> Void = {
            try await Task.sleep(for: .seconds($0))
        },
        tell: @escaping @Sendable (SignInEvent) -> Void
    ) async throws(SusiError) -> SignInResult {
        let target = try target(of: request)
        guard !application.kind.traits.hasPolicies else {
            throw SusiError.noDeviceCode("Azure AD B2C does not support it", target.policy)
        }
        let wait = DeviceWait(limit: limit, pause: pause, tell: tell, clock: clock)
        let flow = DeviceFlow(context: context, policy: target.policy, wait: wait)
        return try await signIn(request, to: target, by: .direct(flow))
    }

    /// Signs in by user name and password without a page (RFC 6749 4.3), and stores the account like any other.
    ///
    /// If the request names no policy, the only one of the kind `resourceOwner` is used, or the default policy in
    /// tenants whose sign-in needs no policy of that kind. No browser is opened. A refused password is
    /// ``SusiError/Code/signInNeeded``, as is a tenant that wants a page after all. Where there is native authentication
    /// instead of this grant, it is used: ``signIn(_:native:tell:)``.
    @discardableResult
    public func signIn(
        _ request: SignInRequest = SignInRequest(), credentials: PasswordCredentials
    ) async throws(SusiError) -> SignInResult {
        if application.kind.traits.hasNativeAuthentication {
            return try await signIn(request, native: NativeCredentials(credentials))
        }
        let target = try target(of: request, under: try passwordPolicy(request.policy).name)
        let flow = PasswordFlow(context: context, policy: target.policy, credentials: credentials)
        return try await signIn(request, to: target, by: .direct(flow))
    }

    /// Signs in with a refresh token that another program got for this client ID and policy, and stores the account like any
    /// other. Nothing is stored unless the server accepts the token.
    package func signIn(_ request: SignInRequest, refreshToken: String) async throws(SusiError) -> SignInResult {
        let target = try target(of: request)
        let flow = RefreshTokenFlow(context: context, policy: target.policy, refreshToken: refreshToken)
        do { return try await signIn(request, to: target, by: .direct(flow)) } catch { throw error.tellingOfSentToken }
    }

    /// Signs in by native authentication: the server asks for a password or a code, and for a second factor, and no browser is
    /// opened. Stores the account like any other. External ID has it instead of the password grant.
    ///
    /// `tell` gets ``SignInEvent/codeSent(_:)``. Errors: ``SusiError/Code/signInNeeded`` for a refused password or code, a
    /// user who does not exist, credentials that are missing, and a server that demands a browser; `refused` if the
    /// application may not use native authentication; `network` for a locked account too; `unknownName` where the kind of
    /// authority has no native authentication; `invalidResponse`, `differentPerson`, `unknownAuthority`, `store`.
    @discardableResult
    public func signIn(
        _ request: SignInRequest = SignInRequest(), native credentials: NativeCredentials,
        tell: @escaping @Sendable (SignInEvent) -> Void = { _ in }
    ) async throws(SusiError) -> SignInResult {
        let policy = try passwordPolicy(request.policy)
        guard application.kind.traits.hasNativeAuthentication else { throw SusiError.noNativeAuthentication(policy) }
        do {
            let target = try target(of: request, under: policy.name)
            let flow = NativeFlow(context: context, policy: policy, credentials: credentials, tell: tell)
            return try await signIn(request, to: target, by: .direct(flow))
        } catch { throw error.namingNoOnlyPolicy(of: application) }
    }

    private func target(of request: SignInRequest, under policy: PolicyName? = nil) throws(SusiError) -> TokenTarget {
        try choose { try $0.target(api: request.api, policy: policy ?? request.policy) }
    }

    /// Throws ``SusiError/Code/scopesDeclined`` if a sign-in brought none of the requested scopes. Its account is stored, but
    /// has no token for the API.
    package nonisolated func requireScopes(of result: SignInResult) throws(SusiError) {
        let scopes = ScopeOutcome(granted: result.granted, declined: result.declined)
        guard scopes.leavesNothing(of: result.asked) else { return }
        let policy = try choose { try $0.choosePolicy(result.account.account.policy) }
        throw .scopesDeclined(scopes, policy, of: application.kind, hasToken: result.hasAccessToken)
    }
}

extension SusiError {
    /// The end of a sign-in whose tokens another process may have stored; see ``SignInSurface/endsAfterWait``.
    package static let overtaken = SusiError(.failed, "another sign-in under this policy has ended")
}

extension ClientContext {
    /// Returns the lock for the page of a policy. Two pages of the same policy would confuse the person, and both need the redirect
    /// port. The person is told about a wait, which lasts no longer than a sign-in. Without a surface there is no page, and no lock.
    func pageLock(of policy: Policy, on surface: SignInSurface?) async throws -> FileLock? {
        guard let surface else { return nil }
        var hasWaited = false
        let lock = try await FileLock.held(
            folder.lock(ofSignIn: policy.name, in: registration(of: policy)), limit: surface.timeout,
            tellsHolder: {
                hasWaited = true
                surface.tell(.waitingForAnother(process: $0))
            })
        if hasWaited, surface.endsAfterWait { throw SusiError.overtaken }
        return lock
    }
}
