import AsyncHTTPClient
import NIOCore
import NIOHTTP1
public import SusiPolicies

/// Exchanges with a server, each bounded in time and size. It follows no redirect and keeps no cookie: B2C answers a
/// token request that carries cookies with an HTML page.
public struct WebClient: Sendable {
    /// The largest answer of an authority, in bytes.
    public static let largestAnswer = 1 << 20
    /// Seconds for a whole exchange with an authority.
    public static let longestExchange: Int64 = 30

    /// Seconds for one connection to be made.
    static let longestConnecting: Int64 = 10

    let network: Network
    let connections: Connections
    let trace: @Sendable (String) -> Void

    /// Runs `body` with a client and closes its connections afterwards. `trace` gets a line for each exchange: method,
    /// address without query, status; where the network tells headers, they follow with every secret hidden.
    @discardableResult
    public static func with<T: Sendable>(
        _ network: Network = Network(), trace: @escaping @Sendable (String) -> Void = { _ in },
        _ body: (WebClient) async throws -> T
    ) async throws -> T {
        let client = WebClient(network: network, connections: Connections(network), trace: trace)
        do {
            let result = try await body(client)
            await client.connections.close()
            return result
        } catch {
            await client.connections.close()
            throw error
        }
    }

    /// What a server answered, whole.
    public struct Answer: Hashable, Sendable {
        /// The HTTP status.
        public let status: Int
        /// The body.
        public let body: [UInt8]
        /// The server's own time, in seconds since 1970; nil when it did not say.
        public let date: Int64?
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
        return try await exchange(request, form: form, with: endpoint.address)
    }

    private func exchange(
        _ request: HTTPClientRequest, form: String? = nil, with address: WebAddress
    ) async throws(NetworkFailure) -> Answer {
        var request = request
        request.headers.add(name: "Accept", value: "application/json")
        do {
            let client = try connections.client(to: address)
            let sent = request
            return try await withDeadline(seconds: Self.longestExchange) {
                let response = try await client.execute(sent, timeout: .seconds(Self.longestExchange))
                let body = try await response.body.collect(upTo: Self.largestAnswer)
                tell(sent, form: form, address, "\(response.status.code)", response.headers)
                return Answer(
                    status: Int(response.status.code), body: Array(body.readableBytesView),
                    date: response.headers.first(name: "Date").flatMap(HTTPDate.seconds))
            }
        } catch {
            let failure = failure(error, address)
            tell(request, form: form, address, "\(failure.kind)")
            throw failure
        }
    }
}
