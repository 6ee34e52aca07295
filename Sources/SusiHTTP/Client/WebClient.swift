import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import SusiBase
package import SusiOAuth
package import SusiPolicies

/// Makes exchanges with limits of time and size. It follows no redirects and stores no cookies: if a token request has
/// cookies, B2C responds with an HTML page.
package struct WebClient: Sendable {
    /// The limits of an exchange with an authority.
    package struct Limits: Hashable, Sendable {
        /// The maximum size of a response in bytes.
        package var response: Int
        /// The time limit of an exchange, from the connection to the last byte.
        package var exchange: Duration

        /// Makes limits; by default one mebibyte and 30 seconds.
        package init(response: Int = 1 << 20, exchange: Duration = .seconds(30)) {
            self.response = response
            self.exchange = exchange
        }
    }

    /// The time limit of a connection in seconds.
    static let longestConnecting: Int64 = 10

    let network: NetworkSettings
    let connections: Connections
    let clock: (@Sendable () -> Int64)?
    let trace: (@Sendable (String) -> Void)?

    /// Runs `body` with a client and closes its connections afterwards. `clock` returns seconds since 1970; without it,
    /// an expired certificate is reported like one of an unknown authority. `trace` receives a line for each exchange:
    /// method, address without query, status; and the headers without secrets, if the network traces them.
    @discardableResult
    package static func with<T: Sendable>(
        _ network: NetworkSettings = NetworkSettings(), clock: (@Sendable () -> Int64)? = nil,
        trace: (@Sendable (String) -> Void)? = nil,
        _ body: (WebClient) async throws -> T
    ) async throws -> T {
        let client = WebClient(network: network, connections: Connections(network), clock: clock, trace: trace)
        do {
            let result = try await body(client)
            await client.connections.close()
            return result
        } catch {
            await client.connections.close()
            throw error
        }
    }

    /// A complete response.
    package struct Response: Hashable, Sendable {
        package let status: Int
        package let body: [UInt8]
        /// The server's time (RFC 9110 6.6.1) in seconds since 1970, if it sent one.
        package let date: Int64?
        /// The server's `Retry-After` in seconds (RFC 9110 10.2.3).
        package let retryAfter: Int64?

        /// The pause before the one repetition of a request: a server that is down or busy may be back within five
        /// seconds. `nil` for other responses, and if the server wants a longer pause.
        fileprivate var pause: Duration? {
            switch (status, retryAfter) {
            case (502...504, nil): .milliseconds(500)
            case (502...504, let seconds?), (429, let seconds?): seconds <= 5 ? .seconds(max(seconds, 0)) : nil
            default: nil
            }
        }
    }

    package func get(_ endpoint: Endpoint) async throws(NetworkFailure) -> Response {
        try await exchange(HTTPClientRequest(url: endpoint.description), with: endpoint, repeats: true)
    }

    /// Fetches a document with a bearer token (RFC 6750 section 2.1).
    package func get(_ endpoint: Endpoint, bearer token: String) async throws(NetworkFailure) -> Response {
        var request = HTTPClientRequest(url: endpoint.description)
        request.headers.add(name: "Authorization", value: "Bearer \(token)")
        return try await exchange(request, with: endpoint, repeats: true)
    }

    /// Posts a form; the body contains secrets and is not traced. `sent` are its secrets and those of earlier requests. With
    /// `repeats`, a busy server is asked again.
    package func post(
        form: String, to endpoint: Endpoint, hiding sent: SentSecrets, repeats: Bool = false
    ) async throws(NetworkFailure) -> Response {
        var request = HTTPClientRequest(url: endpoint.description)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        request.body = .bytes(ByteBuffer(string: form))
        return try await exchange(request, form: form, with: endpoint, hiding: sent, repeats: repeats)
    }

    private func exchange(
        _ request: HTTPClientRequest, form: String? = nil, with endpoint: Endpoint,
        hiding sent: SentSecrets = SentSecrets(), repeats: Bool
    ) async throws(NetworkFailure) -> Response {
        let address = endpoint.address
        let secrets = sent.adding(request)
        var request = request
        request.headers.add(name: "Accept", value: "application/json")
        do {
            let (client, limits, sent) = (try connections.client(to: address), network.limits, request)
            let send: @Sendable () async throws -> Response = {
                let response = try await client.execute(sent, timeout: TimeAmount(limits.exchange))
                let body = try await response.body.collect(upTo: limits.response)
                log(
                    sent, form: form, to: address, outcome: "\(response.status.code)", response: response.headers,
                    hiding: secrets)
                ServerMessage.received(
                    body.readableBytesView, .response(status: Int(response.status.code), form: form), from: endpoint)
                let date = response.headers.first(name: "Date").flatMap(HTTPDate.seconds)
                return Response(
                    status: Int(response.status.code), body: Array(body.readableBytesView), date: date,
                    retryAfter: response.headers.first(name: "Retry-After").flatMap {
                        HTTPDate.delay($0, since: date)
                    })
            }
            return try await withDeadline(limits.exchange) {
                let response = try await send()
                guard repeats, let pause = response.pause, pause < limits.exchange else { return response }
                try await Task.sleep(for: pause)
                return try await send()
            }
        } catch {
            let failure = await explained(failure(error, address), address)
            log(request, form: form, to: address, outcome: "\(failure.kind)", hiding: secrets)
            throw failure
        }
    }
}
