import SusiPolicies
package import SusiStore

// Access to ``AccountFinder`` through the client.
extension PublicClient {
    /// Runs `body` with a finder over one state of the store. Maps errors.
    package func finding<T>(_ body: (AccountFinder) throws -> T) async throws(SusiError) -> T {
        let context = context
        return try await withExistingStore { store in
            let finder = AccountFinder(context: context, store: store)
            guard let store else { return try body(finder) }
            return try store.reading { try body(finder) }
        }
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
