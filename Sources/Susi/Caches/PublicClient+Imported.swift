import SusiHTTP
import SusiOAuth
public import SusiPolicies
public import SusiStore

extension PublicClient {
    /// Returns the imported tokens that were not used yet, of the application or of one policy.
    public func imported(policy name: PolicyName? = nil) async throws(SusiError) -> [ImportedToken] {
        let named = try name.map { name throws(SusiError) in try policy(name) }
        let scopes = Set((named.map { [$0] } ?? application.policies).map(context.scope))
            .sorted { ($0.origin, $0.tenantName) < ($1.origin, $1.tenantName) }
        return try await withExistingStore(unlocks: false) { store in
            try store.map { store in try scopes.flatMap { try store.imported(in: $0, policy: named?.name) } } ?? []
        }
    }

    /// Returns the imported tokens that a text means: by the whole label or identifier, else by the start of a label, or by four
    /// or more characters of an identifier.
    public func imported(
        _ text: String, policy name: PolicyName? = nil, matching: AccountStore.Matching = .typed
    ) async throws(SusiError) -> [ImportedToken] {
        let all = try await imported(policy: name)
        let text = text.lowercased()
        let exact = all.filter { $0.isNamed(text) }
        guard exact.isEmpty, matching == .typed, !text.isEmpty else { return exact }
        return all.filter { $0.mayBeMeant(by: text) }
    }

    /// Removes an imported token that was never used. Returns `false` if it does not exist any more.
    @discardableResult
    public func remove(_ token: ImportedToken) async throws(SusiError) -> Bool {
        try await withUnlockedStore(policy: token.key.policy) { try $0.removeImported(token.key) }
    }

    /// Returns the account of a selection after the first use of its imported token, if that is what the selection means.
    func adopted(
        _ selection: AccountSelection, under policy: Policy, scopes: ScopeSet
    ) async throws(SusiError) -> StoredAccount? {
        guard let token = try await waiting(selection, under: policy) else { return nil }
        let flow = AdoptionFlow(context: context, token: token, policy: policy, name: selection.text)
        return try await withUnlockedStore(policy: policy.name) { try await flow.account(asking: scopes, in: $0) }
    }

    /// Returns the imported token that a selection means: its text matches no account but an imported token, or there is no
    /// account and one imported token.
    func waiting(_ selection: AccountSelection, under policy: Policy) async throws(SusiError) -> ImportedToken? {
        let waiting: [ImportedToken]
        if let text = selection.text {
            guard try await find(text, policy, matching: selection.matching).isEmpty else { return nil }
            waiting = try await imported(text, policy: policy.name, matching: selection.matching)
        } else {
            guard try await accountCount(policy: policy.name) == 0 else { return nil }
            waiting = try await imported(policy: policy.name)
        }
        guard waiting.count <= 1 else { throw SusiError.severalImported(waiting, policy) }
        return waiting.first
    }
}

extension ImportedToken {
    // Both get a text in lower case.
    fileprivate func isNamed(_ text: String) -> Bool {
        ([label] + identifiers).contains { $0.lowercased() == text }
    }

    fileprivate func mayBeMeant(by start: String) -> Bool {
        ([label] + (start.count < 4 ? [] : identifiers)).contains { $0.lowercased().hasPrefix(start) }
    }
}
