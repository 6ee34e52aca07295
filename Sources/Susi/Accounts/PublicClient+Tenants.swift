import SusiOAuth
import SusiPolicies
package import SusiStore

// A person has an account in each tenant, with another object id.
extension PublicClient {
    /// Returns the accounts of the same person in other tenants than those of the policies, as far as refresh tokens at home
    /// brought them; none if the application was made for one tenant.
    package func accountsInOtherTenants(ofPersonOf account: StoredAccount) async throws(SusiError) -> [StoredAccount] {
        guard application.kind.traits.refreshServesEveryTenant, application.tenant == nil else { return [] }
        let scopes = context.allScopes
        let found = try await withExistingStore { store in
            try store?.accounts(ofSamePersonAs: account.account.person, in: scopes, policy: nil) ?? []
        }
        return found.filter { $0.account != account.account && otherTenant(of: $0) != nil }
    }

    /// The tenant of an account that is not at its policy's own authority, as the configuration names it.
    package nonisolated func otherTenant(of account: StoredAccount) -> String? {
        guard application.kind.traits.refreshServesEveryTenant, let policy = application.policy(account.account.policy),
            let base = try? WebAddress(account.authority)
        else { return nil }
        let authority = application.authority(for: policy)
        // One tenant may be named in several ways.
        let isOwn =
            authority.isMultiTenant
            ? account.isAtHome : authority.tenant?.lowercased() == account.account.person.tenant.id
        guard !isOwn, base != authority.base, let name = base.segments.first else { return nil }
        return (try? TenantName(name))?.description
    }

    /// Returns how messages name a policy: with the tenant that the application was made for.
    nonisolated func place(of policy: Policy) -> String {
        "\(policy.name)" + (application.tenant.map { " at \($0)" } ?? "")
    }

    /// Returns the tenant in which only one account has that name, if it is not the policy's own.
    func tenant(ofAccount text: String, _ policy: Policy?) async throws(SusiError) -> String? {
        guard application.kind.traits.refreshServesEveryTenant else { return nil }
        let scopes = context.allScopes
        let found = try await withExistingStore { store in
            try store?.find(.name(text), in: scopes, policy: policy?.name) ?? []
        }
        return found.count == 1 ? otherTenant(of: found[0]) : nil
    }

    /// Returns the account in the policy's tenant that the refresh token of an account at home brought.
    func account(of home: StoredAccount, under policy: Policy) async throws(SusiError) -> StoredAccount? {
        let scope = context.scope(of: policy)
        return try await withExistingStore { try $0?.account(of: home, under: policy, in: scope) }
    }

    /// Returns the account in the tenant that the application was made for, if the selection names an account at home.
    func account(byHomeOf selection: AccountSelection, under policy: Policy) async throws(SusiError) -> StoredAccount? {
        guard application.tenant != nil, let home = try await homeAccount(selection, for: policy) else { return nil }
        return try await account(of: home, under: policy)
    }

    /// Returns the current account at home; `nil` unless the application was made for another tenant.
    func currentAtHome(_ policy: Policy) async throws(SusiError) -> StoredAccount? {
        application.tenant == nil ? nil : try await homeAccount(AccountSelection(policy: policy.name), for: policy)
    }

    /// Returns the account at home that a selection means, whose sign-in also serves the policy's tenant.
    func homeAccount(_ selection: AccountSelection, for policy: Policy) async throws(SusiError) -> StoredAccount? {
        for (home, scope) in homeScopes(of: policy) {
            let found: [StoredAccount]
            if let search = Search(selection) {
                found = try await self.home(search, under: home, in: scope)
            } else {
                found = try await withExistingStore { [try $0?.current(home.name, in: scope)].compactMap(\.self) }
            }
            guard found.count < 2 else { throw SusiError.ambiguous(found, selection.text) }
            if let account = found.first { return account }
        }
        return nil
    }

    /// Returns the accounts of a search whose sign-in at home serves other tenants.
    func home(
        _ search: Search, under policy: Policy, in scope: ApplicationScope
    ) async throws(SusiError) -> [StoredAccount] {
        try await withExistingStore { store in
            let all = try store?.find(search, in: [scope], policy: policy.name) ?? []
            return all.filter { !scope.spansTenants || $0.isAtHome }
        }
    }

    /// The policies whose sign-ins also serve a policy in its tenant, with the scopes of their accounts.
    nonisolated func homeScopes(of policy: Policy) -> [(policy: Policy, scope: ApplicationScope)] {
        application.homePolicies(of: policy).map { home in
            (home, ApplicationScope(application.homeAuthority(for: home), clientID: application.clientID))
        }
    }
}

extension AccountStore {
    /// Returns the account of the same person under a policy, in a scope of another tenant.
    func account(
        of home: StoredAccount, under policy: Policy, in scope: ApplicationScope
    ) throws(StoreError) -> StoredAccount? {
        try accounts(ofSamePersonAs: home.account.person, in: [scope], policy: policy.name).first
    }
}
