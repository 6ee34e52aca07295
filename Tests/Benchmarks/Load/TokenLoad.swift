import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1

/// A load of refresh-token grants on persistent connections, one after the other on each.
struct TokenLoad: Sendable {
    let endpoint: String
    let clientID: String
    let scope: String
    let connections: Int
    let seconds: Double
    /// Requests per second on all connections together; nil for as many as possible.
    let rate: Double?
    /// The emulator's process, whose processor time is measured.
    let process: Int?

    struct Failure: Error, CustomStringConvertible { let description: String }

    func run() async throws -> Measured {
        var settings = HTTPClient.Configuration(redirectConfiguration: .disallow)
        settings.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        settings.httpVersion = .http1Only
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
        let result: Result<Measured, any Error>
        do { result = .success(try await run(http)) } catch { result = .failure(error) }
        try await http.shutdown()
        return try result.get()
    }

    private func run(_ http: HTTPClient) async throws -> Measured {
        var tokens: [String] = []
        for _ in 0..<connections {
            tokens.append(
                try await token(
                    http, "grant_type=password&username=ana%40contoso.example&password=Passw0rd%21&scope=\(scope)"))
        }
        let busy = ProcessTime.seconds(of: process)
        let start = ContinuousClock.now
        return try await withThrowingTaskGroup(of: [Duration].self) { group in
            for (lane, token) in tokens.enumerated() {
                group.addTask { try await drive(http, token, lane: lane, start: start) }
            }
            var times: [Duration] = []
            for try await more in group { times += more }
            return Measured(times: times.sorted(), busy: ProcessTime.seconds(of: process) - busy)
        }
    }

    private func drive(
        _ http: HTTPClient, _ first: String, lane: Int, start: ContinuousClock.Instant
    ) async throws -> [Duration] {
        let end = start + .seconds(seconds)
        var (token, times, count) = (first, [Duration](), 0)
        while true {
            var due = ContinuousClock.now
            if let rate {
                // The time counts from when the request is due, even if it has to wait for the previous response.
                due = start + .seconds(Double(count * connections + lane) / rate)
                if due < end { try await Task.sleep(until: due) }
            }
            guard due < end else { return times }
            token = try await self.token(http, "grant_type=refresh_token&refresh_token=\(token)&scope=\(scope)")
            times.append(ContinuousClock.now - due)
            count += 1
        }
    }

    /// Sends one token request and returns the refresh token of the response.
    private func token(_ http: HTTPClient, _ fields: String) async throws -> String {
        var request = HTTPClientRequest(url: endpoint)
        request.method = .POST
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        request.body = .bytes(ByteBuffer(string: "client_id=\(clientID)&\(fields)"))
        let response = try await http.execute(request, timeout: .seconds(30))
        let text = String(buffer: try await response.body.collect(upTo: 1 << 20))
        // Both tokens are signed: each response has two signatures.
        guard response.status == .ok, text.contains(#""access_token":"eyJ"#), text.contains(#""id_token":"eyJ"#),
            let found = text.range(of: #""refresh_token":""#)
        else { throw Failure(description: "\(response.status): \(text)") }
        return String(text[found.upperBound...].prefix { $0 != "\"" })
    }
}

/// The times of all responses, in ascending order.
struct Measured: Sendable {
    let times: [Duration]
    /// The emulator's processor time in seconds.
    let busy: Double

    func lines(seconds: Double) -> [String] {
        [
            "answers \(times.count)", "per-second \(Int(Double(times.count) / seconds))",
            "per-own-second \(busy > 0 ? Int(Double(times.count) / busy) : 0)",
            "p50 \(milliseconds(0.5))", "p99 \(milliseconds(0.99))", "slowest \(milliseconds(1))",
        ]
    }

    private func milliseconds(_ part: Double) -> String {
        guard let last = times.indices.last else { return "none" }
        return String(format: "%.1f", times[Int(Double(last) * part)] / .milliseconds(1))
    }
}
