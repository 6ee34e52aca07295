import SusiOAuth
package import SusiPolicies
package import SusiStore

extension [StoredAccount] {
    /// Returns complete names in place of a shortened one, each once: labels, or identifiers where the label is that name.
    func names(inPlaceOf text: String) -> [String] {
        reduce(into: []) { names, account in
            let isSame = account.label.lowercased() == text.lowercased()
            let name = isSame ? account.account.person.subject : account.label
            if !names.contains(name) { names.append(name) }
        }
    }

    /// An account of the only person; `nil` if there are several or none.
    var ofOnePerson: StoredAccount? { Set(map(\.account.person)).count == 1 ? first : nil }
}

extension PublicClient {
    /// Returns the accounts with this address, user name or identifier, under one policy or under all. Those of edit-profile and
    /// password-reset policies come last.
    package func find(_ text: String, _ policy: Policy?) async throws(SusiError) -> [StoredAccount] {
        try await stored(.name(text), in: scopes(of: policy), policy)
    }

    /// Returns the accounts that a name means that is not complete, those of edit-profile and password-reset policies last; none
    /// for a complete name, or if an account has exactly this name.
    ///
    /// Only a person may decide whether that is who was meant, so nothing else in the library completes a name.
    package func meanings(of text: String, under policy: Policy?) async throws(SusiError) -> [StoredAccount] {
        let atHome = policy.map { homeScopes(of: $0) } ?? []
        if try await isName(text, of: policy, atHome) { return [] }
        var found = try await stored(.beginning(text), in: scopes(of: policy), policy)
        for (home, scope) in atHome where found.isEmpty {
            found = try await self.home(.beginning(text), under: home, in: scope)
        }
        return found
    }

    private func isName(
        _ text: String, of policy: Policy?, _ atHome: [(policy: Policy, scope: ApplicationScope)]
    ) async throws(SusiError) -> Bool {
        if try await !find(text, policy).isEmpty { return true }
        for (home, scope) in atHome where try await !self.home(.name(text), under: home, in: scope).isEmpty {
            return true
        }
        return false
    }

    /// A search in the store.
    enum Search {
        /// By a complete name.
        case name(String)
        /// By the beginning of a name.
        case beginning(String)
        case account(Account)

        /// The search for a selected account; `nil` for the current one.
        init?(_ selection: AccountSelection) {
            switch selection.means {
            case .current: return nil
            case .name(let text): self = .name(text)
            case .account(let account): self = .account(account)
            }
        }
    }

    /// Returns the accounts of a search that can belong to the policies' authorities.
    func stored(
        _ search: Search, in scopes: Set<ApplicationScope>, _ policy: Policy?
    ) async throws(SusiError) -> [StoredAccount] {
        let (utilities, context) = (utilities, context)
        return try await withExistingStore { store in
            let all = try store?.find(search, in: scopes, policy: policy?.name) ?? []
            let found = all.filter(context.isInReach)
            let isUtility = { (account: StoredAccount) in utilities.contains(account.account.policy) }
            return found.filter { !isUtility($0) } + found.filter(isUtility)
        }
    }

    nonisolated func scopes(of policy: Policy?) -> Set<ApplicationScope> {
        policy.map { [context.scope(of: $0)] } ?? context.scopes
    }

    /// The policies that only edit a profile or reset a password.
    nonisolated var utilities: Set<PolicyName> {
        Set(application.policies.filter(\.kind.isUtility).map(\.name))
    }

    /// Returns the only account of a search; throws if there is none or several. With `maySignIn`, the error suggests a sign-in
    /// for an address that no account has.
    package func single(
        _ found: [StoredAccount], named text: String, under policy: Policy?, maySignIn: Bool = false
    ) async throws(SusiError) -> StoredAccount {
        if found.count == 1 { return found[0] }
        let place = policy.map { " under \(self.place(of: $0))" } ?? ""
        guard found.isEmpty else { throw SusiError.ambiguous(found, text, place: place) }
        throw try await unknown(text, policy, place: place, maySignIn: maySignIn)
    }

    private func unknown(
        _ text: String, _ policy: Policy?, place: String, maySignIn: Bool
    ) async throws(SusiError) -> SusiError {
        if let tenant = try await tenant(ofAccount: text, policy) {
            return .inOtherTenant(text, tenant, place: place)
        }
        let meanings = try await meanings(of: text, under: policy)
        if let error = SusiError.shortened(
            text, meanings, place: place, reference: meanings.ofOnePerson.map { reference(to: $0) })
        {
            return error
        }
        let labels = NearMatch.nearestFirst(text, in: try await labels(near: text, policy))
        let meant = Self.meant(text, labels)
        // An address that resembles no stored label may belong to a person who has not signed in here yet.
        let newcomer = policy.flatMap { policy in
            maySignIn && text.contains("@") && policy.kind == .signUpOrSignIn
                ? PolicyRun(policy.kind, policy.name, account: text) : nil
        }
        let next: NextStep.Intent =
            meant.map { .correctAccount($0, insteadOf: text) } ?? newcomer.map { .run($0) }
            ?? .listAccounts(policy: nil)
        return SusiError(
            .unknownAccount, "no account “\(text)”\(place)", why: meant.map { "did you mean “\($0)”?" } ?? "",
            next: NextStep(next), candidates: labels)
    }

    private func labels(near text: String, _ policy: Policy?) async throws(SusiError) -> [String] {
        let hidden = policy == nil ? utilities : []
        let scopes = scopes(of: policy)
        return try await withExistingStore(unlocks: false) { store in
            try store?.labels(near: text, in: scopes, policy: policy?.name, hidden: hidden) ?? []
        }
    }

    // Returns the label nearest to a misspelled text; `nil` if none is near, or if several are equally near.
    private static func meant(_ text: String, _ labels: [String]) -> String? {
        let local = { (address: String) in String(address.prefix { $0 != "@" }) }
        guard text.contains("@") else {
            let meant = NearMatch.only(text, in: labels.map(local))
            let found = labels.filter { local($0) == meant }
            return found.count == 1 ? found[0] : nil
        }
        // People of one domain share most of their address, so the part before the “@” must be near by itself.
        return NearMatch.only(text, in: labels.filter { NearMatch.of(local(text), in: [local($0)]) != nil })
    }
}

extension AccountStore {
    func find(
        _ search: PublicClient.Search, in scopes: Set<ApplicationScope>, policy: PolicyName?
    ) throws(StoreError) -> [StoredAccount] {
        switch search {
        case .name(let text): return try find(text, in: scopes, policy: policy, matching: .exactly)
        case .beginning(let text): return try find(text, in: scopes, policy: policy, matching: .beginning)
        case .account(let account):
            guard policy == nil || policy == account.policy, let stored = try self.account(account) else { return [] }
            for scope in scopes where try reaches(account, in: scope) { return [stored] }
            return []
        }
    }
}

extension StoredAccount {
    /// The account's name and label: "Ana Lima <ana@contoso.example>".
    package var title: String {
        guard let name = profile.name, name != label else { return label }
        return "\(name) <\(label)>"
    }
}
