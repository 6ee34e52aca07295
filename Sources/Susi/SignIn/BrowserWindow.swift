import SusiHTTP
import SusiOAuth
import SusiPolicies
import SusiStore

/// The browser's window while one policy runs: from the known authority to the last page.
struct BrowserWindow {
    private let context: ClientContext
    private let policy: Policy
    private let surface: SignInSurface
    /// The caller's response mode; `nil` for that of each policy.
    private let responseMode: ResponseMode?
    private let provider: Provider
    private let web: WebClient
    private var conversation: Conversation

    /// Runs `body`, which gets tokens through the window and returns the page at the end. After an error, the window shows that;
    /// its next steps name `person`, the stored one who must come back.
    static func open<T: Sendable>(
        under policy: Policy, on surface: SignInSurface, responseMode: ResponseMode?,
        expecting person: PersonReference? = nil, _ context: ClientContext,
        _ body: (inout BrowserWindow) async throws -> (result: T, page: Page)
    ) async throws -> T {
        let application = context.application
        try surface.refuseObstacle(under: policy, of: application)
        // The policies that this one may lead to: a password reset before a sign-in, the sign-ins after an edit or a reset.
        let legs = [policy] + application.policies(of: policy.kind.keepsAccounts ? .passwordReset : .signUpOrSignIn)
        return try await context.withProvider(for: policy, asksServer: true) { provider, web in
            try await RedirectListener.with(
                ports: surface.ports ?? application.redirectPorts, host: application.redirectHost,
                paths: Set(legs.map(\.redirectPath)),
                acceptsForms: legs.contains { (responseMode ?? $0.responseMode) == .formPost },
                user: context.folder.owner, closing: surface.closing, noteNoResponse: surface.reportNoResponse
            ) { listener in
                let unlisted = surface.reportUnlisted(listener, path: policy.redirectPath, of: application)
                return try await Conversation.with(listener, on: surface, redirectPath: policy.redirectPath) {
                    var window = BrowserWindow(
                        context: context, policy: policy, surface: surface, responseMode: responseMode,
                        provider: provider, web: web, conversation: $0)
                    do {
                        let (result, page) = try await body(&window)
                        await window.conversation.end(page)
                        return result
                    } catch {
                        var shown = context.explained(error, under: policy.name, of: person)
                        // A refused redirect address is seen in the browser alone: no response came, or its script failed.
                        let isSilent = error is DeadlineExceeded || (error as? SusiError)?.code == .failed
                        guard isSilent, let unlisted else {
                            await window.conversation.end(.failure(shown, of: policy.kind, surface))
                            throw error
                        }
                        shown.nextStep = "register \(unlisted); \(shown.nextStep)"
                        await window.conversation.end(.failure(shown, of: policy.kind, surface))
                        throw shown
                    }
                }
            }
        }
    }

    /// Whether the provider lets the person choose an account.
    var offersAccountChoice: Bool { provider.metadata.offersAccountChoice }

    func reportMissingChoice() {
        let login = PolicyRun(.signUpOrSignIn, policy.name).asking(.login)
        surface.tell(.noAccountChoice(next: surface.write(NextStep.run(login))))
    }

    /// Requests a code, redeems it and checks the tokens. A reset of the password may come before the code, several times.
    mutating func tokens(for scopes: ScopeSet, _ options: AuthorizationOptions) async throws -> TokenGrant {
        if options.prompt == .create, !provider.metadata.offersSignUp {
            throw SusiError.noSignUpPrompt(policy)
        }
        while true {
            let request = request(under: policy, at: provider, scopes, options)
            switch try await conversation.response(to: request, from: provider.metadata) {
            case .code(let code): return try await redeem(code, of: request, at: provider)
            case .refused(let refusal):
                // AADB2C90118: after “forgot your password?”, the application has to run that policy.
                guard refusal.consequence == .resetPassword, policy.kind == .signUpOrSignIn else { throw refusal }
                try await resetPassword(options)
            }
        }
    }

    /// Gets tokens under another policy from the browser's session, without a page (`prompt=none`): a page would let a command
    /// wait that has done what was asked.
    mutating func tokensOfSession(
        under policy: Policy, for scopes: ScopeSet, storedIDToken: String?
    ) async throws -> TokenGrant {
        guard conversation.hasWindow else { throw SusiError.noWindow }
        let provider = try await context.provider(for: policy, web, asksServer: true)
        var options = AuthorizationOptions(prompt: Prompt.none)
        options.storedIDToken = storedIDToken
        options.responseMode = responseMode
        let request = request(under: policy, at: provider, scopes, options)
        switch try await conversation.response(to: request, from: provider.metadata) {
        case .code(let code): return try await redeem(code, of: request, at: provider)
        case .refused(let refusal): throw refusal
        }
    }

    private mutating func resetPassword(_ options: AuthorizationOptions) async throws {
        let reset = try context.application.choosePolicy(nil, of: .passwordReset)
        surface.tell(.resettingPassword)
        let provider = try await context.provider(for: reset, web, asksServer: true)
        let request = request(under: reset, at: provider, ScopeSet([]), options)
        // The code of the reset is not redeemed: the tokens come from the sign-in that follows.
        if case .refused(let refusal) = try await conversation.response(to: request, from: provider.metadata) {
            throw refusal
        }
    }

    private func redeem(
        _ code: String, of request: AuthorizationRequest, at provider: Provider
    ) async throws -> TokenGrant {
        let grant = try await provider.grant(
            try await provider.response(to: .code(code, request: request)), clientID: request.clientID,
            scopes: request.scopes, now: context.clock(), nonce: request.nonce,
            maximumAge: request.options.maximumAge, acr: request.options.claims?.essentialACR, code: code)
        try conversation.requireSoleVisitor()
        return grant
    }

    private func request(
        under policy: Policy, at provider: Provider, _ scopes: ScopeSet, _ options: AuthorizationOptions
    ) -> AuthorizationRequest {
        var options = options
        options.responseMode = options.responseMode ?? policy.responseMode
        if policy.kind != .signUpOrSignIn { options.prompt = nil }
        if policy != self.policy { options.idTokenHint = nil }
        if policy.sendsIDTokenHint { options.idTokenHint = options.idTokenHint ?? options.storedIDToken }
        // The conditions of the sign-in do not apply to a password reset in between.
        if policy != self.policy {
            options.claims = nil
            options.acrValues = nil
            options.maximumAge = nil
            options.domainHint = nil
        }
        // A person is named: no choice. Without a list, a session of the browser comes before the hint.
        if options.prompt == .selectAccount, options.loginHint != nil {
            options.prompt = context.application.kind.traits.listsAccounts ? nil : .login
        }
        return AuthorizationRequest(
            authority: context.application.authority(for: policy), clientID: context.application.clientID,
            redirectURI: conversation.listener.redirectURI(path: policy.redirectPath), scopes: scopes,
            openIDScopes: policy.openIDScopes(at: provider), options: options)
    }
}

extension Policy {
    /// Returns the scopes that are requested beside those of an API.
    func openIDScopes(at provider: Provider) -> ScopeSet {
        kind.keepsAccounts && wantsOfflineAccess ? provider.metadata.openIDScopes : .identity
    }
}

extension SignInSurface {
    fileprivate func refuseObstacle(under policy: Policy, of application: Application) throws {
        guard let obstacle else { return }
        // An authority that is not allowed is reported first: no other surface would help.
        let decision = application.knownAuthorities.decision(for: application.authority(for: policy))
        if case .refused(let refusal) = decision { throw refusal }
        throw obstacle
    }
}

// The pages at the end of a flow.
extension Page {
    static let notOurs = Page(
        status: 400, title: "Not this sign-in",
        text: "This response belongs to a different sign-in. susi is still waiting for the current one.")

    static func signedIn(_ account: StoredAccount, _ policy: Policy) -> Page {
        Page(
            outcome: .success, title: "Signed in", text: "\(account.label) is signed in under \(policy.name).")
    }

    static func edited(_ label: String) -> Page {
        Page(outcome: .success, title: "Profile saved", text: "Saved the profile of \(label).")
    }

    static func passwordSet(_ label: String) -> Page {
        Page(outcome: .success, title: "Password set", text: "\(label) has a new password.")
    }

    static func failure(_ error: SusiError, of kind: PolicyKind, _ surface: SignInSurface) -> Page {
        if error.code == .cancelled {
            let text =
                switch kind {
                case .signUpOrSignIn, .resourceOwner: "The sign-in was cancelled. Nothing was stored."
                case .editProfile: "The profile was not changed."
                case .passwordReset: "The password was not changed."
                }
            return Page(outcome: .cancelled, title: "Cancelled", text: text)
        }
        let title =
            switch kind {
            case .signUpOrSignIn, .resourceOwner: "Not signed in"
            case .editProfile: "Profile not updated"
            case .passwordReset: "Password not changed"
            }
        let step = surface.write(error.nextStep)
        // Only a command can be run; an instruction is a sentence of the text.
        if case .words? = error.nextStep.parts.first {
            return Page(outcome: .failure, title: title, text: "\(error.sentence) What to do: \(step).")
        }
        return Page(outcome: .failure, title: title, text: error.sentence, command: step)
    }
}
