import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix

/// What a request's channel knows: the port that it came in on.
struct ChannelContext: InitializableFromSource, Sendable {
    let port: UInt16
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        channel = source.channel
        port = UInt16(clamping: source.channel.localAddress?.port ?? 0)
    }
}

/// Responds to HTTP requests for a site and writes the request log.
struct SiteResponder: HTTPResponder {
    typealias Context = ChannelContext

    let site: Site
    /// Whether requests come over TLS.
    var isSecure: Bool
    let log: (@Sendable (String) -> Void)?
    let arrived: (@Sendable (String) async -> Void)?

    func respond(to request: Request, context: ChannelContext) async throws -> HummingbirdCore.Response {
        var answer: Response
        do {
            await arrived?(oneLine("\(request.method.rawValue) \(request.uri.path)"))
            let port = EmulatorPort(context.port, isSecure: isSecure)
            let context = try await RequestContext(
                request, port: port, reach: site.reach, channel: context.channel, now: site.clock.now())
            answer = try await self.answer(context)
            if isSecure { answer = answer.securingCookies() }
        } catch is NIOTooManyBytesError {
            answer = Response(
                status: .contentTooLarge, note: "request body larger than \(RequestContext.largestBody) bytes")
        } catch {
            answer = try .json(["error": "server_error"], status: .internalServerError, note: "\(error)")
        }
        // The developer's page asks for news every other second: that is none.
        guard request.uri.path != Activity.path else { return answer.response }
        if !AdminAPI.owns(request.uri.path) {
            site.audit.add(request.method.rawValue, path: request.uri.path, time: site.clock.now(), answer)
        }
        let note = answer.note.map { " \($0.prefix(1_000))" } ?? ""
        log?(oneLine("\(request.method.rawValue) \(request.uri.path) \(answer.status.code)\(note)"))
        if let delay = answer.delay { try await Task.sleep(for: delay) }
        if answer.drop == .answer { try? await context.channel.close() }
        return request.method == .head ? answer.headResponse : answer.response
    }

    private func answer(_ context: RequestContext) async throws -> Response {
        if let admin = site.admin, AdminAPI.owns(context.path) { return try await admin.answer(context) }
        let site = site
        // Hashing a password and making a key are slow: neither may block the threads that run all other tasks.
        return try await NIOThreadPool.singleton.runIfActive { try site.answer(context) }
    }
}

/// A text for a log or a terminal: whatever a request brought along, it cannot begin a line or move the cursor.
func oneLine(_ text: String) -> String {
    guard !text.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) else { return text }
    let isControl: (Unicode.Scalar) -> Bool = {
        [.control, .lineSeparator, .paragraphSeparator, .format].contains($0.properties.generalCategory)
    }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "?" : $0 }))
}
