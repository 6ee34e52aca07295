public import SusiOAuth
import SusiPolicies

extension Provider {
    /// Revokes a token (RFC 7009 section 2). A refusal is thrown as a ``ServerRefusal``. Without a revocation endpoint
    /// nothing is sent.
    public func revoke(_ request: RevocationRequest) async throws {
        guard let endpoint = try metadata.endpoint(.revocation) else { return }
        let answer = try await client.post(form: request.body, to: endpoint)
        // The server responds with 200 for an unknown token too (section 2.2).
        if answer.status == 200 { return }
        if let refusal = TokenAnswer.refusal(in: answer.body), answer.status < 500 { throw refusal }
        throw UnexpectedAnswer(address: endpoint, status: answer.status)
    }
}
