import SusiOAuth
import SusiPolicies
public import SusiStore

// A person has an account in each tenant, with another object id. The home account id is the same.
extension PublicClient {
    /// Returns the accounts of the same home account in other tenants than those of the policies; none if the application was
    /// made for one tenant.
    public func accountsInOtherTenants(ofPersonOf account: StoredAccount) async throws(SusiError) -> [StoredAccount] {
        guard application.kind.refreshServesEveryTenant, application.tenant == nil else { return [] }
        let (scopes, home) = (context.allScopes, account.homeAccountID.description)
        let found = try await withExistingStore { store in
            try store?.find(home, in: scopes, policy: nil, matching: .exactly) ?? []
        }
        return found.filter {
            $0.homeAccountID.isSame(as: account.homeAccountID) && $0.account != account.account
                && otherTenant(of: $0) != nil
        }
    }

    /// The tenant of an account that is not at its policy's own authority, as the configuration names it.
    public nonisolated func otherTenant(of account: StoredAccount) -> String? {
        guard application.kind.refreshServesEveryTenant, let policy = application.policy(account.account.policy),
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

    /// Returns the tenant in which only one account has that name, if it is not the policy's own.
    func tenant(ofAccount text: String, _ policy: Policy?) async throws(SusiError) -> String? {
        guard application.kind.refreshServesEveryTenant else { return nil }
        let scopes = context.allScopes
        let found = try await withExistingStore { store in
            try store?.find(text, in: scopes, policy: policy?.name) ?? []
        }
        return found.count == 1 ? otherTenant(of: found[0]) : nil
    }

    /// Returns the account of a home account in the policy's tenant.
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

    /// Returns the account at home of the person who has to sign in at the tenant that the application was made for; `nil` if
    /// it was made for none, or if no account at home is meant.
    public func expectedAtHome(
        _ text: String?, api: String?, policy name: PolicyName?
    ) async throws(SusiError) -> StoredAccount? {
        guard application.tenant != nil else { return nil }
        let policy = try choose { try $0.target(api: api, policy: name).policy }
        let home = try await homeAccount(AccountSelection(policy: policy.name, text: text), for: policy)
        guard let home, let text, text.isWholeAddress else { return home }
        return home.profile.answers(to: text, subject: home.account.person.subject) ? home : nil
    }

    /// Returns the account at home that a selection means, whose sign-in also serves the policy's tenant.
    func homeAccount(_ selection: AccountSelection, for policy: Policy) async throws(SusiError) -> StoredAccount? {
        for home in application.homePolicies(of: policy) {
            let scope = ApplicationScope(application.homeAuthority(for: home), clientID: application.clientID)
            let found = try await withExistingStore { store throws in
                guard let text = selection.text else {
                    return [try store?.current(home.name, in: scope)].compactMap(\.self)
                }
                let all = try store?.find(text, in: [scope], policy: home.name, matching: selection.matching) ?? []
                return all.filter { !scope.spansTenants || $0.isAtHome }
            }
            guard found.count < 2 else { throw SusiError.ambiguous(found, selection.text ?? "") }
            if let account = found.first { return account }
        }
        return nil
    }
}

extension AccountStore {
    /// Returns the account of a home account under a policy, in a scope of another tenant.
    func account(
        of home: StoredAccount, under policy: Policy, in scope: ApplicationScope
    ) throws(StoreError) -> StoredAccount? {
        // A search also finds an address or a name with the text of an identifier, which a tenant can choose.
        try find(home.homeAccountID.description, in: [scope], policy: policy.name, matching: .exactly)
            .first { $0.homeAccountID.isSame(as: home.homeAccountID) }
    }
}
