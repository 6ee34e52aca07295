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
    /// ``SusiError/Code/differentPerson``, and nothing is stored.
    public func editProfile(
        of selection: AccountSelection, policy name: PolicyName?, through surface: SignInSurface
    ) async throws(SusiError) -> EditResult {
        let application = application
        let policy = try await explained { try application.choosePolicy(name, of: .editProfile) }
        let signedIn = try await account(selection)
        let asked = ScopeSet(try await explained { try application.target(api: nil, policy: policy.name).scopes })
        return try await explained(policy.name) {
            _ = try store()
            let flow = flow(policy, asked, prompt: nil, loginHint: signedIn.profile.emails.first, surface)
            return try await flow.run { grant in
                try Self.check(grant, isPersonOf: signedIn)
                let result = try await self.keep(grant, asked, policy, makesCurrent: true)
                let others = await self.refreshOthers(of: result.account)
                let edited = EditResult(account: result.account, updated: others.updated, stale: others.stale)
                return (edited, .edited(result.account))
            }
        }
    }

    /// Runs the password-reset policy. Its tokens are checked and not kept: the next sign-in brings the account's own.
    ///
    /// Returns what to call the person who set a new password.
    public func resetPassword(
        policy name: PolicyName?, through surface: SignInSurface
    ) async throws(SusiError) -> (policy: Policy, label: String) {
        let application = application
        let policy = try await explained { try application.choosePolicy(name, of: .passwordReset) }
        return try await explained(policy.name) {
            try await flow(policy, ScopeSet([]), prompt: nil, loginHint: nil, surface).run { grant in
                let label = grant.profile.label ?? grant.account.person.subject
                let page = Page(
                    title: "Password set", text: "\(label) has a new password. You can close this window.")
                return ((policy, label), page)
            }
        }
    }

    private static func check(_ grant: TokenGrant, isPersonOf account: StoredAccount) throws(SusiError) {
        guard grant.account.person != account.account.person else { return }
        throw SusiError(
            .differentPerson,
            "\(grant.profile.label ?? grant.account.person.subject) came back, not \(account.label)",
            why:
                "the browser is signed in as somebody else, whose profile was saved at the tenant; nothing was stored here",
            next: "sign out in the browser, then susi edit-profile -a \(account.label.shellWord)")
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
                stale.append((stored, SusiError(error, application: application, policy: policy.name)))
            }
        }
        return (updated, stale)
    }

    private func refreshClaims(of account: StoredAccount, _ policy: Policy) async throws -> StoredAccount {
        let scopes = account.tokens.first { $0.kind == .access }?.scopes ?? ScopeSet([])
        _ = try await refresh(account, policy, scopes)
        return try store().account(account.account) ?? account
    }
}

extension Page {
    static func edited(_ account: StoredAccount) -> Page {
        Page(title: "Profile saved", text: "The profile of \(account.label) is saved. You can close this window.")
    }
}
