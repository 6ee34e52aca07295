public import SusiOAuth
import SusiPolicies

extension Provider {
    /// Revokes a token (RFC 7009 section 2). A refusal is thrown as a ``ServerRefusal``; nothing is asked of a provider
    /// without a revocation endpoint.
    public func revoke(_ request: RevocationRequest) async throws {
        guard let endpoint = try metadata.endpoint(.revocation) else { return }
        let answer = try await client.post(form: request.body, to: endpoint)
        // A token that the server does not know is as good as revoked, and answered with 200 (section 2.2).
        if answer.status == 200 { return }
        if let refusal = TokenAnswer.refusal(in: answer.body), answer.status < 500 { throw refusal }
        throw UnexpectedAnswer(address: endpoint, status: answer.status)
    }
}
