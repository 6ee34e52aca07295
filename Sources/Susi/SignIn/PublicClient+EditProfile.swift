import SusiHTTP
import SusiOAuth
public import SusiPolicies
public import SusiStore

/// The result of an edit.
public struct EditResult: Sendable {
    /// The edit policy's own account of the person.
    public let account: StoredAccount
    /// The person's other accounts whose claims were refreshed.
    public let updated: [StoredAccount]
    /// The person's other accounts whose claims could not be refreshed, with the reason.
    public let stale: [(account: StoredAccount, reason: SusiError)]
}

extension PublicClient {
    /// Lets the person of an account edit the profile, then refreshes every account of that person.
    ///
    /// No prompt is sent, so that the browser's session is used. Throws ``SusiError/Code/differentPerson`` and stores
    /// nothing if another person signs in. Of `options`, the hints, the languages, the extra parameters and the response
    /// mode are used.
    public func editProfile(
        of selection: AccountSelection, policy name: PolicyName?,
        options: AuthorizationOptions = AuthorizationOptions(), through surface: SignInSurface
    ) async throws(SusiError) -> EditResult {
        let policy = try choose { try $0.choosePolicy(name, of: .editProfile) }
        let signedIn = try await account(selection)
        let scopes = ScopeSet(try choose { try $0.target(api: nil, policy: policy.name).scopes })
        let keeper = SignInKeeper(
            context: context, policy: policy, scopes: SignInScopes(exactly: scopes))
        return try await editProfile(of: signedIn, keeper, options, through: surface)
    }

    private func editProfile(
        of signedIn: StoredAccount, _ keeper: SignInKeeper, _ options: AuthorizationOptions,
        through surface: SignInSurface
    ) async throws(SusiError) -> EditResult {
        let (context, policy) = (context, keeper.policy)
        return try await withUnlockedStore(policy: policy.name, of: signedIn) { store in
            var options = options
            options.loginHint = options.loginHint ?? signedIn.profile.hint
            options.idTokenHint = store.idToken(of: signedIn)
            let person = reference(to: signedIn)
            let flow = InteractiveFlow(
                context: context, policy: policy, scopes: keeper.scopes.asked, options: options, surface: surface,
                person: person)
            return try await context.holdingSignInLock(of: policy, on: surface) {
                try await flow.run { grant in
                    guard grant.account.person == signedIn.account.person else {
                        throw SusiError.profileSavedOfOther(
                            grant.label, expected: signedIn.label, person)
                    }
                    let edited = try await self.saveEdit(grant, by: keeper)
                    return (edited, .edited(edited.account))
                }
            }
        }
    }

    // Access tokens with the old claims are dropped.
    private func saveEdit(_ grant: TokenGrant, by keeper: SignInKeeper) async throws -> EditResult {
        let store = try await session.open()
        let account = try keeper.save(grant, in: store).account
        try store.dropAccessTokens(of: account.account, except: grant.accessToken?.scopes)
        let others = await refreshOthers(of: account, in: store)
        return EditResult(account: account, updated: others.updated, stale: others.stale)
    }

    private func refreshOthers(
        of edited: StoredAccount, in store: AccountStore
    ) async -> (updated: [StoredAccount], stale: [(account: StoredAccount, reason: SusiError)]) {
        var updated: [StoredAccount] = []
        var stale: [(account: StoredAccount, reason: SusiError)] = []
        // Damaged accounts are among them: they cannot be refreshed, and that is reported.
        let all = (try? store.accounts(of: edited.account.person, clientID: application.clientID)) ?? []
        for policy in application.policies where policy.name != edited.account.policy {
            guard let stored = all.first(where: { $0.account.policy == policy.name }) else { continue }
            do { updated.append(try await refreshClaims(of: stored, under: policy, in: store)) } catch {
                let error = SusiError(error, application: application, policy: policy.name)
                stale.append((stored, error.demanding(reference(to: stored))))
            }
        }
        return (updated, stale)
    }

    // One token is refreshed, which returns the new claims. The account's other tokens have the old claims and are
    // dropped; they are fetched again when they are needed.
    private func refreshClaims(
        of account: StoredAccount, under policy: Policy, in store: AccountStore
    ) async throws -> StoredAccount {
        let scopes = account.tokens.first { $0.kind == .access }?.scopes ?? ScopeSet([])
        let flow = silentFlow(of: account, under: policy, wanted: WantedScopes(own: scopes, all: scopes))
        let token = try await flow.renewClaims(in: store)
        try store.dropAccessTokens(of: account.account, except: token?.info.scopes)
        return try store.account(account.account) ?? account
    }

    /// Runs the password-reset policy. Its tokens are checked and not stored: the next sign-in fetches the account's
    /// tokens.
    ///
    /// Returns the label of the person who set a new password. `options` are those of
    /// ``editProfile(of:policy:options:through:)``.
    public func resetPassword(
        policy name: PolicyName?, options: AuthorizationOptions = AuthorizationOptions(),
        through surface: SignInSurface
    ) async throws(SusiError) -> (policy: Policy, label: String) {
        let policy = try choose { try $0.choosePolicy(name, of: .passwordReset) }
        var options = options
        options.idTokenHint = (try? session.peek())?.currentIDToken(context)
        let flow = InteractiveFlow(
            context: context, policy: policy, scopes: ScopeSet([]), options: options, surface: surface)
        return try await mappingErrors(policy: policy.name) {
            try await flow.run { grant in ((policy, grant.label), .passwordSet(grant.label)) }
        }
    }
}

extension AccountStore {
    /// Returns the id token of the default policy's current account.
    fileprivate func currentIDToken(_ context: ClientContext) -> String? {
        context.application.defaultPolicy.flatMap { try? current($0.name, in: context.scope(of: $0)) }.flatMap {
            idToken(of: $0)
        }
    }
}
