import SusiHTTP
import SusiOAuth
import SusiPolicies

/// One policy run in the browser, from the known authority to checked tokens.
struct InteractiveFlow: Sendable {
    let context: ClientContext
    let policy: Policy
    let scopes: ScopeSet
    let options: AuthorizationOptions
    let surface: SignInSurface
    /// Whether the person chooses the account, if the provider offers that.
    var choosesAccount = false
    /// Whether an account is stored already; the browser may still have its session.
    var hasAccount = false
    /// The known person who must come back; `nil` accepts any person.
    var person: PersonReference?

    /// Runs the policy. `keep` checks the person and stores the tokens; only then does the browser show success.
    func run<T: Sendable>(
        _ keep: @escaping @Sendable (TokenGrant) async throws -> (result: T, page: Page)
    ) async throws -> T {
        if let obstacle = surface.obstacle {
            // An authority that is not allowed is reported first: no other surface would help.
            let authority = context.application.authority(for: policy)
            if case .refused(let refusal) = context.application.knownAuthorities.decision(for: authority) {
                throw refusal
            }
            throw obstacle
        }
        return try await context.withProvider(for: policy, asksServer: true) { provider, web in
            return try await RedirectListener.with(
                ports: surface.ports ?? context.application.redirectPorts, paths: Set(legs.map(\.redirectPath)),
                acceptsForms: legs.contains { options(for: $0).responseMode == .formPost }, user: context.folder.owner,
                closing: surface.closing
            ) { listener in
                surface.reportUnlisted(listener, path: policy.redirectPath, of: context.application)
                return try await Conversation.with(listener, on: surface, redirectPath: policy.redirectPath) {
                    conversation in
                    do {
                        let grant = try await signIn(at: provider, web, &conversation)
                        try conversation.requireSoleVisitor()
                        let kept = try await keep(grant)
                        await conversation.end(kept.page)
                        return kept.result
                    } catch {
                        let error = mapped(error)
                        await conversation.end(.failure(error, of: policy.kind, surface))
                        throw error
                    }
                }
            }
        }
    }

    /// Requests a code and redeems it. A reset of the password may come before the code, several times.
    private func signIn(
        at provider: Provider, _ web: WebClient, _ conversation: inout Conversation
    ) async throws -> TokenGrant {
        reportMissingChoice(provider.metadata)
        while true {
            let request = request(for: policy, scopes: scopes, at: provider, over: conversation.listener)
            switch try await conversation.answer(to: request, from: provider.metadata) {
            case .code(let code): return try await redeem(code, of: request, at: provider)
            case .refused(let refusal):
                // AADB2C90118: after “forgot your password?”, the application has to run that policy.
                guard refusal.consequence == .resetPassword, policy.kind == .signUpOrSignIn else { throw refusal }
                try await resetPassword(web, &conversation)
            }
        }
    }

    private func resetPassword(_ web: WebClient, _ conversation: inout Conversation) async throws {
        let reset = try context.application.choosePolicy(nil, of: .passwordReset)
        surface.tell(.resettingPassword)
        let provider = try await context.provider(for: reset, web, asksServer: true)
        let request = request(for: reset, scopes: ScopeSet([]), at: provider, over: conversation.listener)
        // The code of the reset is not redeemed: the tokens come from the sign-in that follows.
        if case .refused(let refusal) = try await conversation.answer(to: request, from: provider.metadata) {
            throw refusal
        }
    }

    private func redeem(
        _ code: String, of request: AuthorizationRequest, at provider: Provider
    ) async throws -> TokenGrant {
        let response = try await provider.answer(to: .code(code, request: request))
        return try await provider.grant(
            response, clientID: context.application.clientID, scopes: scopes, now: context.clock(),
            nonce: request.nonce, maximumAge: request.options.maximumAge, acr: request.options.claims?.essentialACR,
            code: code)
    }

    private func mapped(_ error: any Error) -> SusiError {
        let error = SusiError(error, application: context.application, policy: policy.name)
        return person.map(error.demanding) ?? error
    }
}

// MARK: Requests

extension InteractiveFlow {
    /// The policies that this one may lead to.
    private var legs: [Policy] { [policy] + context.application.policies(of: .passwordReset) }

    private func request(
        for policy: Policy, scopes: ScopeSet, at provider: Provider, over listener: RedirectListener
    ) -> AuthorizationRequest {
        var options = options(for: policy)
        if asksForChoice, policy == self.policy, provider.metadata.offersAccountChoice {
            options.prompt = .selectAccount
        }
        return AuthorizationRequest(
            authority: context.application.authority(for: policy), clientID: context.application.clientID,
            redirectURI: listener.redirectURI(path: policy.redirectPath), scopes: scopes, options: options)
    }

    /// Returns the options of a request under one of the policies. The conditions of the sign-in do not apply to a
    /// password reset in between.
    private func options(for policy: Policy) -> AuthorizationOptions {
        var options = options
        options.responseMode = options.responseMode ?? policy.responseMode
        if policy.kind != .signUpOrSignIn { options.prompt = nil }
        if !policy.sendsIDTokenHint { options.idTokenHint = nil }
        if policy != self.policy {
            options.claims = nil
            options.acrValues = nil
            options.maximumAge = nil
            options.domainHint = nil
        }
        return options
    }

    private var asksForChoice: Bool { choosesAccount && options.prompt == nil }

    private func reportMissingChoice(_ metadata: ProviderMetadata) {
        guard asksForChoice, hasAccount, !metadata.offersAccountChoice else { return }
        let login = PolicyRun(.signUpOrSignIn, policy.name).asking(.login)
        surface.tell(.noAccountChoice(next: surface.write(NextStep(.run(login)))))
    }
}
