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
        let (context, session, person) = (context, session, reference(to: signedIn))
        return try await withUnlockedStore(policy: policy.name, of: signedIn) { store in
            var options = options
            options.loginHint = options.loginHint ?? signedIn.profile.hint
            options.idTokenHint = store.idToken(of: signedIn)
            let browser = InteractiveFlow(
                context: context, policy: policy, surface: surface, responseMode: options.responseMode, person: person)
            return try await context.holdingSignInLock(of: policy, on: surface) {
                try await browser.run { window in
                    let grant = try await window.grant(scopes, options)
                    guard grant.account.person == signedIn.account.person else {
                        throw SusiError.profileSavedOfOther(grant.label, expected: signedIn.label, person)
                    }
                    let edit = ProfileEdit(context: context, session: session, store: store, policy: policy)
                    let result = try await edit.save(grant, scopes)
                    return (result, .edited(result.account))
                }
            }
        }
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
        let browser = InteractiveFlow(
            context: context, policy: policy, surface: surface, responseMode: options.responseMode)
        return try await mappingErrors(policy: policy.name) {
            try await browser.run { window in
                let label = try await window.grant(ScopeSet([]), options).label
                return ((policy, label), .passwordSet(label))
            }
        }
    }
}

/// Stores an edited profile, and refreshes every account of its person.
private struct ProfileEdit {
    let context: ClientContext
    let session: StoreSession
    let store: AccountStore
    let policy: Policy

    /// Stores the tokens of the edit. Access tokens with the old claims are dropped.
    func save(_ grant: TokenGrant, _ scopes: ScopeSet) async throws -> EditResult {
        let keeper = SignInKeeper(context: context, policy: policy, scopes: SignInScopes(exactly: scopes))
        let account = try keeper.save(grant, in: store).account
        try store.dropAccessTokens(of: account.account, except: grant.accessToken?.scopes)
        var updated: [StoredAccount] = []
        var stale: [(account: StoredAccount, reason: SusiError)] = []
        for (other, policy) in others(of: account) {
            do { updated.append(try await refreshClaims(of: other, under: policy)) } catch {
                let error = SusiError(error, application: context.application, policy: policy.name)
                let finder = AccountFinder(context: context, store: store)
                stale.append((other, error.demanding(finder.reference(to: other))))
            }
        }
        return EditResult(account: account, updated: updated, stale: stale)
    }

    // Damaged accounts are among them: they cannot be refreshed, and that is reported.
    private func others(of edited: StoredAccount) -> [(StoredAccount, Policy)] {
        let clientID = context.application.clientID
        let all = (try? store.accounts(of: edited.account.person, clientID: clientID)) ?? []
        return context.application.policies.filter { $0.name != edited.account.policy }.compactMap { policy in
            all.first { $0.account.policy == policy.name }.map { ($0, policy) }
        }
    }

    // One token is refreshed, which returns the new claims. The account's other tokens have the old claims and are
    // dropped; they are fetched again when they are needed.
    private func refreshClaims(of account: StoredAccount, under policy: Policy) async throws -> StoredAccount {
        let scopes = account.tokens.first { $0.kind == .access }?.scopes ?? ScopeSet([])
        let flow = SilentFlow(
            context: context, session: session, account: account, policy: policy,
            wanted: WantedScopes(own: scopes, all: scopes))
        let token = try await flow.renewClaims(in: store)
        try store.dropAccessTokens(of: account.account, except: token?.info.scopes)
        return try store.account(account.account) ?? account
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
