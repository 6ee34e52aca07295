package import SusiHTTP
import SusiPolicies

extension PublicClient {
    /// Fetches a path at the origin of the application's authority, within a time limit.
    package func answer(at path: String, within limit: Duration) async throws(SusiError) -> WebClient.Answer {
        let context = context
        return try await mappingErrors {
            let endpoint = try Endpoint(application.authority.origin + path)
            return try await context.web(within: limit) { web in try await web.get(endpoint) }
        }
    }
}
