import SusiOAuth
package import SusiPolicies
package import SusiStore

// Typed names: exactly one account, all accounts of a name, the person of a sign-in.
extension AccountFinder {
    /// Returns the accounts with exactly this name, under one policy or under all; with `completing`, and if no account has that
    /// name, those that it may be short for: only where a person sees what the name chose.
    package func accounts(
        named text: String, under policy: Policy?, completing: Bool
    ) throws -> (accounts: [StoredAccount], isShortened: Bool) {
        let area = context.area(of: policy)
        let exact = try named(text, .exactly, in: area)
        guard completing, exact.isEmpty, try !isName(text, in: homes(of: policy)) else { return (exact, false) }
        let meant = try named(text, .beginning, in: area)
        return (meant, !meant.isEmpty)
    }

    /// Returns the accounts that a name may be short for, under a policy, else at home; none for a complete name, or if an account
    /// has exactly this name.
    func meanings(of text: String, under policy: Policy?) throws -> [StoredAccount] {
        let areas = [context.area(of: policy)] + homes(of: policy)
        if try isName(text, in: areas) { return [] }
        for area in areas {
            let found = try named(text, .beginning, in: area)
            if !found.isEmpty { return found }
        }
        return []
    }

    private func homes(of policy: Policy?) -> [AccountArea] { policy.map(context.homes) ?? [] }

    private func isName(_ text: String, in areas: [AccountArea]) throws -> Bool {
        try areas.contains { try !named(text, .exactly, in: $0).isEmpty }
    }

    /// Returns the account that a shortened name means under a policy, or at home; `nil` for a complete name. Only where a person
    /// sees what the name chose.
    package func account(shortenedTo text: String, under policy: Policy) throws -> StoredAccount? {
        let meant = try meanings(of: text, under: policy)
        return meant.isEmpty ? nil : try only(meant, named: text, under: policy)
    }

    /// Returns the only one of the accounts with a name; throws if there is none or several.
    package func only(_ found: [StoredAccount], named text: String, under policy: Policy?) throws -> StoredAccount {
        if let account = found.first, found.count == 1 { return account }
        throw try missing(found, named: text, under: policy, suggestingSignIn: false)
    }
}

// MARK: The person of a sign-in

extension AccountFinder {
    /// Returns the person whom a selection means for a sign-in: a stored one by identity, else any person with the name; `nil` for a
    /// current account, unless its person has an account at home and the application was made for another tenant.
    ///
    /// A name may be that of an account under another policy of the same authority. With `completing`, `shortFor` is the account
    /// that a shortened name chose. Throws for a name that is not complete, and for a display name, which does not identify a
    /// person.
    func expected(
        _ selection: AccountSelection, under policy: Policy, completing: Bool
    ) throws -> (person: ExpectedPerson?, shortFor: StoredAccount?) {
        guard completing, case .name(let text) = selection.means,
            let account = try account(shortenedTo: text, atAuthorityOf: policy)
        else { return (try person(meantBy: selection, under: policy), nil) }
        return (try person(meantBy: AccountSelection(account), under: policy), account)
    }

    private func person(meantBy selection: AccountSelection, under policy: Policy) throws -> ExpectedPerson? {
        if case .name(let text) = selection.means, let account = try account(named: text, atAuthorityOf: policy) {
            return .account(account)
        }
        // Without a tenant, a current account does not restrict who signs in.
        if !selection.isCurrent || context.application.tenant != nil,
            let home = try selected(selection, in: context.homes(of: policy))
        {
            return try account(ofSamePersonAs: home, in: [context.area(of: policy)]).map { .account($0) } ?? .home(home)
        }
        switch selection.means {
        case .current: return nil
        case .account(let account): return try store?.account(account).map { .account($0) }
        case .name(let text):
            try checkIdentifies(text, under: policy)
            return .named(text)
        }
    }

    private func account(named text: String, atAuthorityOf policy: Policy) throws -> StoredAccount? {
        let area = AccountArea(
            policy: nil, registrations: [context.registration(of: policy)], includes: context.isUsable)
        let found = try named(text, .exactly, in: area)
        guard found.isEmpty || found.ofOnePerson != nil else { throw SusiError.ambiguous(found, text) }
        return found.first { $0.account.policy == policy.name } ?? found.first
    }

    /// Returns the account that a shortened name means under the policy, else under another policy of the same authority.
    private func account(shortenedTo text: String, atAuthorityOf policy: Policy) throws -> StoredAccount? {
        if try isName(text, in: [context.area(of: policy)] + context.homes(of: policy)) { return nil }
        if let account = try account(shortenedTo: text, under: policy) { return account }
        let registration = context.registration(of: policy)
        let others = try meanings(of: text, under: nil).filter { account in
            context.application.policy(account.account.policy).map(context.registration) == registration
        }
        if others.isEmpty { return nil }
        return try others.ofOnePerson ?? only(others, named: text, under: nil)
    }

    /// Returns the account of the expected person, else the policy's current one; `nil` if there is none or it is ambiguous. A
    /// damaged store is no error: a sign-in may repair it.
    func likely(_ expected: ExpectedPerson?, under policy: Policy) -> StoredAccount? {
        switch expected {
        case nil: return try? store?.current(policy.name, in: context.registration(of: policy))
        case .account(let stored):
            return try? store?.account(
                Account(person: stored.account.person, policy: policy.name, clientID: stored.account.clientID))
        case .home(let home): return try? account(ofSamePersonAs: home, in: [context.area(of: policy)])
        case .named(let text):
            let found = try? named(text, .exactly, in: context.area(of: policy))
            return found?.count == 1 ? found?.first : nil
        }
    }
}
