import SusiOAuth
import SusiPolicies
import SusiStore

/// Decides who is meant, by what the store contains now. No other place completes a typed name or chooses an account by one.
///
/// A complete name is an address, a user name or an identifier, and is compared exactly. Only a person who sees what a
/// shortened name chose may use one: a caller that shows it asks with `completing`. An account in another tenant belongs to
/// the same person only if a refresh token at home brought it.
package struct AccountFinder {
    let context: ClientContext
    /// `nil` if nothing is stored.
    let store: AccountStore?

    enum Found {
        /// An account under the policy. The refresh token of the person's account at home, if there is one, also serves the
        /// policy's tenant.
        case here(StoredAccount, home: StoredAccount?)
        /// A person who has an account at home, but none in the policy's tenant yet.
        case atHome(StoredAccount)

        /// The account under the policy, else the one at home.
        var account: StoredAccount {
            switch self {
            case .here(let account, _), .atHome(let account): account
            }
        }

        var home: StoredAccount? {
            switch self {
            case .here(_, let home): home
            case .atHome(let home): home
            }
        }
    }

    /// Returns the account that a selection means: that with exactly this name under the policy, or the current one; else that of
    /// the person who has the name, or is current, at home. Throws if there is none or several.
    ///
    /// With `suggestingSignIn`, the error may suggest a sign-in as a new person.
    func one(_ selection: AccountSelection, under policy: Policy, suggestingSignIn: Bool = true) throws -> Found {
        guard let found = try find(selection, under: policy) else {
            throw try missing(selection, under: policy, suggestingSignIn: suggestingSignIn)
        }
        return found
    }

    private func find(_ selection: AccountSelection, under policy: Policy) throws -> Found? {
        let (here, homes) = (context.area(of: policy), context.homes(of: policy))
        if let found = try selected(selection, in: [here]) {
            return .here(found, home: try account(ofSamePersonAs: found, in: homes))
        }
        guard let home = try selected(selection, in: homes), try usesHome(selection, insteadOf: here) else {
            return nil
        }
        if let found = try account(ofSamePersonAs: home, in: [here]) { return .here(found, home: home) }
        return try hasSignedOut(home, under: policy) ? nil : .atHome(home)
    }

    /// Returns the only account that a selection means in the first of some areas that has one. Throws if it means several there.
    func selected(_ selection: AccountSelection, in areas: [AccountArea]) throws -> StoredAccount? {
        for area in areas {
            let found =
                switch selection.means {
                case .current: try current(in: area)
                case .name(let text): try named(text, .exactly, in: area)
                case .account(let account): try stored(account, in: area)
                }
            guard found.count < 2 else { throw SusiError.ambiguous(found, selection.text, place: area.place) }
            if let account = found.first { return account }
        }
        return nil
    }

    private func current(in area: AccountArea) throws -> [StoredAccount] {
        guard let policy = area.policy else { return [] }
        return try area.scopes.compactMap { try store?.current(policy.name, in: $0) }
    }

    private func stored(_ account: Account, in area: AccountArea) throws -> [StoredAccount] {
        guard account.policy == area.policy?.name, let store, let stored = try store.account(account) else { return [] }
        return try area.scopes.contains { try store.reaches(account, in: $0) } ? [stored].filter(area.has) : []
    }

    /// Returns the accounts of an area with a name. Those of edit-profile and password-reset policies come last.
    func named(_ text: String, _ matching: NameMatching, in area: AccountArea) throws -> [StoredAccount] {
        let utilities = context.utilities
        return try store?.accounts(in: area) { accounts in
            let found = accounts.named(text, matching)
            let isUtility = { (account: StoredAccount) in utilities.contains(account.account.policy) }
            return found.filter { !isUtility($0) } + found.filter(isUtility)
        } ?? []
    }

    /// Returns the account of the same person in the first of some areas that has one.
    func account(ofSamePersonAs account: StoredAccount, in areas: [AccountArea]) throws -> StoredAccount? {
        for area in areas {
            let found = try store?.accounts(in: area) { $0.filter { $0.personAtHome == account.personAtHome } }
            if let account = found?.first { return account }
        }
        return nil
    }

    // A policy at another tenant that has accounts does not use the one that is current at home.
    private func usesHome(_ selection: AccountSelection, insteadOf area: AccountArea) throws -> Bool {
        if !selection.isCurrent || context.application.tenant != nil { return true }
        return try store?.count(of: area.scopes, policy: area.policy?.name) ?? 0 == 0
    }

    // A sign-out lasts until the next sign-in, in the policy's tenant or at home. Only a current account leaves a note: one that was
    // only fetched for `tenant` is removed by a sign-out, and fetched again.
    private func hasSignedOut(_ home: StoredAccount, under policy: Policy) throws -> Bool {
        guard let note = try store?.signedOut(policy.name, in: context.scope(of: policy)) else { return false }
        return note.label.lowercased() == home.label.lowercased() && note.on >= home.signedInOn
    }
}

extension AccountFinder {
    /// Returns the account of ``one(_:under:suggestingSignIn:)`` that is stored under the policy.
    func account(_ selection: AccountSelection, under policy: Policy, suggestingSignIn: Bool) throws -> StoredAccount {
        if case .here(let account, _) = try find(selection, under: policy) { return account }
        throw try missing(selection, under: policy, suggestingSignIn: suggestingSignIn)
    }

    /// Returns the current account of a policy and the one before it. In another tenant, where no person has signed in on a page,
    /// that is the account of the person who is current at home.
    func current(_ policy: Policy) throws -> (current: StoredAccount?, previous: StoredAccount?) {
        let previous = try store?.previous(policy.name, in: context.scope(of: policy))
        guard case .here(let account, _) = try find(AccountSelection(policy: policy.name), under: policy) else {
            return (nil, previous)
        }
        return (account, previous)
    }
}
