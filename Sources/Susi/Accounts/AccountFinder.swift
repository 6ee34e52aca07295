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

    struct Found {
        /// The account under the policy, else the one at home.
        let account: StoredAccount
        /// The person's account at home, whose refresh token also serves the policy's tenant: always `nil` in Azure AD B2C.
        var home: StoredAccount?
        /// Whether `account` is under the policy.
        var isHere = true
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
        let here = context.area(of: policy)
        let found = try selected(selection, in: [here])
        // Elsewhere an account belongs to one tenant, and there is no home to search.
        guard context.application.kind.traits.refreshServesEveryTenant else { return found.map { Found(account: $0) } }
        guard let found else { return try findAtHome(selection, under: policy, insteadOf: here) }
        return Found(account: found, home: try account(ofSamePersonAs: found, in: context.homes(of: policy)))
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
        return try area.registrations.compactMap { try store?.current(policy.name, in: $0) }
    }

    private func stored(_ account: Account, in area: AccountArea) throws -> [StoredAccount] {
        guard account.policy == area.policy?.name, let store, let stored = try store.account(account) else { return [] }
        return try area.registrations.contains { try store.belongs(account, to: $0) }
            ? [stored].filter(area.includes) : []
    }

    /// Returns the accounts of an area with a name.
    func named(_ text: String, _ matching: NameMatching, in area: AccountArea) throws -> [StoredAccount] {
        try store?.accounts(in: area) { $0.named(text, matching) } ?? []
    }
}

extension AccountFinder {
    /// Returns the account of ``one(_:under:suggestingSignIn:)`` that is stored under the policy.
    func account(_ selection: AccountSelection, under policy: Policy, suggestingSignIn: Bool) throws -> StoredAccount {
        if let found = try find(selection, under: policy), found.isHere { return found.account }
        throw try missing(selection, under: policy, suggestingSignIn: suggestingSignIn)
    }

    /// Returns the current account of a policy and the one before it. In another tenant, where no person has signed in on a page,
    /// that is the account of the person who is current at home.
    /// With `acceptsDamage`, an account that cannot be decrypted is returned too.
    func current(
        _ policy: Policy, acceptsDamage: Bool = false
    ) throws -> (current: StoredAccount?, previous: StoredAccount?) {
        let registration = context.registration(of: policy)
        let previous = try store?.previous(policy.name, in: registration)
        if acceptsDamage,
            let current = try store?.current(policy.name, in: registration, acceptsDamage: true), current.damage != nil
        {
            return (current, previous)
        }
        let found = try find(AccountSelection(policy: policy.name), under: policy)
        return (found?.isHere == true ? found?.account : nil, previous)
    }
}

// MARK: Where it looks

/// Accounts that belong together: those of one policy, or of all, at some authorities.
struct AccountArea {
    /// `nil` for every policy.
    let policy: Policy?
    let registrations: Set<Registration>
    /// A suffix for errors, such as “ under B2C_1_susi”.
    var place = ""
    /// Whether an account there can be used.
    let includes: (StoredAccount) -> Bool
}

extension ClientContext {
    /// The accounts that can belong to the authority of a policy, or of any one.
    func area(of policy: Policy?) -> AccountArea {
        let place = policy.map { " under \(application.place(of: $0))" } ?? ""
        return AccountArea(
            policy: policy, registrations: policy.map { [registration(of: $0)] } ?? registrations, place: place,
            includes: isUsable)
    }

    /// The accounts in lists: those of one policy, or everything of the application.
    func listedArea(of policy: Policy?, in store: AccountStore) throws -> AccountArea {
        if let policy { return area(of: policy) }
        let owners = try AccountOwners([self], store, listed: true)
        return AccountArea(policy: nil, registrations: Set(application.policies.flatMap(listedRegistrations))) {
            owners.owner(of: $0.account) != nil
        }
    }
}

extension AccountStore {
    /// Returns the accounts of an area that `choose` picks (`AccountStore.accounts(of:policy:choosing:)`).
    func accounts(
        in area: AccountArea, choosing choose: ([StoredAccount]) -> [StoredAccount] = { $0 }
    ) throws(StoreError) -> [StoredAccount] {
        try accounts(of: area.registrations, policy: area.policy?.name) { choose($0.filter(area.includes)) }
    }
}
