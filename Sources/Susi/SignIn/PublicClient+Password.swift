import SusiHTTP
public import SusiOAuth
public import SusiPolicies

extension PublicClient {
    /// Signs in by user name and password without a page (RFC 6749 4.3), and stores the account like any other.
    ///
    /// Without a policy in the request it is the only one of the kind `resourceOwner`; in tenants whose sign-in needs no
    /// policy of that kind, the default one. No browser is opened. A refused password is
    /// ``SusiError/Code/signInNeeded``, as is a tenant that wants a page after all.
    public func signIn(
        _ request: SignInRequest, credentials: TokenRequest.Credentials
    ) async throws(SusiError) -> SignInResult {
        let application = application
        let policy = try passwordPolicy(request.policy)
        let target = try await explained { try application.target(api: request.api, policy: policy.name) }
        _ = try await holderOfSharedDevice(expecting: [request.expected, credentials.username])
        let wanted = WantedScopes(target, beside: request.scopes)
        return try await explained(policy.name) {
            _ = try store()
            do {
                let grant = try await self.grant(credentials, policy, wanted.all)
                return try keep(grant, wanted, policy, request, Demand(account: nil, stored: nil))
            } catch let refusal as ServerRefusal {
                throw Self.refused(refusal, credentials, policy, application)
            }
        }
    }

    /// The policy of that name that takes passwords without a page, or the only one for nil; else
    /// ``SusiError/Code/unknownName``. It is better known before a person types one.
    public nonisolated func passwordPolicy(_ name: PolicyName?) throws(SusiError) -> Policy {
        let policy: Policy
        do { policy = try application.passwordPolicy(name) } catch {
            throw SusiError(error, application: application, policy: name)
        }
        guard policy.kind == .resourceOwner || !application.kind.hasPolicies else {
            throw Self.needsPage(policy, application)
        }
        return policy
    }

    private nonisolated func grant(
        _ credentials: TokenRequest.Credentials, _ policy: Policy, _ scopes: ScopeSet
    ) async throws -> TokenGrant {
        try await web { web in
            let provider = try await Provider.discover(
                application.authority(for: policy), known: application.knownAuthorities, client: web,
                cache: documents)
            let answer = try await provider.answer(
                to: .password(
                    credentials, authority: provider.authority, clientID: application.clientID, scopes: scopes))
            return try await provider.grant(answer, clientID: application.clientID, scopes: scopes, now: clock())
        }
    }

    private static func needsPage(_ policy: Policy, _ application: Application) -> SusiError {
        .noPasswordAccepted(policy, others: application.policies(of: .resourceOwner).map(\.name.spelling))
    }

    // What the server says of the password stays; the next command is the same again, never a page for such a policy.
    private static func refused(
        _ refusal: ServerRefusal, _ credentials: TokenRequest.Credentials, _ policy: Policy, _ application: Application
    ) -> SusiError {
        let error = SusiError(refusal, application: application, policy: policy.name)
        // B2C's word for a wrong password is `access_denied` (AADB2C90225); nobody is there who could cancel.
        guard error.code == .signInNeeded || error.code == .cancelled else { return error }
        let again = SuggestedCommand.signIn(policy.name).option("--username", credentials.username)
        let onPage = SuggestedCommand.signIn(policy.name).without("--username", "--password-stdin")
        let page: NextStep = policy.kind == .resourceOwner ? "" : "    or on a page: \(onPage)"
        return .passwordRefused(refusal, why: error.why, next: "\(again)\(page)")
    }
}

extension Application {
    /// The policy of a sign-in by password.
    fileprivate func passwordPolicy(_ name: PolicyName?) throws(ChoiceError) -> Policy {
        if let name { return try choosePolicy(name) }
        guard !kind.hasPolicies, policies(of: .resourceOwner).isEmpty else {
            return try choosePolicy(nil, of: .resourceOwner)
        }
        return try choosePolicy(nil)
    }
}
