import SusiOAuth
import SusiPolicies

extension PublicClient {
    /// Signs in by native authentication: the server asks for a password or a code, and for a second factor, and no browser is
    /// opened. Stores the account like any other. External ID has it instead of the password grant.
    ///
    /// `tell` gets ``SignInEvent/codeSent(_:)``. Errors: ``SusiError/Code/signInNeeded`` for a refused password or code, a
    /// user who does not exist, credentials that are missing, and a server that demands a browser; `refused` if the
    /// application may not use native authentication; `network` for a locked account too; `unknownName` where the kind of
    /// authority has no native authentication; `invalidAnswer`, `differentPerson`, `unknownAuthority`, `store`.
    public func signIn(
        _ request: SignInRequest, native credentials: NativeCredentials,
        tell: @escaping @Sendable (SignInEvent) -> Void = { _ in }
    ) async throws(SusiError) -> SignInResult {
        let policy = try passwordPolicy(request.policy)
        guard application.kind.traits.hasNativeAuthentication else { throw SusiError.noNativeAuthentication(policy) }
        let context = context
        do {
            return try await signIn(request, under: policy, as: credentials.username) { scopes in
                try await NativeFlow(
                    context: context, policy: policy, scopes: scopes, credentials: credentials, tell: tell
                ).run()
            }
        } catch { throw error.namingNoOnlyPolicy(of: application) }
    }
}
