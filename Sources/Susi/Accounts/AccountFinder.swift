import SusiOAuth
import SusiPolicies
import SusiStore

/// Decides who is meant, by what the store contains now. No other place completes a typed name or chooses an account by one.
///
/// A complete name is an address, a user name or an identifier, and is compared exactly. Only a person who sees what a
/// shortened name chose may use one: a caller that shows it asks with `completing`. An account in another tenant belongs to
/// the same person only if a refresh token at home brought it.
struct AccountFinder {
    let context: ClientContext
    /// `nil` if nothing is stored.
    let store: AccountStore?

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
        let here = try selected(selection, under: policy)
        if let account = here.first, here.count == 1 {
            return .here(account, home: try home(ofPersonOf: account, for: policy))
        }
        if here.isEmpty, try mayBeAtHome(selection, under: policy),
            let home = try selectedAtHome(selection, for: policy)
        {
            if let account = try account(ofPersonAt: home, under: policy) { return .here(account, home: home) }
            if try !hasSignedOut(home, under: policy) { return .atHome(home) }
        }
        throw try missing(here, selection, under: policy, suggestingSignIn: suggestingSignIn)
    }

    /// Returns the account of ``one(_:under:suggestingSignIn:)`` that is stored under the policy.
    func account(_ selection: AccountSelection, under policy: Policy, suggestingSignIn: Bool) throws -> StoredAccount {
        switch try one(selection, under: policy, suggestingSignIn: suggestingSignIn) {
        case .here(let account, _): return account
        case .atHome: throw try missing([], selection, under: policy, suggestingSignIn: suggestingSignIn)
        }
    }

    /// Returns the current account of a policy and the one before it. In another tenant, where no person has signed in on a page,
    /// that is the account of the person who is current at home.
    func current(_ policy: Policy) throws -> (current: StoredAccount?, previous: StoredAccount?) {
        let (selection, scope) = (AccountSelection(policy: policy.name), context.scope(of: policy))
        let previous = try store?.previous(policy.name, in: scope)
        if let account = try selected(selection, under: policy).first { return (account, previous) }
        guard context.application.tenant != nil, let home = try selectedAtHome(selection, for: policy) else {
            return (nil, previous)
        }
        return (try account(ofPersonAt: home, under: policy), previous)
    }

    // MARK: The store

    private func selected(_ selection: AccountSelection, under policy: Policy) throws -> [StoredAccount] {
        let scope = context.scope(of: policy)
        return switch selection.means {
        case .current: [try store?.current(policy.name, in: scope)].compactMap(\.self)
        case .name(let text): try named(text, .exactly, under: policy)
        case .account(let account): try stored(account, under: policy, in: scope)
        }
    }

    private func stored(
        _ account: Account, under policy: Policy, in scope: ApplicationScope
    ) throws -> [StoredAccount] {
        guard account.policy == policy.name, let store, let stored = try store.account(account),
            try store.reaches(account, in: scope)
        else { return [] }
        return [stored].filter(context.isInReach)
    }

    /// Returns the accounts with a name that can belong to the authority of a policy, or of any one. Those of edit-profile and
    /// password-reset policies come last.
    func named(_ text: String, _ matching: AccountStore.Matching, under policy: Policy?) throws -> [StoredAccount] {
        try named(text, matching, in: scopes(of: policy), policy)
    }

    /// Returns the same for the accounts under every policy of an authority.
    func named(_ text: String, atAuthorityOf policy: Policy) throws -> [StoredAccount] {
        try named(text, .exactly, in: scopes(of: policy), nil)
    }

    private func named(
        _ text: String, _ matching: AccountStore.Matching, in scopes: Set<ApplicationScope>, _ policy: Policy?
    ) throws -> [StoredAccount] {
        let all = try store?.find(text, in: scopes, policy: policy?.name, matching: matching) ?? []
        let (found, utilities) = (all.filter(context.isInReach), context.utilities)
        let isUtility = { (account: StoredAccount) in utilities.contains(account.account.policy) }
        return found.filter { !isUtility($0) } + found.filter(isUtility)
    }

    func scopes(of policy: Policy?) -> Set<ApplicationScope> {
        policy.map { [context.scope(of: $0)] } ?? context.scopes
    }
}

// MARK: At home

extension AccountFinder {
    /// A policy whose sign-ins also serve another policy in its tenant, and where their accounts are.
    struct HomePlace {
        let policy: Policy
        let scope: ApplicationScope

        fileprivate func has(_ account: StoredAccount) -> Bool { !scope.spansTenants || account.isAtHome }
    }

    func homes(of policy: Policy) -> [HomePlace] {
        let application = context.application
        return application.homePolicies(of: policy).map { home in
            HomePlace(
                policy: home,
                scope: ApplicationScope(application.homeAuthority(for: home), clientID: application.clientID))
        }
    }

    /// Returns the account at home that a selection means, whose sign-in also serves the policy's tenant.
    func selectedAtHome(_ selection: AccountSelection, for policy: Policy) throws -> StoredAccount? {
        for place in homes(of: policy) {
            let found =
                switch selection.means {
                case .current: [try store?.current(place.policy.name, in: place.scope)].compactMap(\.self)
                case .name(let text): try named(text, .exactly, at: place)
                case .account(let account): try stored(account, under: place.policy, in: place.scope).filter(place.has)
                }
            guard found.count < 2 else { throw SusiError.ambiguous(found, selection.text) }
            if let account = found.first { return account }
        }
        return nil
    }

    func named(_ text: String, _ matching: AccountStore.Matching, at place: HomePlace) throws -> [StoredAccount] {
        let found = try store?.find(text, in: [place.scope], policy: place.policy.name, matching: matching) ?? []
        return found.filter(place.has)
    }

    /// Returns the account under a policy of another tenant that the refresh token of an account at home brought.
    func account(ofPersonAt home: StoredAccount, under policy: Policy) throws -> StoredAccount? {
        try store?.accounts(
            ofSamePersonAs: home.account.person, in: scopes(of: policy), policy: policy.name
        ).first
    }

    private func home(ofPersonOf account: StoredAccount, for policy: Policy) throws -> StoredAccount? {
        for place in homes(of: policy) {
            let found = try store?.accounts(
                ofSamePersonAs: account.account.person, in: [place.scope], policy: place.policy.name)
            if let home = found?.first(where: place.has) { return home }
        }
        return nil
    }

    // A policy at another tenant that has accounts does not use the one that is current at home.
    private func mayBeAtHome(_ selection: AccountSelection, under policy: Policy) throws -> Bool {
        guard selection.isCurrent, context.application.tenant == nil else { return true }
        let leavesOutGuests = context.leavesOutGuests(policy)
        let count = try store?.count(of: scopes(of: policy), policy: policy.name, leavesOutGuests: leavesOutGuests)
        return count ?? 0 == 0
    }

    // A sign-out lasts until the next sign-in, in the policy's tenant or at home. Only a current account leaves a note: one that was
    // only fetched for `tenant` is removed by a sign-out, and fetched again.
    private func hasSignedOut(_ home: StoredAccount, under policy: Policy) throws -> Bool {
        guard let note = try store?.signedOut(policy.name, in: context.scope(of: policy)) else { return false }
        return note.label.lowercased() == home.label.lowercased() && note.on >= home.signedInOn
    }
}
