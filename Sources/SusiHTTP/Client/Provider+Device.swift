public import SusiOAuth
import SusiPolicies

extension Provider {
    /// Requests a device code; returns `nil` if the provider has no such endpoint. A refusal is thrown as a
    /// ``ServerRefusal``.
    public func deviceCode(for request: DeviceRequest) async throws -> DeviceCode? {
        guard let endpoint = try metadata.endpoint(.deviceAuthorization) else { return nil }
        let answer = try await client.post(form: request.body, to: endpoint)
        if (500...599).contains(answer.status) || answer.status == 429 {
            throw UnexpectedAnswer(address: endpoint, status: answer.status, retryAfter: answer.retryAfter)
        }
        return try DeviceCode(parsing: answer.body, status: answer.status)
    }
}
