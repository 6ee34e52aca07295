import SusiOAuth
import SusiPolicies
package import SusiStore

// A person has an account in each tenant, with another object id.
extension Application {
    /// Returns the tenant of an account that is not at its policy's own authority, as the configuration names it.
    package func otherTenant(of account: StoredAccount) -> String? {
        guard kind.traits.refreshServesEveryTenant, let policy = policy(account.account.policy),
            let base = try? WebAddress(account.authority)
        else { return nil }
        let authority = authority(for: policy)
        // One tenant may be named in several ways.
        let isOwn =
            authority.isMultiTenant
            ? account.isAtHome : authority.tenant?.lowercased() == account.account.person.tenant.id
        guard !isOwn, base != authority.base, let name = base.segments.first else { return nil }
        return (try? TenantName(name))?.description
    }

    /// Returns how messages name a policy: with the tenant that the application was made for.
    func place(of policy: Policy) -> String { "\(policy.name)" + (tenant.map { " at \($0)" } ?? "") }
}
