import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
public import SusiPolicies

/// Exchanges with a server, each bounded in time and size. It follows no redirect and keeps no cookie: B2C answers a
/// token request that carries cookies with an HTML page.
public struct WebClient: Sendable {
    /// What an exchange with an authority may cost.
    public struct Limits: Hashable, Sendable {
        /// The largest answer, in bytes.
        public var answer: Int
        /// The time for a whole exchange, from the connection to the last byte.
        public var exchange: Duration

        /// Makes limits; by default one mebibyte and 30 seconds.
        public init(answer: Int = 1 << 20, exchange: Duration = .seconds(30)) {
            self.answer = answer
            self.exchange = exchange
        }
    }

    let client: HTTPClient
    let limits: Limits
    let trace: @Sendable (String) -> Void

    /// Runs `body` with a client and closes its connections afterwards. `trace` gets a line for each exchange: method,
    /// address without query, status; never a header or a body.
    public static func with<T: Sendable>(
        limits: Limits = Limits(), trace: @escaping @Sendable (String) -> Void = { _ in },
        _ body: (WebClient) async throws -> T
    ) async throws -> T {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(10), read: TimeAmount(limits.exchange)))
        // Otherwise a refused connection is tried again for seconds.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.httpVersion = .http1Only
        let client = HTTPClient(eventLoopGroup: MultiThreadedEventLoopGroup.singleton, configuration: configuration)
        do {
            let result = try await body(WebClient(client: client, limits: limits, trace: trace))
            try? await client.shutdown()
            return result
        } catch {
            try? await client.shutdown()
            throw error
        }
    }

    /// What a server answered, whole.
    public struct Answer: Hashable, Sendable {
        /// The HTTP status.
        public let status: Int
        /// The body.
        public let body: [UInt8]
        /// The server's own time when it answered (RFC 9110 6.6.1), in seconds since 1970.
        public let date: Int64?
        /// Seconds after which the server wants to be asked again (RFC 9110 10.2.3).
        public let retryAfter: Int64?
    }

    /// Fetches a document.
    public func get(_ endpoint: Endpoint) async throws(NetworkFailure) -> Answer {
        try await exchange(HTTPClientRequest(url: endpoint.description), with: endpoint.address)
    }

    /// Posts a form; the body holds secrets and is not traced.
    public func post(form: String, to endpoint: Endpoint) async throws(NetworkFailure) -> Answer {
        var request = HTTPClientRequest(url: endpoint.description)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        request.body = .bytes(ByteBuffer(string: form))
        return try await exchange(request, with: endpoint.address)
    }

    private func exchange(_ request: HTTPClientRequest, with address: WebAddress) async throws(NetworkFailure) -> Answer
    {
        var request = request
        request.headers.add(name: "Accept", value: "application/json")
        do {
            let (client, limits, sent) = (client, limits, request)
            let answer = try await withDeadline(limits.exchange) {
                let response = try await client.execute(sent, timeout: TimeAmount(limits.exchange))
                let body = try await response.body.collect(upTo: limits.answer)
                let date = response.headers.first(name: "Date").flatMap(HTTPDate.seconds)
                return Answer(
                    status: Int(response.status.code), body: Array(body.readableBytesView), date: date,
                    retryAfter: response.headers.first(name: "Retry-After").flatMap {
                        HTTPDate.delay($0, since: date)
                    })
            }
            trace("\(request.method.rawValue) \(address) \(answer.status)")
            return answer
        } catch {
            let failure = NetworkFailure(error, origin: address.origin, largestAnswer: limits.answer)
            trace("\(request.method.rawValue) \(address) \(failure.kind)")
            throw failure
        }
    }
}
