import SusiOAuth
import SusiPolicies
import SusiStore

/// Decides who is meant, by what the store contains now. No other place completes a name or chooses an account by one.
///
/// A complete name is an address, a user name or an identifier, and is compared exactly. Only a person who sees what a
/// shortened name chose may use one: a caller that shows it asks with `completing`. What is not signed (a home account id,
/// an address that is not verified) makes nobody the same person: in another tenant only a refresh token proves that.
struct AccountFinder {
    let context: ClientContext
    /// `nil` if nothing is stored.
    let store: AccountStore?

    /// Whom a selection means.
    enum Found {
        /// An account under the policy. The refresh token of the person's account at home, if there is one, also serves the
        /// policy's tenant.
        case here(StoredAccount, home: StoredAccount?)
        /// A person who has an account at home, but none in the policy's tenant yet.
        case atHome(StoredAccount)
    }

    /// Returns the account that a selection means: that with exactly this name under the policy, or the current one; else that of
    /// the person who has the name, or is current, at home. Throws if there is none or several.
    ///
    /// With `suggestingSignIn`, the error may suggest a sign-in as a new person.
    func one(_ selection: AccountSelection, under policy: Policy, suggestingSignIn: Bool = true) throws -> Found {
        let own = try accounts(of: selection, under: policy)
        if let account = own.first, own.count == 1 {
            return .here(account, home: try home(of: account, for: policy))
        }
        if own.isEmpty, let home = try atHome(selection, for: policy) {
            let there = try account(of: home, under: policy)
            if try serves(home, there, selection, under: policy) {
                return there.map { .here($0, home: home) } ?? .atHome(home)
            }
        }
        throw try missing(own, selection, under: policy, suggestingSignIn: suggestingSignIn)
    }

    /// Returns the account of ``one(_:under:suggestingSignIn:)`` that is stored under the policy.
    func account(_ selection: AccountSelection, under policy: Policy, suggestingSignIn: Bool) throws -> StoredAccount {
        switch try one(selection, under: policy, suggestingSignIn: suggestingSignIn) {
        case .here(let account, _): return account
        case .atHome: throw try missing([], selection, under: policy, suggestingSignIn: suggestingSignIn)
        }
    }

    // A policy at another tenant that has accounts does not use the one that is current at home.
    private func serves(
        _ home: StoredAccount, _ there: StoredAccount?, _ selection: AccountSelection, under policy: Policy
    ) throws -> Bool {
        if selection.isCurrent, context.application.tenant == nil, try count(under: policy) > 0 { return false }
        return try there != nil || !hasSignedOut(home, under: policy)
    }

    // A sign-out lasts until the next sign-in, in the policy's tenant or at home. Only a current account leaves a note: one that was
    // only fetched for `tenant` is removed by a sign-out, and fetched again.
    private func hasSignedOut(_ home: StoredAccount, under policy: Policy) throws -> Bool {
        guard let note = try store?.signedOut(policy.name, in: context.scope(of: policy)) else { return false }
        return note.label.lowercased() == home.label.lowercased() && note.on >= home.signedInOn
    }

    /// Returns the current account of a policy and the one before it. In another tenant, where no person has signed in on a page,
    /// that is the account of the person who is current at home.
    func current(_ policy: Policy) throws -> (current: StoredAccount?, previous: StoredAccount?) {
        let scope = context.scope(of: policy)
        let (current, previous) = (
            try store?.current(policy.name, in: scope), try store?.previous(policy.name, in: scope)
        )
        guard current == nil, context.application.tenant != nil else { return (current, previous) }
        let home = try atHome(AccountSelection(policy: policy.name), for: policy)
        return (try home.flatMap { try account(of: $0, under: policy) }, previous)
    }

    func count(under policy: Policy) throws -> Int {
        try store?.count(
            of: [context.scope(of: policy)], policy: policy.name, leavesOutGuests: context.leavesOutGuests(policy)) ?? 0
    }
}

// MARK: Tenants

extension AccountFinder {
    /// A policy whose sign-ins also serve another policy in its tenant, and where their accounts are.
    struct Home {
        let policy: Policy
        let scope: ApplicationScope

        func isAtHome(_ account: StoredAccount) -> Bool { !scope.spansTenants || account.isAtHome }
    }

    /// Returns the account of a person at home under a policy of another tenant.
    func account(of home: StoredAccount, under policy: Policy) throws -> StoredAccount? {
        try store?.accounts(
            ofSamePersonAs: home.account.person, in: [context.scope(of: policy)], policy: policy.name
        ).first
    }

    /// Returns the account at home of the person of an account, whose refresh token also serves the policy's tenant.
    private func home(of account: StoredAccount, for policy: Policy) throws -> StoredAccount? {
        for home in homes(of: policy) {
            let found = try store?.accounts(
                ofSamePersonAs: account.account.person, in: [home.scope], policy: home.policy.name)
            if let account = found?.first(where: home.isAtHome) { return account }
        }
        return nil
    }

    /// Returns the account at home that a selection means, whose sign-in also serves the policy's tenant.
    func atHome(_ selection: AccountSelection, for policy: Policy) throws -> StoredAccount? {
        for home in homes(of: policy) {
            let found =
                switch Search(selection) {
                case nil: [try store?.current(home.policy.name, in: home.scope)].compactMap(\.self)
                case let search?: try accounts(search, atHome: home)
                }
            guard found.count < 2 else { throw SusiError.ambiguous(found, selection.text) }
            if let account = found.first { return account }
        }
        return nil
    }

    func homes(of policy: Policy) -> [Home] {
        let application = context.application
        return application.homePolicies(of: policy).map { home in
            Home(
                policy: home,
                scope: ApplicationScope(application.homeAuthority(for: home), clientID: application.clientID))
        }
    }

    func accounts(_ search: Search, atHome home: Home) throws -> [StoredAccount] {
        try stored(search, in: [home.scope], policy: home.policy.name).filter(home.isAtHome)
    }
}

// MARK: The store

extension AccountFinder {
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

    private func accounts(of selection: AccountSelection, under policy: Policy) throws -> [StoredAccount] {
        guard let search = Search(selection) else {
            return [try store?.current(policy.name, in: context.scope(of: policy))].compactMap(\.self)
        }
        return try accounts(search, in: [context.scope(of: policy)], policy)
    }

    /// Returns the accounts of a search that can belong to the policies' authorities.
    func accounts(
        _ search: Search, in scopes: Set<ApplicationScope>, _ policy: Policy?
    ) throws -> [StoredAccount] {
        let found = try stored(search, in: scopes, policy: policy?.name).filter(context.isInReach)
        let utilities = context.utilities
        let isUtility = { (account: StoredAccount) in utilities.contains(account.account.policy) }
        return found.filter { !isUtility($0) } + found.filter(isUtility)
    }

    private func stored(
        _ search: Search, in scopes: Set<ApplicationScope>, policy: PolicyName?
    ) throws -> [StoredAccount] {
        guard let store else { return [] }
        switch search {
        case .name(let text): return try store.find(text, in: scopes, policy: policy, matching: .exactly)
        case .beginning(let text): return try store.find(text, in: scopes, policy: policy, matching: .beginning)
        case .account(let account):
            guard policy == nil || policy == account.policy, let stored = try store.account(account) else { return [] }
            return try scopes.contains { try store.reaches(account, in: $0) } ? [stored] : []
        }
    }
}
