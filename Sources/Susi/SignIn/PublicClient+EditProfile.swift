import SusiHTTP
import SusiOAuth
public import SusiPolicies
public import SusiStore

/// The person after an edit, and the accounts that have the new claims. The edit policy itself keeps no account.
public struct EditResult: Sendable {
    /// The edit policy.
    public let policy: Policy
    /// Who edited the profile.
    public let person: Person
    /// The label of the person, with the new profile.
    public let label: String
    /// The claims of the edit's ID token, as the JSON text that was signed.
    public let claims: String
    /// The name and the label of the person, with the new profile.
    package let title: String
    /// The person's accounts, signed in again, with the new claims.
    public let updated: [StoredAccount]
    /// The person's accounts that the browser did not sign in again, with the reason and the sign-in that does.
    public let stale: [(account: StoredAccount, reason: SusiError)]
}

extension PublicClient {
    /// Lets the person of an account edit the profile, then signs the person's accounts in again. The profile in the signed response is
    /// stored with the person at once.
    ///
    /// A refresh would not bring the new claims: Azure AD B2C repeats those of the sign-in. The same window therefore goes on to
    /// the policies of these accounts, without a page (`prompt=none`, OpenID Connect Core 3.1.2.1); where the session does not
    /// reach them, the result has the reason.
    ///
    /// No prompt is sent with the edit, so that the browser's session is used. Throws ``SusiError/Code/differentPerson`` and
    /// stores nothing if another person signs in. Of `options`, the hints, the languages, the extra parameters and the response
    /// mode are used.
    @discardableResult
    public func editProfile(
        of selection: AccountSelection = .current, policy name: PolicyName? = nil,
        options: AuthorizationOptions = AuthorizationOptions(), through surface: SignInSurface = SignInSurface()
    ) async throws(SusiError) -> EditResult {
        let policy = try choose { try $0.choosePolicy(name, of: .editProfile) }
        let signedIn = try await account(selection)
        let (context, person) = (context, reference(to: signedIn))
        return try await withUnlockedStore(policy: policy.name, of: signedIn) { store in
            var options = options
            options.loginHint = options.loginHint ?? signedIn.profile.hint
            options.storedIDToken = context.idTokenHint(from: signedIn, for: policy, in: store)
            let lock = try await context.pageLock(of: policy, on: surface)
            defer { withExtendedLifetime(lock) {} }
            return try await BrowserWindow.open(
                under: policy, on: surface, responseMode: options.responseMode, expecting: person, context
            ) { window in
                let grant = try await window.tokens(for: ScopeSet([]), options)
                guard grant.account.person == signedIn.account.person else {
                    throw SusiError.profileSavedOfOther(grant.label, expected: signedIn.label, person)
                }
                try store.saveProfile(of: grant)
                let edited = try store.account(signedIn.account) ?? signedIn
                let (updated, stale) = await Renewal(context: context, store: store).run(
                    for: grant.account.person, after: policy, in: &window)
                let result = EditResult(
                    policy: policy, person: grant.account.person, label: edited.label, claims: grant.claims ?? "{}",
                    title: edited.title, updated: updated, stale: stale)
                return (result, .edited(result.label))
            }
        }
    }

    /// Runs the password-reset policy, then signs the person's accounts in again as ``editProfile(of:policy:options:through:)``
    /// does, whose `options` it has: the tenant ends their refresh tokens with the old password (AADB2C90129). The tokens of the
    /// reset are checked and not stored. Returns the label of the person who set a new password too.
    @discardableResult
    public func resetPassword(
        policy name: PolicyName? = nil, options: AuthorizationOptions = AuthorizationOptions(),
        through surface: SignInSurface = SignInSurface()
    ) async throws(SusiError) -> (
        policy: Policy, label: String, updated: [StoredAccount], stale: [(account: StoredAccount, reason: SusiError)]
    ) {
        let policy = try choose { try $0.choosePolicy(name, of: .passwordReset) }
        var options = options
        let (context, session) = (context, session)
        options.storedIDToken = (try? session.peek()).flatMap { $0 }.flatMap { store in
            let current = context.application.defaultPolicy.flatMap {
                try? store.current($0.name, in: context.registration(of: $0))
            }
            return context.idTokenHint(from: current, for: policy, in: store)
        }
        return try await mappingErrors(policy: policy.name) {
            try await BrowserWindow.open(
                under: policy, on: surface, responseMode: options.responseMode, context
            ) { window in
                let grant = try await window.tokens(for: ScopeSet([]), options)
                let renewal = (try? await session.existing()).map { Renewal(context: context, store: $0) }
                let others = await renewal?.run(for: grant.account.person, after: policy, in: &window)
                return (
                    (policy, grant.label, others?.updated ?? [], others?.stale ?? []), .passwordSet(grant.label)
                )
            }
        }
    }
}

/// Signs the accounts of a person in again, through the window in which the person has just changed something.
private struct Renewal {
    let context: ClientContext
    let store: AccountStore

    func run(
        for person: Person, after changed: Policy, in window: inout BrowserWindow
    ) async -> (updated: [StoredAccount], stale: [(account: StoredAccount, reason: SusiError)]) {
        var updated: [StoredAccount] = []
        var stale: [(account: StoredAccount, reason: SusiError)] = []
        for (account, policy) in others(of: person) {
            do { updated.append(try await renewed(account, under: policy, in: &window)) } catch {
                let error = context.explained(error, under: policy.name)
                let finder = AccountFinder(context: context, store: store)
                stale.append(
                    (account, .notRenewed(policy, after: changed, error).demanding(finder.reference(to: account))))
            }
        }
        return (updated, stale)
    }

    // Damaged accounts are among them: a sign-in repairs them.
    private func others(of person: Person) -> [(StoredAccount, Policy)] {
        let all = (try? store.accounts(of: person, clientID: context.application.clientID)) ?? []
        return context.application.policies.compactMap { policy in
            all.first { $0.account.policy == policy.name && context.owns($0, in: store) }.map { ($0, policy) }
        }
    }

    private func renewed(
        _ account: StoredAccount, under policy: Policy, in window: inout BrowserWindow
    ) async throws -> StoredAccount {
        guard policy.kind == .signUpOrSignIn else { throw SusiError.noSignInPage(policy) }
        let scopes = account.tokens.first { $0.kind == .access }?.scopes ?? ScopeSet([])
        let grant = try await window.tokensOfSession(
            under: policy, for: scopes, storedIDToken: store.idToken(of: account))
        guard grant.account == account.account else {
            throw SusiError.otherPerson(grant.label, expected: account.label, next: .run(policy), of: nil)
        }
        // The account's other tokens have the old claims and are dropped; they are fetched again when they are needed.
        return try store.saveSignIn(
            grant, for: WantedScopes(exactly: scopes), under: policy, makesCurrent: false, context
        ) { _ in true }
    }
}
