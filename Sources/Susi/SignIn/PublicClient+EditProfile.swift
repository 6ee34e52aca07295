import SusiHTTP
import SusiOAuth
public import SusiPolicies
public import SusiStore

/// How an edit ended.
public struct EditResult: Sendable {
    /// The edit policy's own account of the person.
    public let account: StoredAccount
    /// The person's other accounts whose claims are fresh now.
    public let updated: [StoredAccount]
    /// The person's other accounts whose claims could not be brought up to date, with the reason.
    public let stale: [(account: StoredAccount, reason: SusiError)]
}

extension PublicClient {
    /// Lets the person of an account edit the profile, then brings every account of that person up to date.
    ///
    /// No prompt is sent, so that the browser's session serves. Somebody else who comes back is refused with
    /// ``SusiError/Code/differentPerson``, and nothing is stored. Of `options` the hints, the languages, the extra
    /// parameters and the response mode are taken.
    public func editProfile(
        of selection: AccountSelection, policy name: PolicyName?,
        options: AuthorizationOptions = AuthorizationOptions(), through surface: SignInSurface
    ) async throws(SusiError) -> EditResult {
        let application = application
        let policy = try await explained { try application.choosePolicy(name, of: .editProfile) }
        let signedIn = try await account(selection)
        let asked = ScopeSet(try await explained { try application.target(api: nil, policy: policy.name).scopes })
        return try await explained(policy.name, of: signedIn) {
            _ = try store()
            var options = options
            options.loginHint = options.loginHint ?? signedIn.profile.hint
            options.idTokenHint = idToken(signedIn)
            let person = reference(to: signedIn)
            var flow = flow(policy, asked, options, surface)
            flow.person = person
            let edit = flow
            return try await SignInLock.with(policy.name, scope(of: policy), in: folder, surface) {
                try await edit.run { grant in
                    try Self.check(grant, isPersonOf: signedIn, person)
                    let wanted = WantedScopes(own: asked, all: asked)
                    let result = try await self.keep(grant, wanted, policy, makesCurrent: true)
                    try await self.dropStaleTokens(of: result.account, except: grant.accessToken?.scopes)
                    let others = await self.refreshOthers(of: result.account)
                    let edited = EditResult(account: result.account, updated: others.updated, stale: others.stale)
                    return (edited, .edited(result.account))
                }
            }
        }
    }

    /// Runs the password-reset policy. Its tokens are checked and not kept: the next sign-in brings the account's own.
    ///
    /// Returns what to call the person who set a new password. `options` are those of ``editProfile(of:policy:options:through:)``.
    public func resetPassword(
        policy name: PolicyName?, options: AuthorizationOptions = AuthorizationOptions(),
        through surface: SignInSurface
    ) async throws(SusiError) -> (policy: Policy, label: String) {
        let application = application
        let policy = try await explained { try application.choosePolicy(name, of: .passwordReset) }
        return try await explained(policy.name) {
            var options = options
            options.idTokenHint = application.defaultPolicy.flatMap { likelyAccount(nil, $0) }.flatMap(idToken)
            return try await flow(policy, ScopeSet([]), options, surface).run { grant in
                let label = grant.profile.label ?? grant.account.person.subject
                let page = Page(
                    outcome: .success, title: "Password set", text: "\(label) has a new password.")
                return ((policy, label), page)
            }
        }
    }

    private func dropStaleTokens(of account: StoredAccount, except scopes: ScopeSet?) throws {
        try store().dropAccessTokens(of: account.account, except: scopes)
    }

    private static func check(
        _ grant: TokenGrant, isPersonOf account: StoredAccount, _ person: PersonReference
    ) throws(SusiError) {
        guard grant.account.person != account.account.person else { return }
        throw SusiError.profileSavedOfOther(
            grant.profile.label ?? grant.account.person.subject, expected: account.label, person)
    }

    private func refreshOthers(
        of edited: StoredAccount
    ) async -> (updated: [StoredAccount], stale: [(account: StoredAccount, reason: SusiError)]) {
        var updated: [StoredAccount] = []
        var stale: [(account: StoredAccount, reason: SusiError)] = []
        // Damaged accounts are among them: they cannot be brought up to date, and that is said.
        let all = (try? await accounts(ofPersonOf: edited)) ?? []
        for policy in application.policies where policy.name != edited.account.policy {
            let stored = all.first { $0.account.policy == policy.name }
            guard let stored else { continue }
            do { updated.append(try await refreshClaims(of: stored, policy)) } catch {
                let error = SusiError(error, application: application, policy: policy.name)
                stale.append((stored, error.demanding(reference(to: stored))))
            }
        }
        return (updated, stale)
    }

    // One token is renewed, which brings the claims. The account's others hold the old ones and go: the next `token`
    // for their scopes brings them anew.
    private func refreshClaims(of account: StoredAccount, _ policy: Policy) async throws -> StoredAccount {
        let scopes = account.tokens.first { $0.kind == .access }?.scopes ?? ScopeSet([])
        let token = try await refresh(account, policy, scopes)
        try dropStaleTokens(of: account, except: token?.info.scopes)
        return try store().account(account.account) ?? account
    }
}

extension Page {
    static func edited(_ account: StoredAccount) -> Page {
        Page(outcome: .success, title: "Profile saved", text: "Saved the profile of \(account.label).")
    }
}
