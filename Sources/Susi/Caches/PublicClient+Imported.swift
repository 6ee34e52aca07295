import SusiHTTP
import SusiOAuth
package import SusiPolicies
public import SusiStore

extension PublicClient {
    /// Returns the imported tokens that were not used yet, of the application or of one policy.
    package func imported(policy name: PolicyName? = nil) async throws(SusiError) -> [ImportedToken] {
        let named = try name.map { name throws(SusiError) in try policy(name) }
        let scopes = Set((named.map { [$0] } ?? application.policies).map(context.scope))
            .sorted { ($0.origin, $0.tenantName) < ($1.origin, $1.tenantName) }
        return try await withExistingStore(unlocks: false) { store in
            try store.map { store in try scopes.flatMap { try store.imported(in: $0, policy: named?.name) } } ?? []
        }
    }

    /// Returns the imported tokens with this address or identifier.
    package func imported(
        _ text: String, policy name: PolicyName? = nil
    ) async throws(SusiError) -> [ImportedToken] {
        let text = text.lowercased()
        return try await imported(policy: name).filter { $0.isNamed(text) }
    }

    /// Returns the imported tokens whose label begins with a text, or whose identifier is a GUID that does. A complete name is
    /// no beginning.
    func imported(
        beginningWith text: String, policy name: PolicyName?
    ) async throws(SusiError) -> [ImportedToken] {
        guard !text.isEmpty, !text.isCompleteName else { return [] }
        let text = text.lowercased()
        return try await imported(policy: name).filter { $0.mayBeMeant(by: text) }
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
        let name = selection.isCurrent ? nil : selection.text
        let flow = AdoptionFlow(context: context, token: token, policy: policy, name: name)
        return try await withUnlockedStore(policy: policy.name) { try await flow.account(asking: scopes, in: $0) }
    }

    /// Returns the imported token that a selection means: its text matches no account but an imported token, or there is no
    /// account and one imported token.
    func waiting(_ selection: AccountSelection, under policy: Policy) async throws(SusiError) -> ImportedToken? {
        let waiting: [ImportedToken]
        switch selection.means {
        case .current:
            guard try await accountCount(policy: policy.name) == 0 else { return nil }
            waiting = try await imported(policy: policy.name)
        case .name(let text):
            guard try await find(text, policy).isEmpty else { return nil }
            waiting = try await imported(text, policy: policy.name)
        case .account: return nil
        }
        guard waiting.count <= 1 else { throw SusiError.severalImported(waiting, policy) }
        return waiting.first
    }
}

extension ImportedToken {
    // Both get a text in lower case.
    fileprivate func isNamed(_ text: String) -> Bool {
        ([name] + identifiers).contains { $0.lowercased() == text }
    }

    fileprivate func mayBeMeant(by start: String) -> Bool {
        // Other identifiers have no fixed length, so that a beginning cannot be recognized.
        let identifiers =
            start.utf8.count > 3 && start.mayBeginGUID ? identifiers.filter { String($0.prefix(36)).isGUID } : []
        return ([label] + identifiers).contains { $0.lowercased().hasPrefix(start) }
    }
}
