package import SusiPolicies
package import SusiStore

// The finder as the client offers it.
extension PublicClient {
    /// Runs `body` with a finder over one state of the store. Maps errors.
    func finding<T>(_ body: (AccountFinder) throws -> T) async throws(SusiError) -> T {
        let context = context
        return try await withExistingStore { store in
            let finder = AccountFinder(context: context, store: store)
            guard let store else { return try body(finder) }
            return try store.reading { try body(finder) }
        }
    }

    /// Returns the accounts with exactly this name, under one policy or under all. With `completing`, where a person sees what a
    /// shortened name chose, and if no account has that name, those that it may be short for. Accounts of edit-profile
    /// and password-reset policies come last.
    package func accounts(
        named text: String, under policy: Policy?, completing: Bool = false
    ) async throws(SusiError) -> (accounts: [StoredAccount], isShortened: Bool) {
        try await finding { try $0.accounts(named: text, under: policy, completing: completing) }
    }

    /// Returns the account that a shortened name means under a policy, or at home for a policy in another tenant; `nil` for a
    /// complete name. Only for callers that show a person what the name chose.
    package func completed(_ text: String, under policy: Policy) async throws(SusiError) -> StoredAccount? {
        try await finding { try $0.completed(text, under: policy) }
    }

    /// Returns the only one of the accounts with a name. Throws ``SusiError/Code/unknownAccount`` or `ambiguousAccount` with the
    /// candidates.
    package func only(
        _ found: [StoredAccount], named text: String, under policy: Policy?
    ) async throws(SusiError) -> StoredAccount {
        try await finding { try $0.only(found, named: text, under: policy) }
    }

    /// Returns the person whom a selection means for a sign-in, and the account that a shortened name chose
    /// (`AccountFinder.expected`). The policy is that of the API if none is named.
    package func expectedPerson(
        _ selection: AccountSelection, api: String? = nil, completing: Bool = false
    ) async throws(SusiError) -> (person: ExpectedPerson?, shortFor: StoredAccount?) {
        let policy = try choose { try $0.target(api: api, policy: selection.policy).policy }
        return try await finding { try $0.expected(selection, under: policy, completing: completing) }
    }
}
