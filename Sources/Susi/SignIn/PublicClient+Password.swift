import SusiHTTP
public import SusiOAuth
package import SusiPolicies

extension PublicClient {
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
        let policy = try passwordPolicy(request.policy)
        let context = context
        return try await signIn(request, under: policy, as: credentials.username) { scopes in
            try await PasswordFlow(context: context, policy: policy, scopes: scopes, credentials: credentials).run()
        }
    }

    /// Signs in without a page: `run` brings the tokens for the scopes, which are then stored.
    func signIn(
        _ request: SignInRequest, under policy: Policy, as username: String,
        _ run: (_ scopes: ScopeSet) async throws -> TokenGrant
    ) async throws(SusiError) -> SignInResult {
        let target = try choose { try $0.target(api: request.api, policy: policy.name) }
        _ = try await holderOfSharedDevice(expecting: [request.expected, .named(username)])
        let context = context
        return try await withUnlockedStore(policy: policy.name) { store in
            let known = AccountFinder(context: context, store: store)
                .likely(request.expected ?? .named(username), under: policy)
            let scopes = SignInScopes(target, request, of: known)
            let grant = try await run(scopes.asked)
            return try SignInKeeper(context, for: request, under: policy, scopes).save(grant, in: store)
        }
    }

    /// Returns the policy of that name that accepts passwords without a page, or the only one for `nil`. Throws
    /// ``SusiError/Code/unknownName``, before a person types a password.
    package nonisolated func passwordPolicy(_ name: PolicyName?) throws(SusiError) -> Policy {
        let policy: Policy
        do { policy = try application.passwordPolicy(name) } catch {
            throw SusiError(error, application: application, policy: name)
        }
        guard policy.kind == .resourceOwner || !application.kind.traits.hasPolicies else {
            let others = application.policies(of: .resourceOwner).map(\.name.spelling)
            throw SusiError.noPasswordAccepted(policy, others: others)
        }
        return policy
    }
}

/// One sign-in by password, from the known authority to checked tokens.
struct PasswordFlow: Sendable {
    let context: ClientContext
    let policy: Policy
    let scopes: ScopeSet
    let credentials: PasswordCredentials

    /// Sends the credentials and returns the checked tokens.
    func run() async throws -> TokenGrant {
        let clientID = context.application.clientID
        do {
            return try await context.withProvider(for: policy) { provider, _ in
                let request = TokenRequest.password(
                    credentials, authority: provider.authority, clientID: clientID, scopes: scopes)
                return try await provider.grant(
                    try await provider.answer(to: request), clientID: clientID, scopes: scopes, now: context.clock())
            }
        } catch let refusal as ServerRefusal { throw refused(refusal) }
    }

    // Keeps the server's text about the password. The next step is the same sign-in again, never a page for such a policy.
    private func refused(_ refusal: ServerRefusal) -> SusiError {
        let error = SusiError(refusal, application: context.application, policy: policy.name)
        // B2C reports a wrong password as `access_denied` (AADB2C90225); there is no page on which a person could cancel.
        guard error.code == .signInNeeded || error.code == .cancelled else { return error }
        let again = PolicyRun(.resourceOwner, policy.name, userName: credentials.username)
        let onPage = PolicyRun(.signUpOrSignIn, policy.name, means: .page)
        let page: NextStep = policy.kind == .resourceOwner ? "" : "    or on a page: \(intent: .run(onPage))"
        return .passwordRefused(refusal, why: error.why, next: "\(intent: .run(again))\(page)")
    }
}

extension Application {
    /// Returns the policy of a sign-in by password.
    fileprivate func passwordPolicy(_ name: PolicyName?) throws(ChoiceError) -> Policy {
        if let name { return try choosePolicy(name) }
        guard !kind.traits.hasPolicies, policies(of: .resourceOwner).isEmpty else {
            return try choosePolicy(nil, of: .resourceOwner)
        }
        return try choosePolicy(nil)
    }
}
