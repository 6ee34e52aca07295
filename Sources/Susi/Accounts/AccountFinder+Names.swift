import SusiOAuth
import SusiPolicies
import SusiStore

// MARK: Names

extension AccountFinder {
    /// Returns the accounts with exactly this name, under one policy or under all; with `completing`, and if there are none, those
    /// that it may be short for. Accounts of edit-profile and password-reset policies come last.
    func named(
        _ text: String, under policy: Policy?, completing: Bool
    ) throws -> (accounts: [StoredAccount], isShortened: Bool) {
        let exact = try accounts(.name(text), in: scopes(of: policy), policy)
        guard exact.isEmpty, completing else { return (exact, false) }
        let meant = try meanings(of: text, under: policy)
        return (meant, !meant.isEmpty)
    }

    /// Returns the accounts that a name may be short for; none for a complete name, or if an account has exactly this name.
    func meanings(of text: String, under policy: Policy?) throws -> [StoredAccount] {
        let homes = policy.map(homes) ?? []
        guard try accounts(.name(text), in: scopes(of: policy), policy).isEmpty,
            try homes.allSatisfy({ try accounts(.name(text), atHome: $0).isEmpty })
        else { return [] }
        let found = try accounts(.beginning(text), in: scopes(of: policy), policy)
        return try homes.reduce(found) { found, home in
            found.isEmpty ? try accounts(.beginning(text), atHome: home) : found
        }
    }

    /// Returns the account that a shortened name means under a policy, or at home; `nil` for a complete name.
    func completed(_ text: String, under policy: Policy) throws -> StoredAccount? {
        let meant = try meanings(of: text, under: policy)
        return meant.isEmpty ? nil : try only(meant, named: text, under: policy)
    }

    /// Returns the only one of the accounts with a name; throws if there is none or several.
    func only(
        _ found: [StoredAccount], named text: String, under policy: Policy?, suggestingSignIn: Bool = false
    ) throws -> StoredAccount {
        if let account = found.first, found.count == 1 { return account }
        throw try missing(found, named: text, under: policy, suggestingSignIn: suggestingSignIn)
    }

    func scopes(of policy: Policy?) -> Set<ApplicationScope> {
        policy.map { [context.scope(of: $0)] } ?? context.scopes
    }
}

extension [StoredAccount] {
    /// An account of the only person; `nil` if there are several people or none.
    package var ofOnePerson: StoredAccount? { Set(map(\.account.person)).count == 1 ? first : nil }
}

// MARK: People

extension AccountFinder {
    /// Returns the person whom a selection means for a sign-in: a known one by identity, else any person with the name; `nil` for a
    /// current account, unless its person is known at home and the application was made for another tenant.
    ///
    /// A name may be that of an account under another policy of the same authority. With `completing`, `shortFor` is the account
    /// that a shortened name chose. Throws for a name that is not complete, and for a display name, which does not identify a
    /// person.
    func expected(
        _ selection: AccountSelection, under policy: Policy, completing: Bool
    ) throws -> (person: ExpectedPerson?, shortFor: StoredAccount?) {
        if completing, case .name(let text) = selection.means, let known = try completed(text, underAnyLike: policy) {
            return (try expected(AccountSelection(known).under(policy), under: policy, completing: false).person, known)
        }
        if case .name(let text) = selection.means, let known = try known(text, underAnyLike: policy) {
            return (.account(known), nil)
        }
        if context.application.tenant != nil, let home = try atHome(selection, for: policy) {
            return (try account(of: home, under: policy).map { .account($0) } ?? .home(home), nil)
        }
        switch selection.means {
        case .current: return (nil, nil)
        case .account(let account): return (try store?.account(account).map { .account($0) }, nil)
        case .name(let text):
            try checkIdentifies(text, under: policy)
            return (.named(text), nil)
        }
    }

    private func known(_ text: String, underAnyLike policy: Policy) throws -> StoredAccount? {
        let found = try accounts(.name(text), in: [context.scope(of: policy)], nil)
        guard found.isEmpty || found.ofOnePerson != nil else { throw SusiError.ambiguous(found, text) }
        return found.first { $0.account.policy == policy.name } ?? found.first
    }

    /// Returns the account that a shortened name means under the policy, else under another policy of the same authority.
    private func completed(_ text: String, underAnyLike policy: Policy) throws -> StoredAccount? {
        if let known = try completed(text, under: policy) { return known }
        let scope = context.scope(of: policy)
        let others = try meanings(of: text, under: nil).filter { account in
            context.application.policy(account.account.policy).map(context.scope) == scope
        }
        if others.isEmpty { return nil }
        return try others.ofOnePerson ?? only(others, named: text, under: nil)
    }

    /// Returns the account of the expected person, else the policy's current one; `nil` if there is none or it is ambiguous. A
    /// damaged store is no error: a sign-in may repair it.
    func likely(_ expected: ExpectedPerson?, under policy: Policy) -> StoredAccount? {
        switch expected {
        case nil: return try? store?.current(policy.name, in: context.scope(of: policy))
        case .account(let known):
            return try? store?.account(
                Account(person: known.account.person, policy: policy.name, clientID: known.account.clientID))
        case .home(let home): return try? account(of: home, under: policy)
        case .named(let text):
            let found = try? store?.find(text, in: scopes(of: policy), policy: policy.name, matching: .exactly)
            return found?.count == 1 ? found?.first : nil
        }
    }
}
