import SusiHTTP
import SusiOAuth
package import SusiPolicies

extension PublicClient {
    /// Returns the policy of that name that accepts passwords without a page, or the only one for `nil`. Throws
    /// ``SusiError/Code/unknownName``, before a person types a password.
    package nonisolated func passwordPolicy(_ name: PolicyName?) throws(SusiError) -> Policy {
        let policy: Policy
        do { policy = try application.passwordPolicy(name) } catch {
            throw SusiError(error, application: application, policy: name)
        }
        guard policy.kind == .resourceOwner || !application.kind.traits.hasPolicies else {
            let others = application.policies(of: .resourceOwner).map(\.name.spelling)
            throw SusiError.noPasswordAccepted(policy, others: others)
        }
        return policy
    }
}

/// One sign-in by password, from the known authority to checked tokens.
struct PasswordFlow: DirectSignIn {
    let context: ClientContext
    let policy: Policy
    let credentials: PasswordCredentials

    var userName: String? { credentials.username }

    func tokens(for scopes: ScopeSet, _ options: AuthorizationOptions) async throws -> TokenGrant {
        let clientID = context.application.clientID
        do {
            return try await context.withProvider(for: policy) { provider, _ in
                let request = TokenRequest.password(
                    credentials, authority: provider.authority, clientID: clientID, scopes: scopes,
                    openIDScopes: policy.openIDScopes(at: provider))
                return try await provider.grant(
                    try await provider.response(to: request), clientID: clientID, scopes: scopes, now: context.clock())
            }
        } catch let refusal as ServerRefusal { throw refused(refusal) }
    }

    // Keeps the server's text about the password. The next step is the same sign-in again, never a page for such a policy.
    private func refused(_ refusal: ServerRefusal) -> SusiError {
        let error = context.explained(refusal, under: policy.name)
        // B2C reports a wrong password as `access_denied` (AADB2C90225); there is no page on which a person could cancel.
        guard error.code == .signInNeeded || error.code == .cancelled else { return error }
        let again = PolicyRun(.resourceOwner, policy.name, userName: credentials.username)
        let onPage = PolicyRun(.signUpOrSignIn, policy.name)
        return .passwordRefused(
            refusal, why: error.why,
            next: policy.kind == .resourceOwner
                ? .run(again) : "\(.run(again))\(remark: "or on a page: \(.run(onPage))")")
    }
}

extension Application {
    fileprivate func passwordPolicy(_ name: PolicyName?) throws(ChoiceError) -> Policy {
        if let name { return try choosePolicy(name) }
        guard !kind.traits.hasPolicies, policies(of: .resourceOwner).isEmpty else {
            return try choosePolicy(nil, of: .resourceOwner)
        }
        return try choosePolicy(nil)
    }
}
