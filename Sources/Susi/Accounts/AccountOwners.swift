package import SusiOAuth
import SusiPolicies
package import SusiStore

/// Why an account belongs to no application of the policies file. No command uses its tokens; it is listed and can be removed.
package enum Unowned: String, CaseIterable, Sendable {
    /// No application has its client ID at its tenant.
    case noApplication
    /// Its application has no policy of that name.
    case noPolicy
    /// The policy changes something and keeps no account, as in a store of an earlier version or after a change of its kind.
    case keepsNoAccount
}

/// The applications to which stored accounts belong: by client ID, policy and tenant. If several own an account, it is the first
/// one's.
package struct AccountOwners {
    private struct Owner {
        let application: Application
        /// The tenants of each policy that keeps accounts.
        var tenants: [PolicyName: Set<Tenant>] = [:]
    }

    private var owners: [Owner] = []

    /// Reads the tenants of applications. With `listed`, those of the accounts that each of them lists.
    package init(_ contexts: [ClientContext], _ store: AccountStore, listed: Bool = false) throws {
        var known: [Set<Registration>: Set<Tenant>] = [:]
        for context in contexts {
            var owner = Owner(application: context.application)
            for policy in context.application.policies where policy.kind.keepsAccounts {
                let registrations =
                    listed ? context.listedRegistrations(of: policy) : context.allRegistrations(of: policy)
                let tenants = try known[registrations] ?? store.tenants(of: registrations)
                known[registrations] = tenants
                owner.tenants[policy.name] = tenants
            }
            owners.append(owner)
        }
    }

    /// Returns the number of the application that owns an account; `nil` if none does.
    func owner(of account: Account) -> Int? {
        owners.firstIndex { owner in
            owner.application.clientID == account.clientID
                && owner.tenants[account.policy]?.contains(account.person.tenant) ?? false
        }
    }

    /// Returns why an account has no owner.
    package func reason(for account: Account) -> Unowned {
        let owner = owners.first { owner in
            owner.application.clientID == account.clientID
                && owner.tenants.values.contains { $0.contains(account.person.tenant) }
        }
        guard let owner else { return .noApplication }
        guard let policy = owner.application.policy(account.policy) else { return .noPolicy }
        return policy.kind.keepsAccounts ? .noApplication : .keepsNoAccount
    }
}
