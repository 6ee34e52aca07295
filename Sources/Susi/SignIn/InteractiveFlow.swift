import SusiHTTP
import SusiOAuth
import SusiPolicies

/// One policy run in the browser, from the known authority to the last page.
struct InteractiveFlow {
    let context: ClientContext
    let policy: Policy
    let surface: SignInSurface
    /// The caller's response mode; `nil` for that of each policy.
    var responseMode: ResponseMode?
    /// Whether the person chooses the account, if the provider offers that; the request then names no other prompt.
    var choosesAccount = false
    /// Whether an account is stored already; the browser may still have its session.
    var hasAccount = false
    /// The known person who must come back; `nil` accepts any person.
    var person: PersonReference?

    /// Runs `body`, which gets tokens through the browser's window and returns the page at the end. After an error, the window
    /// shows that.
    func run<T: Sendable>(
        _ body: (inout BrowserWindow) async throws -> (result: T, page: Page)
    ) async throws -> T {
        try refuseObstacle()
        return try await context.withProvider(for: policy, asksServer: true) { provider, web in
            return try await RedirectListener.with(
                ports: surface.ports ?? context.application.redirectPorts, paths: Set(legs.map(\.redirectPath)),
                acceptsForms: legs.contains { (responseMode ?? $0.responseMode) == .formPost },
                user: context.folder.owner, closing: surface.closing, noteNoResponse: surface.reportNoResponse
            ) { listener in
                surface.reportUnlisted(listener, path: policy.redirectPath, of: context.application)
                reportMissingChoice(provider.metadata)
                return try await Conversation.with(listener, on: surface, redirectPath: policy.redirectPath) {
                    var window = BrowserWindow(flow: self, provider: provider, web: web, conversation: $0)
                    do {
                        let (result, page) = try await body(&window)
                        await window.conversation.end(page)
                        return result
                    } catch {
                        let error = mapped(error)
                        await window.conversation.end(.failure(error, of: policy.kind, surface))
                        throw error
                    }
                }
            }
        }
    }

    private func refuseObstacle() throws {
        guard let obstacle = surface.obstacle else { return }
        // An authority that is not allowed is reported first: no other surface would help.
        let authority = context.application.authority(for: policy)
        if case .refused(let refusal) = context.application.knownAuthorities.decision(for: authority) { throw refusal }
        throw obstacle
    }

    private func mapped(_ error: any Error) -> SusiError {
        let error = SusiError(error, application: context.application, policy: policy.name)
        return person.map(error.demanding) ?? error
    }

    /// The policies that this one may lead to: a password reset before a sign-in, the sign-ins after an edit or a reset.
    private var legs: [Policy] {
        let isUtility = policy.kind.isUtility
        return [policy] + context.application.policies(of: isUtility ? .signUpOrSignIn : .passwordReset)
    }
}

// MARK: Requests

extension InteractiveFlow {
    func request(
        for policy: Policy, scopes: ScopeSet, _ options: AuthorizationOptions, at provider: Provider,
        over listener: RedirectListener
    ) -> AuthorizationRequest {
        var options = adapted(options, to: policy)
        if choosesAccount, policy == self.policy, provider.metadata.offersAccountChoice {
            options.prompt = .selectAccount
        }
        // A person is named: no choice. Without a list, a session of the browser comes before the hint.
        if options.prompt == .selectAccount, options.loginHint != nil {
            options.prompt = context.application.kind.traits.listsAccounts ? nil : .login
        }
        return AuthorizationRequest(
            authority: context.application.authority(for: policy), clientID: context.application.clientID,
            redirectURI: listener.redirectURI(path: policy.redirectPath), scopes: scopes, options: options)
    }

    /// Returns the options of a request under one of the policies. The conditions of the sign-in do not apply to a
    /// password reset in between.
    private func adapted(_ options: AuthorizationOptions, to policy: Policy) -> AuthorizationOptions {
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

    private func reportMissingChoice(_ metadata: ProviderMetadata) {
        guard choosesAccount, hasAccount, !metadata.offersAccountChoice else { return }
        let login = PolicyRun(.signUpOrSignIn, policy.name).asking(.login)
        surface.tell(.noAccountChoice(next: surface.write(NextStep.run(login))))
    }
}
