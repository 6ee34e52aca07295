import SusiPolicies
package import SusiStore

extension PublicClient {
    /// Returns the accounts of one policy, or of all, that match a filter (`StoredAccount.matches`), and how many of the stored
    /// accounts such a list leaves out if no policy is named: those of other applications, and those of none.
    ///
    /// The current accounts come first, that of the default policy before all others; the others follow, sorted by
    /// label, then policy. Without a policy those in other tenants are included.
    package func list(
        policy name: PolicyName? = nil, filter: String = ""
    ) async throws(SusiError) -> (accounts: [StoredAccount], hidden: Int) {
        let (context, policy, order) = (context, try self.policy(ifNamed: name), application.policiesInOrder)
        return try await withExistingStore { store in
            guard let store else { return ([], 0) }
            var listed = 0
            let accounts = try store.accounts(in: context.listedArea(of: policy, in: store)) { accounts in
                listed = accounts.count
                return accounts.filter { $0.matches(filter) }.currentFirst(order)
            }
            return (accounts, policy == nil ? try store.facts().accounts - listed : 0)
        }
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
