import SusiHTTP
import SusiOAuth
import SusiPolicies

/// One sign-in on another device, from the known authority to checked tokens.
struct DeviceFlow: DirectSignIn {
    let context: ClientContext
    let policy: Policy
    let wait: DeviceWait

    var userName: String? { nil }

    /// Gets a code, waits for the person and returns the checked tokens.
    func tokens(for scopes: ScopeSet, _ options: AuthorizationOptions) async throws -> TokenGrant {
        let clientID = context.application.clientID
        return try await context.withProvider(for: policy) { provider, _ in
            let request = DeviceRequest(
                clientID: clientID, scopes: scopes, openIDScopes: policy.openIDScopes(at: provider),
                claims: options.claims, acrValues: options.acrValues, maximumAge: options.maximumAge)
            guard var code = try await provider.deviceCode(for: request) else {
                throw SusiError.noDeviceCode("\(provider.metadata.issuer) does not support it", policy)
            }
            let page = provider.authority.devicePageOfLocalAccounts?.description
            code.localAccountURI = page == code.verificationURI ? nil : page
            let response: TokenResponse
            do {
                response = try await wait.response(to: code, from: provider, clientID: clientID)
            } catch is DeadlineExceeded {
                throw SusiError.codeNotEntered(policy)
            }
            return try await provider.grant(
                response, clientID: clientID, scopes: scopes, now: context.clock(), maximumAge: options.maximumAge,
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

    /// Shows the code and returns the response to it.
    func response(to code: DeviceCode, from provider: Provider, clientID: String) async throws -> TokenResponse {
        let end = clock() + min(code.expiresIn, limit ?? code.expiresIn)
        tell(.deviceCode(code))
        var polling = DevicePolling(interval: code.interval)
        while true {
            // The last request is sent when the time is up, not before.
            let rest = end - clock()
            guard rest > 0 else { throw DeadlineExceeded() }
            try await pause(min(polling.pause, rest))
            do {
                return try await provider.response(to: .deviceCode(code.deviceCode, clientID: clientID))
            } catch let refusal as ServerRefusal {
                switch polling.after(refusal) {
                case .again: continue
                case .cancelled: throw SusiError.declinedElsewhere
                case .expired: throw DeadlineExceeded()
                case .failed: throw refusal
                }
            } catch let failure as NetworkFailure where failure.isPassing {
                polling.afterNoResponse()
            } catch is UnexpectedResponse {
                polling.afterNoResponse()
            }
        }
    }
}

extension NetworkFailure {
    /// Whether another try may succeed: a wrong certificate or a wrong response does not change.
    fileprivate var isPassing: Bool {
        switch kind {
        case .refused, .timeout, .broken, .unknownHost: true
        case .tls, .tooLarge, .proxy, .cancelled: false
        }
    }
}
