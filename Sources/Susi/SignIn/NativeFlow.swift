import SusiHTTP
import SusiOAuth
import SusiPolicies

/// One sign-in by native authentication, from the known authority to checked tokens.
struct NativeFlow: DirectSignIn {
    let context: ClientContext
    let policy: Policy
    let credentials: NativeCredentials
    let tell: @Sendable (SignInEvent) -> Void

    var userName: String? { credentials.username }

    /// Enters what the server asks for and returns the checked tokens.
    func tokens(for scopes: ScopeSet, _ options: AuthorizationOptions) async throws -> TokenGrant {
        let clientID = context.application.clientID
        do {
            return try await context.withProvider(for: policy) { provider, _ in
                var exchange = NativeExchange(flow: self, scopes: scopes, provider: provider)
                return try await provider.grant(
                    try await exchange.tokens(), clientID: clientID, scopes: scopes, now: context.clock())
            }
        } catch let refusal as ServerRefusal { throw refused(refusal) }
    }

    private func refused(_ refusal: ServerRefusal) -> SusiError {
        let error = context.explained(refusal, under: policy.name)
        return .native(refusal, error, policy, username: credentials.username)
    }
}

/// The requests of one sign-in. The server leads: each response decides about the next request.
private struct NativeExchange {
    let flow: NativeFlow
    let scopes: ScopeSet
    let provider: Provider
    private var asked: Set<Question> = []

    /// What a server may ask once.
    private enum Question: String {
        case password = "the password"
        case code = "a code"
        case factor = "a second factor"
        case factorCode = "the code of a second factor"
    }

    init(flow: NativeFlow, scopes: ScopeSet, provider: Provider) {
        (self.flow, self.scopes, self.provider) = (flow, scopes, provider)
    }

    /// Makes requests until the server has sent tokens. No question is answered twice, so this ends.
    mutating func tokens() async throws -> TokenResponse {
        var response = try await send(.initiate(username: flow.credentials.username))
        while true {
            switch response {
            case .started(let token): response = try await send(.challenge(method: nil, continuation: token))
            case .password(let token):
                try admit(.password)
                response = try await send(try await password(), token)
            case .code(let sent, let token):
                try admit(asked.contains(.factor) ? .factorCode : .code)
                response = try await enterCode(sent, token)
            case .factor(let token):
                try admit(.factor)
                // No code is sent that cannot be read.
                _ = try code()
                response = try await send(.introspect(continuation: token))
            case .methods(let methods, let token):
                guard let method = methods.preferred else {
                    throw SusiError.browserNeeded("the second factor is not a code", flow.policy)
                }
                response = try await send(.challenge(method: method.id, continuation: token))
            case .redirect(let reason): throw SusiError.browserNeeded(reason, flow.policy)
            case .tokens(let tokens): return tokens
            }
        }
    }

    // A password is no second factor.
    private mutating func admit(_ question: Question) throws(ProtocolViolation) {
        let isLate = question == .password && asked.contains(.factor)
        guard !isLate, asked.insert(question).inserted else {
            throw ProtocolViolation(
                .nativeResponse,
                "the server asks for \(question.rawValue) \(isLate ? "after the second factor" : "again")",
                source: "Native authentication API reference")
        }
    }

    private func password() async throws -> NativeRequest.Proof {
        guard let password = flow.credentials.password else {
            throw SusiError.passwordMissing(flow.policy, username: flow.credentials.username)
        }
        return .password(try await password())
    }

    private func code() throws(SusiError) -> @Sendable (NativeCode, Int) async throws -> String {
        guard let code = flow.credentials.code else {
            throw SusiError.codeMissing(flow.policy, username: flow.credentials.username)
        }
        return code
    }

    // A wrong code leaves the continuation token valid for another one.
    private func enterCode(_ sent: NativeCode, _ token: String) async throws -> NativeResponse {
        flow.tell(.codeSent(sent))
        let code = try code()
        var attempt = 1
        while true {
            let entered = try await code(sent, attempt)
            do {
                return try await send(asked.contains(.factorCode) ? .factorCode(entered) : .code(entered), token)
            } catch let refusal as ServerRefusal {
                guard refusal.isWrongCode, attempt < flow.credentials.attempts else { throw refusal }
                attempt += 1
            }
        }
    }

    private func send(_ proof: NativeRequest.Proof, _ token: String) async throws -> NativeResponse {
        try await send(.token(proof, scopes: scopes, continuation: token))
    }

    private func send(_ request: NativeRequest) async throws -> NativeResponse {
        guard let response = try await provider.response(to: request, clientID: flow.context.application.clientID)
        else {
            throw SusiError.noNativeAuthentication(flow.policy)
        }
        return response
    }
}
