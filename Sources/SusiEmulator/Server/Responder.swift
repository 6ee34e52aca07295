import FoundationEssentials
import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOPosix
import SusiBase
import SusiJourneys

/// Responds to HTTP requests for a site and writes the request log.
struct SiteResponder: Sendable {
    let site: Site
    /// Whether requests come over TLS.
    var isSecure: Bool
    let log: (@Sendable (String) -> Void)?
    let arrived: (@Sendable (String) async -> Void)?
    /// Gets a line for each step of a custom policy's journey.
    var trace: (@Sendable (String) -> Void)?

    func respond(to request: Request, channel: any Channel) async throws -> HummingbirdCore.Response {
        var response: Response
        do {
            await arrived?(DisplayText.safe("\(request.method.rawValue) \(request.uri.path)"))
            let port = EmulatorPort(UInt16(clamping: channel.localAddress?.port ?? 0), isSecure: isSecure)
            let context = try await RequestContext(
                request, port: port, reach: site.reach, channel: channel, now: site.clock.now())
            response = try await self.response(to: context)
            if isSecure { response = response.securingCookies() }
        } catch is NIOTooManyBytesError {
            response = Response(
                status: .contentTooLarge, note: "request body larger than \(RequestContext.largestBody) bytes")
        } catch {
            response = .json(["error": "server_error"], status: .internalServerError, note: "\(error)")
        }
        response.headers[.date] = HTTPDate.text(site.clock.realTime())
        // The developer page and health checks poll every few seconds; these requests are not logged.
        guard ![Activity.path, Health.path].contains(request.uri.path) else {
            return request.method == .head ? response.headHTTP : response.http
        }
        record(request, response)
        if let delay = response.delay { try await Task.sleep(for: delay) }
        if response.drop == .response { try? await channel.close() }
        return request.method == .head ? response.headHTTP : response.http
    }

    private func record(_ request: Request, _ response: Response) {
        let (method, path) = (request.method.rawValue, request.uri.path)
        if !AdminAPI.owns(path) { site.audit.add(method, path: path, time: site.clock.now(), response) }
        let note = response.note.map { " \($0.prefix(1_000))" } ?? ""
        log?(DisplayText.safe("\(response.status.code) \(method) \(path)\(note)"))
        for line in response.facts.journey { trace?(DisplayText.safe(line.shown)) }
    }

    private func response(to context: RequestContext) async throws -> Response {
        if let admin = site.admin, AdminAPI.owns(context.path) { return try await admin.respond(to: context) }
        let site = site
        // Hashing a password and making a key are slow: neither may block the threads that run all other tasks.
        guard let callouts = site.tenants.first?.callouts else { return try site.respond(to: context) }
        return try await callouts.onThread { try site.respond(to: context) }
    }
}
