import SusiHTTP
import SusiOAuth
public import SusiPolicies
public import SusiStore

extension PublicClient {
    /// The imported tokens that wait for their first use, of the application or of one policy.
    public func imported(policy name: PolicyName? = nil) async throws(SusiError) -> [ImportedToken] {
        try await explained {
            guard let store = try existingStore() else { return [] }
            let named = try name.map { try application.choosePolicy($0) }
            let scopes = Set((named.map { [$0] } ?? application.policies).map { scope(of: $0) })
            return try scopes.sorted { ($0.origin, $0.tenantName) < ($1.origin, $1.tenantName) }
                .flatMap { try store.imported(in: $0, policy: named?.name) }
        }
    }

    /// The imported tokens that a text means: by the whole label or identifier, else by the beginning of a label, or by four
    /// characters or more of an identifier.
    public func imported(
        _ text: String, policy name: PolicyName? = nil, matching: AccountStore.Matching = .typed
    ) async throws(SusiError) -> [ImportedToken] {
        let wanted = text.lowercased()
        let all = try await imported(policy: name)
        let exact = all.filter { token in
            ([token.label] + token.identifiers).contains { $0.lowercased() == wanted }
        }
        guard exact.isEmpty, matching == .typed, !wanted.isEmpty else { return exact }
        return all.filter { token in
            let identifiers = wanted.count < 4 ? [] : token.identifiers
            return ([token.label] + identifiers).contains { $0.lowercased().hasPrefix(wanted) }
        }
    }

    /// Removes an imported token that was never used; false when it is gone already.
    @discardableResult
    public func remove(_ token: ImportedToken) async throws(SusiError) -> Bool {
        try await explained(token.key.policy) { try store().removeImported(token.key) }
    }

    /// The account of a selection after the first use of its imported token, when that is what the selection means.
    func adopted(
        _ selection: AccountSelection, _ policy: Policy, _ scopes: ScopeSet
    ) async throws(SusiError) -> StoredAccount? {
        guard let token = try await waiting(selection, policy) else { return nil }
        return try await explained(policy.name) {
            // Signed claims bear a whole name, not the beginning that was typed of it.
            let isBeginning = { (text: String) in token.label.lowercased().hasPrefix(text.lowercased()) }
            return try await adopt(
                token, policy, scopes, named: selection.text.map { isBeginning($0) ? token.label : $0 })
        }
    }

    /// The imported token that a selection means: its text fits no account but an imported token, or there is no account
    /// and one imported token waits.
    func waiting(_ selection: AccountSelection, _ policy: Policy) async throws(SusiError) -> ImportedToken? {
        let waiting: [ImportedToken]
        if let text = selection.text {
            guard try await find(text, policy, matching: selection.matching).isEmpty else { return nil }
            waiting = try await imported(text, policy: policy.name, matching: selection.matching)
        } else {
            guard try await accountCount(policy: policy.name) == 0 else { return nil }
            waiting = try await imported(policy: policy.name)
        }
        if waiting.isEmpty { return nil }
        guard waiting.count == 1 else { throw SusiError.severalImported(waiting, policy) }
        return waiting[0]
    }

    // Lock, look again, redeem once: a refresh token may be good for one use only.
    private func adopt(
        _ token: ImportedToken, _ policy: Policy, _ scopes: ScopeSet, named text: String?
    ) async throws -> StoredAccount? {
        _ = try store()
        return try await FileLock.with(folder.lock(of: token.key)) {
            guard let secret = try store().importedSecret(token.key) else {
                // Another process was faster: the account is there now.
                return try await find(token.subject ?? token.key.home.description, policy, matching: .exactly).first
            }
            let grant: TokenGrant
            do { grant = try await redeem(secret, policy, scopes) } catch let refusal as ServerRefusal {
                guard refusal.error == "invalid_grant", refusal.consequence.endsGrant else { throw refusal }
                // Only a definite refusal of the grant ends it.
                try store().removeImported(token.key, ifStill: secret)
                throw refusal
            }
            guard token.isOf(grant, named: text) else {
                throw SusiError.importedTokenOfOther(token, policy, subject: grant.account.person.subject)
            }
            // An account that is named for one command does not become current, unless it is the policy's first.
            let isFirst = try store().count(of: [scope(of: policy)], policy: policy.name) == 0
            try store().adopt(
                grant, inPlaceOf: token.key, authority: application.authority(for: policy).base.description,
                makeCurrent: text == nil || isFirst, alone: alone)
            return try store().account(grant.account)
        }
    }
}
