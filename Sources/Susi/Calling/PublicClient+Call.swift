public import SusiHTTP
import SusiOAuth
public import SusiPolicies

/// A call as it would be sent: to where, and as whom.
public struct CallPreview: Sendable {
    /// The API.
    public let api: API
    /// What would be sent, beside the token.
    public let call: APICall
    /// Whose token would go along, and how it would be had.
    public let token: TokenPreview
}

extension PublicClient {
    /// Calls an API as an account and hands the answer to `receive` in pieces; returns the head.
    ///
    /// An answer of 401 with `invalid_token` leads to one forced refresh and one more try (RFC 6750 section 3.1). One with
    /// `insufficient_claims` or `insufficient_user_authentication` (RFC 9470) is thrown as
    /// ``SusiError/Code/signInNeeded``. Any other status of 400 or above is an answer, not an error. `willSend` gets the
    /// token before anything is sent: it may lack scopes.
    public func call(
        _ request: CallRequest, of selection: AccountSelection,
        willSend: @escaping @Sendable (IssuedToken) async -> Void = { _ in },
        receive: @escaping @Sendable (APICall.Head, [UInt8]?) async throws -> Void
    ) async throws(SusiError) -> APICall.Head {
        let (api, call) = try request.resolved(in: application)
        let token = try await token(
            api: api.name, of: selection, options: TokenRequestOptions(scopes: request.scopes))
        await willSend(token)
        return try await mappingErrors(policy: token.policy.name, of: token.account) {
            let first = try await send(call, token, holdsRefusal: true, receive)
            guard first.refusesToken else { return try await judged(first, token, api) }
            let fresh = try await renewed(token)
            return try await judged(try await send(call, fresh, holdsRefusal: false, receive), fresh, api)
        }
    }

    /// What ``call(_:of:willSend:receive:)`` would do; nothing is sent, refreshed or stored.
    public func preview(
        _ request: CallRequest, of selection: AccountSelection
    ) async throws(SusiError) -> CallPreview {
        let (api, call) = try request.resolved(in: application)
        let options = TokenRequestOptions(scopes: request.scopes)
        return CallPreview(
            api: api, call: call, token: try await outlook(api: api.name, of: selection, options: options))
    }

    /// The call that a request means, without a token.
    public nonisolated func resolve(_ request: CallRequest) throws(SusiError) -> (api: API, call: APICall) {
        try request.resolved(in: application)
    }

    // With `holdsRefusal`, an answer that refuses the token is not handed on: the second try's is. A demand for a sign-in
    // becomes an error and is never handed on.
    private func send(
        _ call: APICall, _ token: IssuedToken, holdsRefusal: Bool,
        _ receive: @escaping @Sendable (APICall.Head, [UInt8]?) async throws -> Void
    ) async throws -> APICall.Head {
        try await context.web { web in
            let wanted = { @Sendable (head: APICall.Head) in
                !(holdsRefusal && head.refusesToken || head.demandsClaims || head.demandsStepUp)
            }
            return try await web.call(call, token: token.secret, wanted: wanted, receive: receive)
        }
    }

    private func judged(_ head: APICall.Head, _ token: IssuedToken, _ api: API) async throws -> APICall.Head {
        if head.demandsStepUp, let challenge = try StepUpChallenge(in: head.challenges) {
            throw try await remember(challenge, for: token.account, api: api.name)
        }
        guard head.demandsClaims, let challenge = try ClaimsChallenge(in: head.challenges) else { return head }
        // Kept first: the sign-in that the error asks for has to bring them.
        let needed = try await remember(claimsChallenge: challenge, for: token.account, api: api.name)
        throw SusiError.claimsRequired(challenge, by: api.name, next: needed.nextStep)
    }
}

extension APICall.Head {
    /// Whether the API takes no token without more claims (Microsoft identity platform, claims challenge).
    var demandsClaims: Bool {
        status == 401 && challenges.contains { $0.bearerError == "insufficient_claims" && $0["claims"] != nil }
    }

    /// Whether the API demands another sign-in of the person (RFC 9470 section 3).
    var demandsStepUp: Bool { status == 401 && challenges.contains(where: \.demandsStepUp) }
}
