import SusiOAuth
import SusiPolicies
import SusiStore

extension PublicClient {
    /// Returns the account of a selection in the policy's tenant after the sign-in at home has brought a token there; `nil` if
    /// the account needs no such token, or no sign-in at home serves the tenant.
    func joined(
        _ selection: AccountSelection, under policy: Policy, wanted: WantedScopes, options: TokenRequestOptions
    ) async throws(SusiError) -> StoredAccount? {
        let flow = try await joining(selection, under: policy, wanted: wanted, options: options)
        guard let flow else { return nil }
        return try await withUnlockedStore(policy: policy.name) { try await flow.account(in: $0) }
    }

    /// Returns the flow by which ``joined(_:under:wanted:options:)`` would bring a token; `nil` if it would bring none.
    func joining(
        _ selection: AccountSelection, under policy: Policy, wanted: WantedScopes, options: TokenRequestOptions
    ) async throws(SusiError) -> TenantFlow? {
        guard let home = try await homeAccount(selection, for: policy) else { return nil }
        let flow = TenantFlow(
            context: context, session: session, home: home, policy: policy, wanted: wanted, options: options)
        let there = try await account(of: home, under: policy)
        guard try await isMeant(there, by: selection, under: policy) else { return nil }
        guard let there else {
            // The person's sign-out there lasts until the next sign-in, there or at home. Only a current account leaves a note:
            // one that was only fetched for `tenant` is removed by a sign-out, and fetched again.
            guard let note = try await signedOut(policy), note.label.lowercased() == home.label.lowercased() else {
                return flow
            }
            return note.on < home.signedInOn ? flow : nil
        }
        return try await withExistingStore { try flow.needsHome(there, in: $0) } ? flow : nil
    }

    // The current account there is used, if there is one. A policy of its own that has accounts does not use the one at home.
    private func isMeant(
        _ there: StoredAccount?, by selection: AccountSelection, under policy: Policy
    ) async throws(SusiError) -> Bool {
        if let search = Search(selection) {
            if application.tenant != nil, there != nil { return true }
            let own = try await stored(search, in: scopes(of: policy), policy)
            return own.allSatisfy { $0.account == there?.account }
        }
        if let current = try await current(policy).current { return current.account == there?.account }
        if application.tenant != nil { return true }
        return try await accountCount(policy: policy.name) == 0
    }
}
