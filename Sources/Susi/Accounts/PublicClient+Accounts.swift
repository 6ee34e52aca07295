import SusiOAuth
public import SusiPolicies
public import SusiStore

extension PublicClient {
    /// All accounts of the application, or those of one policy, in the order of label, then policy.
    public func accounts(policy name: PolicyName? = nil) async throws(SusiError) -> [StoredAccount] {
        let (policy, scopes) = try await reached(name)
        return try await explained { try existingStore()?.accounts(of: scopes, policy: policy?.name) ?? [] }
    }

    /// How many accounts the application has, or one policy of it.
    public func accountCount(policy name: PolicyName? = nil) async throws(SusiError) -> Int {
        let (policy, scopes) = try await reached(name)
        return try await explained { try existingStore()?.count(of: scopes, policy: policy?.name) ?? 0 }
    }

    /// The accounts of the same person under every policy of the application. Damaged ones are among them.
    public func accounts(ofPersonOf account: StoredAccount) async throws(SusiError) -> [StoredAccount] {
        try await explained {
            try existingStore()?.accounts(of: account.account.person, clientID: application.clientID) ?? []
        }
    }

    private func reached(
        _ name: PolicyName?
    ) async throws(SusiError) -> (policy: Policy?, scopes: Set<ApplicationScope>) {
        guard let name else { return (nil, scopes) }
        let policy = try policy(name)
        return (policy, [scope(of: policy)])
    }

    /// The current account of a policy and the one before it.
    public func current(_ policy: Policy) async throws(SusiError) -> (current: StoredAccount?, previous: StoredAccount?)
    {
        try await explained {
            guard let store = try existingStore() else { return (nil, nil) }
            let scope = scope(of: policy)
            return (try store.current(policy.name, in: scope), try store.previous(policy.name, in: scope))
        }
    }

    /// Who signed out last under a policy, while nobody is current there.
    public func signedOut(_ policy: Policy) async throws(SusiError) -> SignOutNote? {
        try await explained { try existingStore()?.signedOut(policy.name, in: scope(of: policy)) }
    }

    /// The account that a selection means.
    ///
    /// ``SusiError/Code/signInNeeded`` when nobody is signed in under the policy, `unknownAccount` and
    /// `ambiguousAccount` with the candidates when a text does not choose one.
    public func account(_ selection: AccountSelection) async throws(SusiError) -> StoredAccount {
        let application = application
        let policy = try await explained { try application.choosePolicy(selection.policy) }
        guard let text = selection.text else {
            if let account = try await current(policy).current { return account }
            throw await noCurrent(policy)
        }
        let found = try await find(text, policy, matching: selection.matching)
        return try await single(found, text, policy, maySignIn: true)
    }

    /// Makes an account its policy's current one. Returns the account and the one that was current before.
    public func switchTo(
        _ selection: AccountSelection
    ) async throws(SusiError) -> (account: StoredAccount, previous: StoredAccount?) {
        try await makeCurrent(try await account(selection))
    }

    /// Makes the previous account of a policy current again.
    public func switchBack(
        policy name: PolicyName?
    ) async throws(SusiError) -> (account: StoredAccount, previous: StoredAccount?) {
        let application = application
        let policy = try await explained { try application.choosePolicy(name) }
        guard let previous = try await current(policy).previous else {
            throw SusiError(
                .unknownAccount, "no previous account under \(policy.name)",
                next: "\(SuggestedCommand("accounts").option("-p", policy.name.spelling))")
        }
        return try await makeCurrent(previous)
    }

    private func makeCurrent(
        _ account: StoredAccount
    ) async throws(SusiError) -> (account: StoredAccount, previous: StoredAccount?) {
        try await explained {
            let store = try store()
            let policy = try application.choosePolicy(exactly: account.account.policy)
            let scope = scope(of: policy)
            let before = try store.current(policy.name, in: scope)
            try store.makeCurrent(account.account, in: scope)
            return (account, before?.account == account.account ? nil : before)
        }
    }

    /// How many accounts an error names at most of those that one could take.
    private static let mostCandidates = 20

    private func noCurrent(_ policy: Policy) async -> SusiError {
        let scopes: Set = [scope(of: policy)]
        let others = (try? existingStore()?.accounts(of: scopes, policy: policy.name, limit: Self.mostCandidates)) ?? []
        guard let first = others.first else { return Self.signInNeeded(policy, .noAccount) }
        let before = try? await current(policy).previous
        return SusiError(
            .signInNeeded, "no current account under \(policy.name)",
            why: await whyNoneIsCurrent(policy),
            next:
                "\(SuggestedCommand("switch", reference(to: before ?? first).text).option("-p", policy.name.spelling))",
            candidates: others.map(\.label))
    }

    // Only what the store knows: a sign-out leaves a note, and an account that was current before another one stays the
    // previous one when that other is removed.
    private func whyNoneIsCurrent(_ policy: Policy) async -> String {
        if let note = try? await signedOut(policy) {
            return "\(note.label) signed out; choose another account"
        }
        if let before = try? await current(policy).previous {
            return "the current account was removed; the one before it was \(before.label)"
        }
        return "accounts are stored, but none is chosen"
    }
}
