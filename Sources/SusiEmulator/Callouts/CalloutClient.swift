import AsyncHTTPClient
import FoundationEssentials
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import SusiBase

/// Calls the developer's code for all steps, and reads the documents that it signs invitations with: one connection pool, one
/// limit of size, one retry, one line in the log for each attempt.
struct CalloutClient: Sendable {
    struct Response: Sendable {
        let status: Int
        let reason: String
        /// The body; nil if it is not JSON.
        let body: JSON?
        let hasJSONType: Bool
        let bytes: [UInt8]
    }

    /// There was no response in time, twice.
    struct NoResponse: Error {
        let reason: any Error

        var isLate: Bool { [.deadlineExceeded, .connectTimeout].contains(reason as? HTTPClientError) }
        var isUnknownHost: Bool {
            (reason as? NIOConnectionError).map { $0.dnsAError != nil || $0.dnsAAAAError != nil } ?? false
        }
    }

    /// The response is not repeated: it would be as large again.
    struct TooLarge: Error, CustomStringConvertible {
        let description = "the response is larger than \(CalloutClient.largestBody) bytes"
    }

    private let http: HTTPClient?
    private let log: (@Sendable (String) -> Void)?

    /// In bytes.
    private static let largestBody = 64 * 1_024

    /// Runs `body` with a client for the code of these tenants, and closes it.
    static func running<T: Sendable>(
        for tenants: [TenantConfiguration], log: (@Sendable (String) -> Void)?,
        _ body: (CalloutClient) async throws -> T
    ) async throws -> T {
        guard tenants.contains(where: { $0.policyFolder != nil || $0.settings.values.contains(where: \.callsCode) })
        else {
            return try await body(CalloutClient(http: nil, log: nil))
        }
        // A redirect could lead to a host that the tenant does not allow.
        var settings = HTTPClient.Configuration(redirectConfiguration: .disallow)
        settings.connectionPool.retryConnectionEstablishment = false
        // No call waits for another: that would count as its own time.
        settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = .max
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
        let result: Result<T, any Error>
        do { result = .success(try await body(CalloutClient(http: http, log: log))) } catch {
            result = .failure(error)
        }
        try? await http.shutdown()
        return try result.get()
    }

    /// Runs `work` on a thread on which it may wait. If there is code to call, the thread is its own: a call waits as long as a
    /// debugger holds the code, and must not block another request.
    func onThread<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
        guard http != nil else { return try await NIOThreadPool.singleton.runIfActive(work) }
        let thread = NIOThreadPool(numberOfThreads: 1)
        thread.start()
        defer { thread.shutdownGracefully { _ in } }
        return try await thread.runIfActive(work)
    }

    /// Ends the calls that wait for a response, and refuses others.
    func stop() async { try? await http?.shutdown() }

    /// Posts JSON. Returns nil if there was no response in time, twice as with the services. Must not run on an event loop.
    func post(
        _ body: JSON, to callout: Callout, _ step: Callout.Step, bearer: String?, seconds: Int64,
        _ tls: TLSConfiguration
    ) throws -> Response? {
        let basic = callout.username.map { Data("\($0):\(callout.password ?? "")".utf8).base64EncodedString() }
        var headers: HTTPHeaders = ["Content-Type": "application/json", "Accept": "application/json"]
        if let value = bearer.map({ "Bearer \($0)" }) ?? basic.map({ "Basic \($0)" }) {
            headers.add(name: "Authorization", value: value)
        }
        let request = try HTTPClient.Request(
            url: callout.url, method: .POST, headers: headers, body: .bytes(body.encoded), tlsConfiguration: tls)
        return try send(request, step.rawValue, seconds)
    }

    /// Reads a document for a setting. Returns nil if there was no response in time. Must not run on an event loop.
    func get(_ address: String, for setting: String, seconds: Int64, _ tls: TLSConfiguration) throws -> Response? {
        try send(
            HTTPClient.Request(url: address, headers: ["Accept": "application/json"], tlsConfiguration: tls),
            setting, seconds)
    }

    /// Sends a request of a custom policy. Throws `NoResponse` or `TooLarge`. Must not run on an event loop.
    func send(
        _ method: String, _ url: String, headers: [String: String], body: String?, seconds: Int64,
        _ tls: TLSConfiguration
    ) throws -> Response {
        let request = try HTTPClient.Request(
            url: url, method: HTTPMethod(rawValue: method),
            headers: HTTPHeaders(
                [("Accept", "application/json")] + headers.sorted { $0.key < $1.key }.map { ($0, $1) }),
            body: body.map { .string($0) }, tlsConfiguration: tls)
        return try respond(request, "service", seconds).get()
    }

    private func send(_ request: HTTPClient.Request, _ name: String, _ seconds: Int64) throws -> Response? {
        switch try respond(request, name, seconds) {
        case .success(let response): response
        case .failure: nil
        }
    }

    private func respond(
        _ request: HTTPClient.Request, _ name: String, _ seconds: Int64
    ) throws -> Result<Response, NoResponse> {
        var result = try attempt(request, name, seconds)
        if case .failure = result { result = try attempt(request, name, seconds) }
        return result.map { response in
            let bytes = response.body.map { Array($0.readableBytesView) } ?? []
            return Response(
                status: Int(response.status.code), reason: response.status.reasonPhrase,
                body: bytes.isEmpty ? [:] : try? JSON(parsing: bytes),
                hasJSONType: response.headers.first(name: "content-type")?.hasPrefix("application/json") ?? false,
                bytes: bytes)
        }
    }

    // The log has no query and no body: either may hold a secret.
    private func attempt(
        _ request: HTTPClient.Request, _ name: String, _ seconds: Int64
    ) throws -> Result<HTTPClient.Response, NoResponse> {
        let start = NIODeadline.now()
        guard let http else { return .failure(NoResponse(reason: HTTPClientError.alreadyShutdown)) }
        let result = Result {
            try http.execute(
                request: request, delegate: ResponseAccumulator(request: request, maxBodySize: Self.largestBody),
                deadline: start + .seconds(seconds)
            ).wait()
        }
        let outcome =
            switch result {
            case .success(let response): "status \(response.status.code)"
            case .failure(is ResponseAccumulator.ResponseTooBigError): "\(TooLarge().description)"
            case .failure(let error): "no response (\(error))"
            }
        let time = "\((NIODeadline.now() - start).nanoseconds / 1_000_000) ms"
        log?(DisplayText.safe("called \(name) at \(request.url.host() ?? ""):\(request.port): \(outcome), \(time)"))
        if case .failure(is ResponseAccumulator.ResponseTooBigError) = result { throw TooLarge() }
        return result.mapError { NoResponse(reason: $0) }
    }
}
