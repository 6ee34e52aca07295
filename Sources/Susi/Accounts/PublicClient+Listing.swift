package import SusiPolicies
package import SusiStore

/// A selection of accounts to show.
package struct AccountList: Hashable, Sendable {
    /// The policy, as it was typed; `nil` for all.
    package var policy: PolicyName?
    /// A text that an address, a user name or a name contains, or that an identifier begins with.
    package var filter: String?
    /// Whether the list includes accounts of policies that only edit a profile or reset a password. A named policy's
    /// accounts are always included.
    package var includesUtilities: Bool
    package var limit: Int?

    package init(
        policy: PolicyName? = nil, filter: String? = nil, includesUtilities: Bool = false, limit: Int? = nil
    ) {
        self.policy = policy
        self.filter = filter
        self.includesUtilities = includesUtilities
        self.limit = limit
    }
}

extension PublicClient {
    /// Passes the accounts of a list to `each` one by one; only a few are in memory at a time. Without a policy those in other
    /// tenants are included.
    ///
    /// The current accounts come first, that of the default policy before all others; the others follow, sorted by
    /// label, then policy.
    package func list(
        _ list: AccountList, each: @Sendable (StoredAccount) throws -> Void
    ) async throws(SusiError) {
        let policy = try list.policy.map { name throws(SusiError) in try self.policy(name) }
        let listing = AccountListing(
            policy: policy?.name, hidden: hidden(in: list), filter: list.filter,
            currentFirst: application.policiesInOrder,
            leavesOutGuests: context.leavesOutGuests(policy), limit: list.limit)
        let scopes = policy.map { [context.scope(of: $0)] } ?? context.listedScopes
        try await withExistingStore { store in
            try store?.accounts(listing, of: scopes, each: each)
        }
    }

    /// Returns how many of the stored accounts a list without a policy leaves out: those of policies that only edit a profile or
    /// reset a password, of other applications, and of none.
    package func hiddenCount(in list: AccountList) async throws(SusiError) -> Int {
        guard list.policy == nil else { return 0 }
        var count = try await storedCount().all - accountCount()
        for policy in hidden(in: list) { count += try await accountCount(policy: policy) }
        return count
    }

    private nonisolated func hidden(in list: AccountList) -> Set<PolicyName> {
        list.policy == nil && !list.includesUtilities ? context.utilities : []
    }

}

extension Application {
    /// The default policy, then the others in the file's order.
    var policiesInOrder: [PolicyName] {
        let all = policies.map(\.name)
        guard let first = defaultPolicy?.name else { return all }
        return [first] + all.filter { $0 != first }
    }
}
