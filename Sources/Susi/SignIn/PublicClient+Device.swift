import SusiHTTP
import SusiOAuth
import SusiPolicies

extension PublicClient {
    /// Signs a person in on another device (RFC 8628), and stores the account like any other.
    ///
    /// `tell` gets the code that the person types there. The wait ends with the code, or after `limit` seconds; between
    /// two questions `pause` waits. Errors: ``SusiError/Code/cancelled`` when the person says no, `timeout`,
    /// `unknownName` where there is no such flow: Azure AD B2C has none.
    public func signInOnAnotherDevice(
        _ request: SignInRequest, limit: Int64? = nil,
        pause: @escaping @Sendable (_ seconds: Int64) async throws -> Void = {
            try await Task.sleep(for: .seconds($0))
        },
        tell: @escaping @Sendable (SignInEvent) -> Void
    ) async throws(SusiError) -> SignInResult {
        let application = application
        let target = try await explained { try application.target(api: request.api, policy: request.policy) }
        guard !application.kind.hasPolicies else {
            throw SusiError.noDeviceCode("Azure AD B2C does not support it", target.policy)
        }
        _ = try await holderOfSharedDevice(expecting: [request.expected])
        let wanted = WantedScopes(target, beside: request.scopes)
        return try await explained(target.policy.name) {
            _ = try store()
            let demand = demand(on: request, target.policy)
            let options = demand.added(to: request.options)
            let wait = DeviceWait(limit: limit, pause: pause, tell: tell, clock: clock)
            let grant = try await carrying(demand, target.policy) {
                try await self.grant(target.policy, wanted.all, options, wait)
            }
            return try keep(grant, wanted, target.policy, request, demand)
        }
    }

    private nonisolated func grant(
        _ policy: Policy, _ scopes: ScopeSet, _ options: AuthorizationOptions, _ wait: DeviceWait
    ) async throws -> TokenGrant {
        try await web { web in
            let provider = try await Provider.discover(
                application.authority(for: policy), known: application.knownAuthorities, client: web,
                cache: documents)
            let request = DeviceRequest(
                clientID: application.clientID, scopes: scopes, claims: options.claims, acrValues: options.acrValues,
                maximumAge: options.maximumAge)
            guard let code = try await provider.deviceCode(for: request) else {
                throw SusiError.noDeviceCode("\(provider.metadata.issuer) does not support it", policy)
            }
            let answer = try await wait.answer(to: code, from: provider, clientID: application.clientID)
            return try await provider.grant(
                answer, clientID: application.clientID, scopes: scopes, now: clock(), maximumAge: options.maximumAge,
                acr: options.claims?.essentialACR)
        }
    }
}

/// Asks the token endpoint until the person has decided (RFC 8628 3.4 and 3.5).
struct DeviceWait: Sendable {
    let limit: Int64?
    let pause: @Sendable (Int64) async throws -> Void
    let tell: @Sendable (SignInEvent) -> Void
    let clock: @Sendable () -> Int64

    /// Shows the code and returns the answer to it.
    func answer(to code: DeviceCode, from provider: Provider, clientID: String) async throws -> TokenAnswer {
        let end = clock() + min(code.expiresIn, limit ?? code.expiresIn)
        tell(.deviceCode(code))
        var polling = DevicePolling(interval: code.interval)
        while true {
            // The last question comes when the time is up, not before.
            let rest = end - clock()
            guard rest > 0 else { throw DeadlineExceeded() }
            try await pause(min(polling.pause, rest))
            do {
                return try await provider.answer(to: .deviceCode(code.deviceCode, clientID: clientID))
            } catch let refusal as ServerRefusal {
                switch polling.after(refusal) {
                case .again: continue
                case .cancelled: throw SusiError.declinedElsewhere
                case .expired: throw DeadlineExceeded()
                case .failed: throw refusal
                }
            } catch let failure as NetworkFailure where failure.isPassing {
                polling.afterNoAnswer()
            } catch is UnexpectedAnswer {
                polling.afterNoAnswer()
            }
        }
    }
}

extension NetworkFailure {
    /// Whether the next try may fare better: a wrong certificate or a wrong answer stays what it is.
    fileprivate var isPassing: Bool {
        switch kind {
        case .refused, .timeout, .broken, .unknownHost: true
        case .tls, .tooLarge, .proxy: false
        }
    }
}
