package import SusiOAuth
import SusiPolicies

extension Provider {
    /// Sends a request of native authentication; returns `nil` if the kind of authority has no such endpoint. A refusal is
    /// thrown as a ``ServerRefusal``.
    ///
    /// The endpoint is on the authority's own host, which `knownAuthorities` allows.
    package func answer(to request: NativeRequest, clientID: String) async throws -> NativeAnswer? {
        guard let endpoint = authority.nativeEndpoint(request.step.rawValue) else { return nil }
        return try await post(request.body(clientID: clientID), to: endpoint) { answer, secrets in
            try NativeAnswer(
                parsing: answer.body, status: answer.status, to: request.step, serverTime: answer.date, hiding: secrets)
        }
    }
}
