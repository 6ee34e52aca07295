import SusiHTTP
import SusiOAuth
import SusiPolicies

/// The browser's window during one run.
struct BrowserWindow {
    let flow: InteractiveFlow
    let provider: Provider
    let web: WebClient
    var conversation: Conversation

    private var context: ClientContext { flow.context }

    /// Requests a code, redeems it and checks the tokens. A reset of the password may come before the code, several times.
    mutating func grant(_ scopes: ScopeSet, _ options: AuthorizationOptions) async throws -> TokenGrant {
        while true {
            let request = flow.request(
                for: flow.policy, scopes: scopes, options, at: provider, over: conversation.listener)
            switch try await conversation.answer(to: request, from: provider.metadata) {
            case .code(let code):
                return try await redeem(code, of: request, at: provider)
            case .refused(let refusal):
                // AADB2C90118: after “forgot your password?”, the application has to run that policy.
                guard refusal.consequence == .resetPassword, flow.policy.kind == .signUpOrSignIn else { throw refusal }
                try await resetPassword(options)
            }
        }
    }

    /// Gets tokens under another policy from the browser's session, without a page (`prompt=none`): a page would let a command
    /// wait that has done what was asked.
    mutating func grantOfSession(
        under policy: Policy, _ scopes: ScopeSet, idTokenHint: String?
    ) async throws -> TokenGrant {
        guard conversation.hasWindow else { throw SusiError.noWindow }
        let provider = try await context.provider(for: policy, web, asksServer: true)
        let options = AuthorizationOptions(
            prompt: Prompt.none, idTokenHint: idTokenHint, responseMode: flow.responseMode)
        let request = flow.request(for: policy, scopes: scopes, options, at: provider, over: conversation.listener)
        switch try await conversation.answer(to: request, from: provider.metadata) {
        case .code(let code): return try await redeem(code, of: request, at: provider)
        case .refused(let refusal): throw refusal
        }
    }

    private mutating func resetPassword(_ options: AuthorizationOptions) async throws {
        let reset = try context.application.choosePolicy(nil, of: .passwordReset)
        flow.surface.tell(.resettingPassword)
        let provider = try await context.provider(for: reset, web, asksServer: true)
        let request = flow.request(
            for: reset, scopes: ScopeSet([]), options, at: provider, over: conversation.listener)
        // The code of the reset is not redeemed: the tokens come from the sign-in that follows.
        if case .refused(let refusal) = try await conversation.answer(to: request, from: provider.metadata) {
            throw refusal
        }
    }

    private func redeem(
        _ code: String, of request: AuthorizationRequest, at provider: Provider
    ) async throws -> TokenGrant {
        let response = try await provider.answer(to: .code(code, request: request))
        let grant = try await provider.grant(
            response, clientID: context.application.clientID, scopes: request.scopes, now: context.clock(),
            nonce: request.nonce, maximumAge: request.options.maximumAge, acr: request.options.claims?.essentialACR,
            code: code)
        try conversation.requireSoleVisitor()
        return grant
    }
}
