import SusiOAuth
import SusiPolicies
package import SusiStore

/// The accounts of one application, or those at one server that belong to no application of the policies file.
package struct AccountGroup: Sendable {
    /// The name of the application; `nil` if the accounts belong to none.
    package let application: String?
    /// Scheme, host and port of their authority.
    package let origin: String
    package let accounts: [StoredAccount]
    /// Whether their provider may revoke tokens.
    package let mayRevokeTokens: Bool

    package init(application: String?, origin: String, accounts: [StoredAccount], mayRevokeTokens: Bool = false) {
        self.application = application
        self.origin = origin
        self.accounts = accounts
        self.mayRevokeTokens = mayRevokeTokens
    }
}

extension PublicClient {
    /// Returns everything that is stored, damaged accounts included: the accounts of this application, those of the others in the
    /// order of the file, then those that belong to none, by server. `filter` is that of a list (``AccountList``).
    package func everything(filter: String = "") async throws(SusiError) -> [AccountGroup] {
        let contexts = context.ofEveryApplication
        return try await withExistingStore { store in
            guard let store else { return [] }
            let owners = try Owners(contexts, store)
            let groups = Dictionary(grouping: try store.allAccounts().filter { $0.matches(filter) }) { account in
                let owner = owners.owner(of: account.account)
                return Place(
                    number: owner ?? contexts.count,
                    origin: owner.map { contexts[$0].application.authority.origin }
                        ?? (try? WebAddress(account.authority))?.origin ?? account.account.person.tenant.origin)
            }
            return groups.sorted { $0.key < $1.key }.map { place, accounts in
                let application = place.number < contexts.count ? contexts[place.number].application : nil
                return AccountGroup(
                    application: application?.name, origin: place.origin,
                    accounts: accounts.currentFirst(application?.policiesInOrder ?? []),
                    mayRevokeTokens: application?.kind.traits.mayRevokeTokens ?? false)
            }
        }
    }

    /// Returns the number of all stored accounts, and of those that belong to no application of the policies file.
    package func storedCount() async throws(SusiError) -> (all: Int, ownerless: Int) {
        let contexts = context.ofEveryApplication
        return try await withExistingStore(unlocks: false) { store in
            guard let store else { return (0, 0) }
            let owners = try Owners(contexts, store)
            let accounts = try store.unopenedAccounts()
            return (accounts.count, accounts.count { owners.owner(of: $0.account) == nil })
        }
    }
}

private struct Place: Hashable, Comparable {
    let number: Int
    let origin: String

    static func < (left: Place, right: Place) -> Bool {
        (left.number, left.origin) < (right.number, right.origin)
    }
}

/// The applications to which stored accounts belong. If several own an account, it is the first one's.
private struct Owners {
    private let places: [(clientID: String, tenants: Set<Tenant>)]

    init(_ contexts: [ClientContext], _ store: AccountStore) throws {
        places = try contexts.map { ($0.application.clientID, try store.tenants(of: $0.allRegistrations)) }
    }

    func owner(of account: Account) -> Int? {
        places.firstIndex { $0.clientID == account.clientID && $0.tenants.contains(account.person.tenant) }
    }
}
