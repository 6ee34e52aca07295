public import SusiOAuth
import SusiPolicies
import SusiStore

// Each sign-in is a SignInFlow over one way to get tokens.
extension PublicClient {
    /// Runs `body` with the flow of a request; with a page, one policy at a time.
    ///
    /// The store is opened first, so that an error of the store, or another person in a shared store, is reported before the person
    /// types a password.
    private func withFlow(
        _ request: SignInRequest, to target: TokenTarget, as userName: String? = nil,
        on surface: SignInSurface? = nil, _ body: (SignInFlow) async throws -> SignInResult
    ) async throws(SusiError) -> SignInResult {
        let (context, policy) = (context, target.policy)
        return try await withUnlockedStore(policy: policy.name) { store in
            try await context.holdingSignInLock(of: policy, on: surface) {
                // Another sign-in may have changed the store before the lock was free.
                var request = request
                let holder = try store.holder(admitting: request.people(userName))
                // A requested choice is offered: only a hint that was typed replaces it.
                if request.options.prompt != .selectAccount {
                    request.options.loginHint =
                        request.options.loginHint ?? request.expected?.hint ?? holder?.profile.hint
                }
                let flow = SignInFlow(context, in: store, for: request, to: target, as: userName)
                do { return try await body(flow) } catch {
                    let error = SusiError(error, application: context.application, policy: policy.name)
                    throw userName == nil ? flow.person.map(error.demanding) ?? error : error
                }
            }
        }
    }

    /// Signs a person in through the browser and stores the account under its person and its policy.
    ///
    /// Errors: ``SusiError/Code/cancelled`` (AADB2C90091 and 90273 too), `unknownAuthority` before anything is sent,
    /// `network`, `timeout`, `invalidAnswer`, `differentPerson`, `store`.
    public func signIn(
        _ request: SignInRequest, through surface: SignInSurface
    ) async throws(SusiError) -> SignInResult {
        let target = try target(of: request)
        let (context, policy) = (context, target.policy)
        guard policy.kind == .signUpOrSignIn else { throw SusiError.noSignInPage(policy) }
        return try await withFlow(request, to: target, on: surface) { flow in
            let browser = InteractiveFlow(
                context: context, policy: policy, surface: surface, responseMode: request.options.responseMode,
                choosesAccount: request.choosesAccount && request.options.prompt == nil,
                hasAccount: try flow.store.count(of: [context.scope(of: policy)], policy: policy.name) > 0,
                person: flow.person)
            return try await browser.run { window in
                let result = try await flow.run { try await window.grant($0, $1) }
                return (result, .signedIn(result.account, policy))
            }
        }
    }

    /// Signs a person in on another device (RFC 8628), and stores the account like any other.
    ///
    /// `tell` gets the code that the person types there. The wait ends when the code expires, or after `limit` seconds;
    /// `pause` waits between two requests. Errors: ``SusiError/Code/cancelled`` if the person declines, `timeout`,
    /// `unknownName` if the provider has no such flow, like Azure AD B2C.
    public func signInOnAnotherDevice(
        _ request: SignInRequest, limit: Int64? = nil,
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
        return try await withFlow(request, to: target) { flow in
            try await flow.run { scopes, options in
                try await DeviceFlow(
                    context: flow.context, policy: flow.policy, scopes: scopes, options: options, wait: wait
                ).run()
            }
        }
    }

    /// Signs in by user name and password without a page (RFC 6749 4.3), and stores the account like any other.
    ///
    /// If the request names no policy, the only one of the kind `resourceOwner` is used, or the default policy in
    /// tenants whose sign-in needs no policy of that kind. No browser is opened. A refused password is
    /// ``SusiError/Code/signInNeeded``, as is a tenant that wants a page after all. Where there is native authentication
    /// instead of this grant, it is used: ``signIn(_:native:tell:)``.
    public func signIn(
        _ request: SignInRequest, credentials: PasswordCredentials
    ) async throws(SusiError) -> SignInResult {
        if application.kind.traits.hasNativeAuthentication {
            return try await signIn(request, native: NativeCredentials(credentials))
        }
        let target = try target(of: request, under: try passwordPolicy(request.policy).name)
        return try await withFlow(request, to: target, as: credentials.username) { flow in
            try await flow.run { scopes, _ in
                try await PasswordFlow(
                    context: flow.context, policy: flow.policy, scopes: scopes, credentials: credentials
                ).run()
            }
        }
    }

    /// Signs in by native authentication: the server asks for a password or a code, and for a second factor, and no browser is
    /// opened. Stores the account like any other. External ID has it instead of the password grant.
    ///
    /// `tell` gets ``SignInEvent/codeSent(_:)``. Errors: ``SusiError/Code/signInNeeded`` for a refused password or code, a
    /// user who does not exist, credentials that are missing, and a server that demands a browser; `refused` if the
    /// application may not use native authentication; `network` for a locked account too; `unknownName` where the kind of
    /// authority has no native authentication; `invalidAnswer`, `differentPerson`, `unknownAuthority`, `store`.
    public func signIn(
        _ request: SignInRequest, native credentials: NativeCredentials,
        tell: @escaping @Sendable (SignInEvent) -> Void = { _ in }
    ) async throws(SusiError) -> SignInResult {
        let policy = try passwordPolicy(request.policy)
        guard application.kind.traits.hasNativeAuthentication else { throw SusiError.noNativeAuthentication(policy) }
        do {
            let target = try target(of: request, under: policy.name)
            return try await withFlow(request, to: target, as: credentials.username) { flow in
                try await flow.run { scopes, _ in
                    try await NativeFlow(
                        context: flow.context, policy: policy, scopes: scopes, credentials: credentials, tell: tell
                    ).run()
                }
            }
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
