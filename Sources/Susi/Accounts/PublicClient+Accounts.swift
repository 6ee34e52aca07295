import SusiOAuth
public import SusiPolicies
public import SusiStore

extension PublicClient {
    /// All accounts of the application, or those of one policy.
    public func accounts(policy name: PolicyName? = nil) async throws(SusiError) -> [StoredAccount] {
        try await explained {
            guard let store = try existingStore() else { return [] }
            let named = try name.map { try application.choosePolicy($0) }
            let policies = named.map { [$0] } ?? application.policies
            // Policies with an authority of their own may live in another tenant.
            let scopes = Set(policies.map { scope(of: $0) })
            var accounts: [StoredAccount] = []
            for scope in scopes.sorted(by: { ($0.origin, $0.tenantName) < ($1.origin, $1.tenantName) }) {
                accounts += try store.accounts(of: scope, policy: named?.name)
            }
            return accounts
        }
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
        let found = try await find(text, policy)
        return try await single(found, text, policy)
    }

    /// Makes an account its policy's current one. Returns the account and the one that was current before.
    public func switchTo(
        _ selection: AccountSelection
    ) async throws(SusiError) -> (account: StoredAccount, previous: StoredAccount?) {
        let account = try await account(selection)
        return try await makeCurrent(account)
    }

    /// Makes the previous account of a policy current again.
    public func switchBack(
        policy name: PolicyName?
    ) async throws(SusiError) -> (account: StoredAccount, previous: StoredAccount?) {
        let application = application
        let policy = try await explained { try application.choosePolicy(name) }
        guard let previous = try await current(policy).previous else {
            throw SusiError(
                .unknownAccount, "There is no previous account under “\(policy.name)”",
                next: "susi accounts -p \(policy.name)")
        }
        return try await makeCurrent(previous)
    }

    /// Removes one account with its tokens; every other account stays as it is.
    public func remove(_ account: StoredAccount) async throws(SusiError) -> Removal {
        try await explained(account.account.policy) { try store().remove(account.account) }
    }

    /// The accounts that a text may mean, under one policy or under all.
    public func find(_ text: String, _ policy: Policy?) async throws(SusiError) -> [StoredAccount] {
        try await explained {
            guard let store = try existingStore() else { return [] }
            let scopes = Set((policy.map { [$0] } ?? application.policies).map { scope(of: $0) })
            return try scopes.flatMap { try store.find(text, in: $0, policy: policy?.name) }
        }
    }

    /// The one account of a search, or the error that says why there is not one.
    public func single(
        _ found: [StoredAccount], _ text: String, _ policy: Policy?
    ) async throws(SusiError) -> StoredAccount {
        if found.count == 1 { return found[0] }
        let place = policy.map { " under “\($0.name)”" } ?? ""
        guard found.isEmpty else {
            throw SusiError(
                .ambiguousAccount, "“\(text)” means \(found.count) accounts\(place)",
                next: "name one of them with more characters, or its policy with -p",
                candidates: found.map { "\($0.label)  \($0.account.policy)  \($0.account.person.subject)" })
        }
        if let waiting = try await imported(text, policy: policy?.name).first {
            throw SusiError(
                .unknownAccount, "\(waiting.label) was imported and is no account yet",
                why: "the first token makes it one", next: "susi token -p \(waiting.key.policy) -a \(text.shellWord)")
        }
        let labels = try await accounts(policy: policy?.name).map(\.label)
        throw SusiError(
            .unknownAccount, "There is no account “\(text)”\(place)",
            why: Self.meant(text, labels).map { "did you mean “\($0)”?" } ?? "",
            next: "susi accounts", candidates: Array(Set(labels)).sorted())
    }

    private static func meant(_ text: String, _ labels: [String]) -> String? {
        let begun = Set(labels.filter { $0.lowercased().hasPrefix(text.lowercased()) })
        return begun.count == 1 ? begun.first : NearMatch.of(text, in: labels)
    }

    private func makeCurrent(
        _ account: StoredAccount
    ) async throws(SusiError) -> (account: StoredAccount, previous: StoredAccount?) {
        try await explained {
            let store = try store()
            let before =
                try application.policy(account.account.policy).flatMap {
                    try store.current($0.name, in: scope(of: $0))
                }
            try store.makeCurrent(account.account)
            return (account, before?.account == account.account ? nil : before)
        }
    }

    private func noCurrent(_ policy: Policy) async -> SusiError {
        let others = (try? await accounts(policy: policy.name)) ?? []
        if others.isEmpty { return Self.signInNeeded(policy, .noAccount) }
        return SusiError(
            .signInNeeded, "No account is current under “\(policy.name)”",
            why: "the current one was removed, and no other takes its place by itself",
            next: "susi switch \(others[0].label.shellWord) -p \(policy.name)", candidates: others.map(\.label))
    }
}
