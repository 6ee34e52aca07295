import SusiBase
import SusiJourneys

/// Sends the requests of REST technical profiles to the developer's services: on this machine, or on a host that the tenant
/// allows. Redirects are not followed (restful-technical-profile, spec §3.4 and §0 B5).
struct JourneyService {
    let tenant: Tenant

    // The service waits ten seconds, and tries twice (azure-docs#126864).
    private static let seconds: Int64 = 10

    func send(_ call: RESTCall) throws -> RESTAnswer {
        guard tenant.configuration.mayCall(call.url) else { return .failure(.notAllowed) }
        do {
            let response = try tenant.callouts.send(
                call.method, call.url, headers: call.headers, body: call.body, seconds: Self.seconds,
                tenant.configuration.tls())
            return .response(status: response.status, body: response.bytes)
        } catch let failure as CalloutClient.NoResponse {
            return .failure(failure.isLate ? .timeout : failure.isUnknownHost ? .dns : .other)
        } catch {
            return .failure(.other)
        }
    }
}
