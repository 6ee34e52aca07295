import SusiHTTP
import SusiOAuth
import SusiPolicies

/// One policy run in the browser, from the known authority to checked tokens.
struct InteractiveFlow: Sendable {
    let application: Application
    let policy: Policy
    let scopes: ScopeSet
    let options: AuthorizationOptions
    /// Whether the person chooses the account where the provider offers that.
    let choosesAccount: Bool
    /// Whether an account is stored already that the browser's session may bring again.
    let hasAccount: Bool
    let surface: SignInSurface
    let documents: DocumentCache
    /// The user whose browser comes back.
    let user: UInt32
    let clock: @Sendable () -> Int64
    let network: Network
    let trace: @Sendable (String) -> Void
    /// The known person who has to come back; nil for anybody.
    var person: PersonReference?

    /// Runs the policy. `keep` decides about the tokens and stores them; only then does the browser show success.
    func run<T: Sendable>(
        _ keep: @escaping @Sendable (TokenGrant) async throws -> (result: T, page: Page)
    ) async throws -> T {
        try await WebClient.with(network, clock: clock, trace: trace) { web in
            let provider = try await discover(policy, web)
            let flow = self
            return try await RedirectListener.with(
                ports: flow.ports, paths: flow.paths, acceptsForms: flow.acceptsForms, user: flow.user,
                closing: flow.surface.closing
            ) { listener in
                flow.surface.reportUnlisted(listener, path: flow.policy.redirectPath, of: flow.application)
                return try await Conversation.with(listener, flow.surface) { conversation in
                    do {
                        let grant = try await flow.signIn(provider, listener, web, &conversation)
                        try conversation.requireSoleVisitor()
                        let kept = try await keep(grant)
                        await conversation.end(kept.page)
                        return kept.result
                    } catch {
                        var explained = SusiError(error, application: flow.application, policy: flow.policy.name)
                        if let person = flow.person { explained = explained.demanding(person) }
                        await conversation.end(.failure(explained, of: flow.policy.kind, flow.surface))
                        throw explained
                    }
                }
            }
        }
    }

    private var ports: [UInt16] { surface.ports ?? application.redirectPorts }

    /// The policies that this one may lead to.
    private var legs: [Policy] { [policy] + application.policies(of: .passwordReset) }

    private var paths: Set<String> { Set(legs.map(\.redirectPath)) }

    private var acceptsForms: Bool { legs.contains { options(for: $0).responseMode == .formPost } }

    /// What a request under one of the policies carries. What is demanded of a sign-in is demanded of no reset on its way.
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

    private func discover(_ policy: Policy, _ web: WebClient) async throws -> Provider {
        try await Provider.discover(
            application.authority(for: policy), known: application.knownAuthorities, client: web, cache: documents,
            asksServer: true)
    }

    private func request(
        _ policy: Policy, _ scopes: ScopeSet, _ listener: RedirectListener, at metadata: ProviderMetadata
    ) -> AuthorizationRequest {
        var options = options(for: policy)
        if asksForChoice, policy == self.policy, metadata.offersAccountChoice { options.prompt = .selectAccount }
        return AuthorizationRequest(
            authority: application.authority(for: policy), clientID: application.clientID,
            redirectURI: listener.redirectURI(path: policy.redirectPath), scopes: scopes, options: options)
    }

    private var asksForChoice: Bool { choosesAccount && options.prompt == nil }

    private func tellOfOthers(_ metadata: ProviderMetadata) {
        guard asksForChoice, hasAccount, !metadata.offersAccountChoice else { return }
        let login = SuggestedCommand.signIn(policy.name).option("--prompt", Prompt.login.rawValue)
        surface.tell(.noAccountChoice(next: surface.write("\(login)")))
    }

    private func signIn(
        _ provider: Provider, _ listener: RedirectListener, _ web: WebClient, _ conversation: inout Conversation
    ) async throws -> TokenGrant {
        tellOfOthers(provider.metadata)
        while true {
            let request = request(policy, scopes, listener, at: provider.metadata)
            let answer = try await conversation.answer(to: request, from: provider.metadata)
            switch answer {
            case .code(let code): return try await redeem(code, request, provider)
            case .refused(let refusal):
                // AADB2C90118: the page's “forgot your password?” leaves it to the application to run the policy for it.
                guard refusal.consequence == .resetPassword, policy.kind == .signUpOrSignIn else { throw refusal }
                try await resetPassword(listener, web, &conversation)
            }
        }
    }

    private func resetPassword(
        _ listener: RedirectListener, _ web: WebClient, _ conversation: inout Conversation
    ) async throws {
        let reset = try application.choosePolicy(nil, of: .passwordReset)
        surface.tell(.resettingPassword)
        let provider = try await discover(reset, web)
        let request = request(reset, ScopeSet([]), listener, at: provider.metadata)
        let answer = try await conversation.answer(to: request, from: provider.metadata)
        // The code of the reset is left to expire: the sign-in that follows gives the tokens.
        if case .refused(let refusal) = answer { throw refusal }
    }

    private func redeem(
        _ code: String, _ request: AuthorizationRequest, _ provider: Provider
    ) async throws -> TokenGrant {
        let answer = try await provider.answer(to: .code(code, request: request))
        return try await provider.grant(
            answer, clientID: application.clientID, scopes: scopes, now: clock(), nonce: request.nonce,
            maximumAge: request.options.maximumAge, acr: request.options.claims?.essentialACR, code: code)
    }
}
