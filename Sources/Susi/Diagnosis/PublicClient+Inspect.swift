import SusiOAuth
public import SusiPolicies

extension PublicClient {
    /// Decodes a token and checks its signature with the keys of the application's authority that issues such tokens.
    ///
    /// A bad token throws nothing: the inspection contains what is wrong with it. With `isOffline` no server is contacted.
    package func inspect(_ token: String, isOffline: Bool = false) async -> TokenInspection {
        await TokenInspector(context: context).inspect(token, isOffline: isOffline)
    }

    /// Returns the raw id token of an account. It is a secret.
    public func idToken(
        of selection: AccountSelection = .current
    ) async throws(SusiError) -> (token: String, policy: PolicyName) {
        let stored = try await account(selection)
        let (application, account) = (application, stored.account)
        return try await withExistingStore(policy: account.policy, of: stored) { store in
            guard let token = try store?.secret(.id(account)) else {
                throw SusiError.signInNeeded(try application.choosePolicy(account.policy), .noAccount)
            }
            return (token.secret, account.policy)
        }
    }
}
