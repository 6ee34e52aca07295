public import SusiHTTP
import SusiOAuth
import SusiPolicies
import Synchronization

/// A call as it would be sent, with its account.
package struct CallPreview: Sendable {
    package let call: ResolvedCall
    /// The token, and how it would be fetched.
    package let token: TokenPreview
}

extension PublicClient {
    /// Calls an API as an account and returns the head and the whole body of the response, like
    /// ``call(_:of:receive:)``. Throws ``SusiError/Code/invalidResponse`` for a body of more than `limit` bytes.
    @discardableResult
    public func call(
        _ request: CallRequest, of selection: AccountSelection = .current, limit: Int = 16 << 20
    ) async throws(SusiError) -> (head: APICall.Head, body: [UInt8]) {
        let body = Mutex<[UInt8]>([])
        let head = try await call(request, of: selection) { _, piece in
            try body.withLock { body throws(SusiError) in
                guard body.count + (piece?.count ?? 0) <= limit else { throw .tooLong(request.api, limit) }
                body += piece ?? []
            }
        }
        return (head, body.withLock(\.self))
    }

    /// Calls an API as an account and passes the response to `receive` in pieces; returns the head. The first piece is `nil`:
    /// the head alone.
    ///
    /// After a response of 401 with `invalid_token`, the token is refreshed and the call is repeated once (RFC 6750
    /// section 3.1). One with `insufficient_claims` or `insufficient_user_authentication` (RFC 9470) is thrown as
    /// ``SusiError/Code/signInNeeded``. Any other status of 400 or above is a response, not an error. Throws
    /// ``SusiError/Code/unknownName`` for an unknown API, ``SusiError/Code/outsideAPI`` for an address or a path outside
    /// of every API.
    @discardableResult
    public func call(
        _ request: CallRequest, of selection: AccountSelection = .current,
        receive: @escaping @Sendable (APICall.Head, [UInt8]?) async throws -> Void
    ) async throws(SusiError) -> APICall.Head {
        try await call(try request.resolved(in: application), of: selection) { head, piece in
            try await receive(head, piece)
            return .more
        }
    }

    /// Sends a resolved call. `willSend` gets the token before anything is sent: it may lack scopes.
    package func call(
        _ resolved: ResolvedCall, of selection: AccountSelection,
        willSend: @escaping @Sendable (IssuedToken) async -> Void = { _ in },
        receive: @escaping @Sendable (APICall.Head, [UInt8]?) async throws -> APICall.Demand
    ) async throws(SusiError) -> APICall.Head {
        let (api, call) = (resolved.api, resolved.call)
        let token = try await token(
            api: api.name, of: selection, options: TokenRequestOptions(scopes: resolved.scopes))
        await willSend(token)
        return try await mappingErrors(policy: token.policy.name, of: token.account) {
            let first = try await send(call, with: token, receive)
            guard first.refusesToken else { return try await checked(first, of: api, token) }
            let fresh = try await renewed(token)
            return try await checked(try await send(call, with: fresh, after: token, receive), of: api, fresh)
        }
    }

    /// Describes what `call` would do. Nothing is sent, refreshed or stored.
    package func preview(
        _ call: ResolvedCall, of selection: AccountSelection
    ) async throws(SusiError) -> CallPreview {
        let options = TokenRequestOptions(scopes: call.scopes)
        return CallPreview(call: call, token: try await outlook(api: call.api.name, of: selection, options: options))
    }

    // A response that refuses the first token is not passed on, because the call is repeated. A demand for a sign-in becomes
    // an error and is never passed on.
    private func send(
        _ call: APICall, with token: IssuedToken, after refused: IssuedToken? = nil,
        _ receive: @escaping @Sendable (APICall.Head, [UInt8]?) async throws -> APICall.Demand
    ) async throws -> APICall.Head {
        try await context.web { web in
            try await web.call(call, token: token.secret, refused: refused?.secret) { head, piece in
                if refused == nil && head.refusesToken || head.demandsClaims || head.demandsStepUp { return .enough }
                return try await receive(head, piece)
            }
        }
    }

    private func checked(_ head: APICall.Head, of api: API, _ token: IssuedToken) async throws -> APICall.Head {
        if head.demandsStepUp, let challenge = try StepUpChallenge(in: head.challenges) {
            throw try await remember(challenge, for: token.account, api: api.name)
        }
        guard head.demandsClaims, let challenge = try ClaimsChallenge(in: head.challenges, refusing: head.sent)
        else { return head }
        // Stored first, because the sign-in that the error suggests has to request them.
        let needed = try await remember(challenge, for: token.account, api: api.name)
        throw SusiError.claimsRequired(challenge, by: api.name, next: needed.nextStep)
    }
}

extension APICall.Head {
    /// Whether the API requires a token with more claims (Microsoft identity platform, claims challenge).
    var demandsClaims: Bool {
        status == 401 && challenges.contains { $0.bearerError == "insufficient_claims" && $0["claims"] != nil }
    }

    /// Whether the API demands another sign-in of the person (RFC 9470 section 3).
    var demandsStepUp: Bool { status == 401 && challenges.contains(where: \.demandsStepUp) }
}
