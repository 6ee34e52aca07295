import SusiOAuth
public import SusiPolicies
public import SusiStore

extension PublicClient {
    /// Returns all accounts of the application, in every tenant, or those of one policy, sorted by label, then policy.
    public func accounts(policy name: PolicyName? = nil) async throws(SusiError) -> [StoredAccount] {
        let (context, policy) = (context, try self.policy(ifNamed: name))
        return try await withExistingStore { store in
            try store.map { try $0.accounts(in: context.listedArea(of: policy, in: $0)) } ?? []
        }
    }

    /// Returns the number of accounts of a policy.
    package func accountCount(policy name: PolicyName) async throws(SusiError) -> Int {
        let policy = try policy(name)
        let area = context.area(of: policy)
        let countsEach = policy.kind.keepsAccounts && !context.registration(of: policy).spansTenants
        return try await withExistingStore(unlocks: false) { store in
            try store?.count(of: area.registrations, policy: policy.name, where: countsEach ? nil : area.includes) ?? 0
        }
    }

    /// Returns the accounts of the same person under every policy of the account's application, damaged ones included.
    public func accounts(ofPersonOf account: StoredAccount) async throws(SusiError) -> [StoredAccount] {
        let account = account.account
        return try await withExistingStore { try $0?.accounts(of: account.person, clientID: account.clientID) ?? [] }
    }

    nonisolated func policy(ifNamed name: PolicyName?) throws(SusiError) -> Policy? {
        guard let name else { return nil }
        return try policy(name)
    }

    /// Returns the current account of a policy and the one before it. In another tenant, where no person has signed in on a page,
    /// that is the account of the person who is current at home.
    public func current(_ policy: Policy) async throws(SusiError) -> (current: StoredAccount?, previous: StoredAccount?)
    {
        try await finding { try $0.current(policy) }
    }

    /// Returns the same for a list, even if an account cannot be decrypted (`StoredAccount.damage`).
    package func listedCurrent(
        _ policy: Policy
    ) async throws(SusiError) -> (current: StoredAccount?, previous: StoredAccount?) {
        try await finding { try $0.current(policy, acceptsDamage: true) }
    }

    /// Returns who signed out last under a policy that has no current account.
    package func signedOut(_ policy: Policy) async throws(SusiError) -> SignOutNote? {
        let registration = context.registration(of: policy)
        return try await withExistingStore(unlocks: false) { try $0?.signedOut(policy.name, in: registration) }
    }

    /// Returns the account that a selection means.
    ///
    /// Throws ``SusiError/Code/signInNeeded`` if no account is signed in under the policy, `unknownAccount` and
    /// `ambiguousAccount` with the candidates if a text does not choose one.
    public func account(_ selection: AccountSelection = .current) async throws(SusiError) -> StoredAccount {
        try await account(selection, suggestingSignIn: true)
    }

    /// Returns the account that a selection means. With `suggestingSignIn`, the error may suggest a sign-in as a new person.
    func account(_ selection: AccountSelection, suggestingSignIn: Bool) async throws(SusiError) -> StoredAccount {
        let policy = try policy(selection.policy)
        return try await finding { try $0.account(selection, under: policy, suggestingSignIn: suggestingSignIn) }
    }

    /// Returns the person whom a selection means for a sign-in, and the account that a shortened name chose
    /// (`AccountFinder.expected`). The policy is that of the API if none is named.
    package func expectedPerson(
        _ selection: AccountSelection, api: String? = nil, completing: Bool = false
    ) async throws(SusiError) -> (person: ExpectedPerson?, shortFor: StoredAccount?) {
        let policy = try choose { try $0.target(api: api, policy: selection.policy).policy }
        return try await finding { try $0.expected(selection, under: policy, completing: completing) }
    }

    /// Makes an account its policy's current one. Returns the account and the one that was current before.
    @discardableResult
    public func switchTo(
        _ selection: AccountSelection
    ) async throws(SusiError) -> (account: StoredAccount, previous: StoredAccount?) {
        try await makeCurrent(try await account(selection))
    }

    /// Makes the previous account of a policy current again.
    @discardableResult
    public func switchBack(
        policy name: PolicyName? = nil
    ) async throws(SusiError) -> (account: StoredAccount, previous: StoredAccount?) {
        let policy = try policy(name)
        guard let previous = try await current(policy).previous else { throw SusiError.noPrevious(under: policy) }
        return try await makeCurrent(previous)
    }

    private func makeCurrent(
        _ account: StoredAccount
    ) async throws(SusiError) -> (account: StoredAccount, previous: StoredAccount?) {
        let context = context
        return try await withUnlockedStore { store in
            let policy = try context.application.choosePolicy(account.account.policy)
            let registration = context.registration(of: policy)
            let before = try store.current(policy.name, in: registration)
            try store.makeCurrent(account.account, in: registration)
            let now = try store.current(policy.name, in: registration) ?? account
            return (now, before?.account == account.account ? nil : before)
        }
    }
}
