import SusiOAuth
import SusiPolicies
package import SusiStore

/// The accounts of one application, or those at one server that belong to no application of the policies file.
package struct AccountGroup: Sendable {
    /// The name of the application; `nil` if the accounts belong to none.
    package let application: String?
    /// Why the accounts belong to no application; `nil` if they belong to one.
    package let unowned: Unowned?
    /// Scheme, host and port of their authority.
    package let origin: String
    package let accounts: [StoredAccount]

    package init(
        application: String?, unowned: Unowned? = nil, origin: String, accounts: [StoredAccount]
    ) {
        self.application = application
        self.unowned = unowned
        self.origin = origin
        self.accounts = accounts
    }

    /// Returns the same group with only these of its accounts.
    package func with(_ accounts: [StoredAccount]) -> AccountGroup {
        AccountGroup(application: application, unowned: unowned, origin: origin, accounts: accounts)
    }
}

extension PublicClient {
    /// Returns everything that is stored, damaged accounts included: the accounts of this application, those of the others in the
    /// order of the file, then those that belong to none, by reason and server; none of these is current. `filter` is that of a
    /// list (``AccountList``).
    package func everything(filter: String = "") async throws(SusiError) -> [AccountGroup] {
        let contexts = context.ofEveryApplication
        return try await withExistingStore { store in
            guard let store else { return [] }
            let owners = try AccountOwners(contexts, store)
            let groups = Dictionary(grouping: try store.allAccounts().filter { $0.matches(filter) }) { account in
                Place(of: account, owners, contexts)
            }
            return groups.sorted { $0.key < $1.key }.map { $0.group(of: $1, contexts) }
        }
    }

    /// Returns the number of all stored accounts, and of those that belong to no application of the policies file.
    package func storedCount() async throws(SusiError) -> (all: Int, ownerless: Int) {
        let contexts = context.ofEveryApplication
        return try await withExistingStore(unlocks: false) { store in
            guard let store else { return (0, 0) }
            let owners = try AccountOwners(contexts, store)
            let accounts = try store.identities()
            return (accounts.count, accounts.count { owners.owner(of: $0) == nil })
        }
    }
}

/// The place of an account in the list of everything: the number of its application, else why it has none and its server.
private struct Place: Hashable, Comparable {
    let number: Int
    let unowned: Unowned?
    let origin: String

    init(of account: StoredAccount, _ owners: AccountOwners, _ contexts: [ClientContext]) {
        let owner = owners.owner(of: account.account)
        number = owner ?? contexts.count
        unowned = owner == nil ? owners.reason(for: account.account) : nil
        origin =
            owner.map { contexts[$0].application.authority.origin }
            ?? (try? WebAddress(account.authority))?.origin ?? account.account.person.tenant.origin
    }

    func group(of accounts: [StoredAccount], _ contexts: [ClientContext]) -> AccountGroup {
        guard unowned == nil else {
            let accounts = accounts.map { account in
                var account = account
                account.isCurrent = false
                return account
            }
            return AccountGroup(application: nil, unowned: unowned, origin: origin, accounts: accounts)
        }
        let application = contexts[number].application
        return AccountGroup(
            application: application.name, origin: origin,
            accounts: accounts.currentFirst(application.policiesInOrder))
    }

    private var order: (Int, String, String) { (number, unowned?.rawValue ?? "", origin) }

    static func < (left: Place, right: Place) -> Bool { left.order < right.order }
}
