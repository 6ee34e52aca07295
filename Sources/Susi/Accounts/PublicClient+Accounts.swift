import SusiOAuth
public import SusiPolicies
public import SusiStore

extension PublicClient {
    /// Returns all accounts of the application, in every tenant, or those of one policy, sorted by label, then policy.
    public func accounts(policy name: PolicyName? = nil) async throws(SusiError) -> [StoredAccount] {
        let (policy, scopes) = try area(of: name)
        let leavesOutGuests = context.leavesOutGuests(policy)
        return try await withExistingStore { store in
            try store?.accounts(of: scopes, policy: policy?.name, leavesOutGuests: leavesOutGuests) ?? []
        }
    }

    /// Returns the number of accounts of the application, or of one of its policies.
    package func accountCount(policy name: PolicyName? = nil) async throws(SusiError) -> Int {
        let (policy, scopes) = try area(of: name)
        let leavesOutGuests = context.leavesOutGuests(policy)
        return try await withExistingStore(unlocks: false) { store in
            try store?.count(of: scopes, policy: policy?.name, leavesOutGuests: leavesOutGuests) ?? 0
        }
    }

    /// Returns the accounts of the same person under every policy of the application, damaged ones included.
    public func accounts(ofPersonOf account: StoredAccount) async throws(SusiError) -> [StoredAccount] {
        let clientID = application.clientID
        return try await withExistingStore { try $0?.accounts(of: account.account.person, clientID: clientID) ?? [] }
    }

    private nonisolated func area(
        of name: PolicyName?
    ) throws(SusiError) -> (policy: Policy?, scopes: Set<ApplicationScope>) {
        guard let name else { return (nil, context.listedScopes) }
        let policy = try policy(name)
        return (policy, [context.scope(of: policy)])
    }

    /// Returns the current account of a policy and the one before it. In another tenant, where no person has signed in on a page,
    /// that is the account of the person who is current at home.
    public func current(_ policy: Policy) async throws(SusiError) -> (current: StoredAccount?, previous: StoredAccount?)
    {
        let scope = context.scope(of: policy)
        let (current, previous) = try await withExistingStore { store in
            (try store?.current(policy.name, in: scope), try store?.previous(policy.name, in: scope))
        }
        guard current == nil, let home = try await currentAtHome(policy) else { return (current, previous) }
        return (try await account(of: home, under: policy), previous)
    }

    /// Returns who signed out last under a policy that has no current account.
    package func signedOut(_ policy: Policy) async throws(SusiError) -> SignOutNote? {
        let scope = context.scope(of: policy)
        return try await withExistingStore(unlocks: false) { try $0?.signedOut(policy.name, in: scope) }
    }

    /// Returns the account that a selection means.
    ///
    /// Throws ``SusiError/Code/signInNeeded`` if no account is signed in under the policy, `unknownAccount` and
    /// `ambiguousAccount` with the candidates if a text does not choose one.
    public func account(_ selection: AccountSelection) async throws(SusiError) -> StoredAccount {
        try await account(selection, maySignIn: true)
    }

    /// Returns the account that a selection means. With `maySignIn`, the error may suggest a sign-in as a new person.
    func account(_ selection: AccountSelection, maySignIn: Bool) async throws(SusiError) -> StoredAccount {
        let policy = try policy(selection.policy)
        guard let search = Search(selection) else {
            if let account = try await current(policy).current { return account }
            throw await noCurrent(policy)
        }
        if let account = try await account(byHomeOf: selection, under: policy) { return account }
        let found = try await stored(search, in: scopes(of: policy), policy)
        return try await single(found, named: selection.text, under: policy, maySignIn: maySignIn)
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
        let policy = try policy(name)
        guard let previous = try await current(policy).previous else { throw SusiError.noPrevious(under: policy) }
        return try await makeCurrent(previous)
    }

    private func makeCurrent(
        _ account: StoredAccount
    ) async throws(SusiError) -> (account: StoredAccount, previous: StoredAccount?) {
        try await checkIsAlone(account)
        let context = context
        return try await withUnlockedStore { store in
            let policy = try context.application.choosePolicy(account.account.policy)
            let scope = context.scope(of: policy)
            let before = try store.current(policy.name, in: scope)
            try store.makeCurrent(account.account, in: scope)
            let now = try store.current(policy.name, in: scope) ?? account
            return (now, before?.account == account.account ? nil : before)
        }
    }

    /// The largest number of candidates in an error.
    private static let mostCandidates = 20

    private func noCurrent(_ policy: Policy) async -> SusiError {
        let (scope, leavesOutGuests) = (context.scope(of: policy), context.leavesOutGuests(policy))
        let others = try? await withExistingStore { store in
            try store?.accounts(
                of: [scope], policy: policy.name, leavesOutGuests: leavesOutGuests, limit: Self.mostCandidates) ?? []
        }
        guard let others, let first = others.first else {
            return .signInNeeded(policy, .noAccount, place: place(of: policy))
        }
        let before = try? await current(policy).previous
        return .noCurrent(
            under: policy, why: await whyNoneIsCurrent(policy), suggested: reference(to: before ?? first).text,
            candidates: others.map(\.label))
    }

    // The store has only two hints: the note of a sign-out, and the previous account, which is kept when the current
    // one is removed.
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
