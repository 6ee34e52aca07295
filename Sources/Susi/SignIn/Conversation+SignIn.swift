import SusiHTTP
import SusiOAuth
import SusiPolicies

extension Conversation {
    /// Sends the browser to the authority and waits for the response to this request.
    mutating func answer(
        to request: AuthorizationRequest, from metadata: ProviderMetadata
    ) async throws -> RedirectAnswer {
        let hasSecret = request.options.idTokenHint != nil
        await open(
            request.url(at: metadata.authorizationEndpoint), hasSecret: hasSecret, showsAddress: !hasSecret,
            canPaste: request.responseMode == .query)
        let reader = ResponseReader(
            request: request, metadata: metadata, redirectURI: listener.redirectURI, tell: surface.tell)
        return try await response(
            otherwise: .notOurs, readPasted: { reader.answer(pasted: $0) }, read: { try reader.answer(in: $0) })
    }
}

/// Finds the response to one authorization request. Reports anything else and returns `nil`, so that waiting continues.
private struct ResponseReader {
    let request: AuthorizationRequest
    let metadata: ProviderMetadata
    let redirectURI: (_ path: String) -> String
    let tell: @Sendable (SignInEvent) -> Void

    private static let otherState = "it cannot be read, or its state does not match the request"

    func answer(in arrival: RedirectListener.Arrival) throws(ProtocolViolation) -> RedirectAnswer? {
        // Another path belongs to another policy, which may have another authorization server (RFC 8252 section 8.10).
        let address = redirectURI(arrival.path)
        guard address == request.redirectURI else {
            tell(.strayArrival("it arrived at \(address), not at \(request.redirectURI)"))
            return nil
        }
        if let form = arrival.form, let stray = complaint(about: form) {
            tell(.strayArrival(stray))
            return nil
        }
        if let answer = try read(arrival.fields, arrival.form == nil ? .query : .formPost) { return answer }
        tell(.strayArrival(Self.otherState))
        return nil
    }

    private func read(_ fields: String, _ mode: ResponseMode) throws(ProtocolViolation) -> RedirectAnswer? {
        guard let answer = try RedirectAnswer(form: fields, to: request, from: metadata) else { return nil }
        ServerMessage.received(fields.utf8, .redirect(mode), from: metadata.authorizationEndpoint)
        return answer
    }

    // A query is accepted if a form was requested, because some servers report errors in that way.
    private func complaint(about form: RedirectListener.FormPost) -> String? {
        guard request.responseMode == .formPost else { return "it was posted; a query was requested" }
        let expected = metadata.authorizationEndpoint.address.origin
        let others = request.authority.kind.traits.otherResponseOrigins
        guard let origin = form.origin, origin != "null", !([expected] + others).contains(origin) else { return nil }
        return "it was posted by \(origin), not by \(expected)"
    }

    func answer(pasted text: String) -> RedirectAnswer? {
        do throws(ProtocolViolation) {
            if let answer = try checkedAnswer(pasted: text) { return answer }
            tell(.pasteRefused(Self.otherState))
        } catch { tell(.pasteRefused(error.reason)) }
        return nil
    }

    // The pasted address passes the same checks as an arrival, and must be this request's redirect address.
    private func checkedAnswer(pasted text: String) throws(ProtocolViolation) -> RedirectAnswer? {
        guard request.responseMode == .query else {
            throw ProtocolViolation(
                .redirect, "the response is posted, not in the address; the browser has to reach this machine",
                source: "OAuth 2.0 Form Post Response Mode 2")
        }
        let parts = text.filter { !$0.isWhitespace }.split(separator: "?", maxSplits: 1)
        guard parts.count == 2, parts[0] == request.redirectURI else {
            throw ProtocolViolation(
                .redirect, "the address does not start with \(request.redirectURI)?", source: "RFC 8252 7.3")
        }
        return try read(String(parts[1]), .query)
    }
}
