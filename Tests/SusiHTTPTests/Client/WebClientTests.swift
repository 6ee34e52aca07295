import AsyncHTTPClient
import NIOHTTP1
import SusiOAuth
import SusiPolicies
import SusiTestSupport
import Testing

@testable import SusiHTTP

@Suite("Web client", .timeLimit(.minutes(5)))
struct WebClientTests {
    static func get(_ server: Server, _ path: String = "/a") async throws -> WebClient.Response {
        try await WebClient.with { try await $0.get(Endpoint(server.origin + path)) }
    }

    @Test func returnsStatusTypeAndBody() async throws {
        try await Server.with(
            .response(status: 418, headers: [("Content-Type", "Text/HTML; charset=utf-8")], body: "hello")
        ) { server async throws in
            let response = try await Self.get(server)
            #expect(response.status == 418)
            #expect(response.body == Array("hello".utf8))
            #expect(server.asked.map(\.target) == ["/a"])
            #expect(server.asked[0].headers["Accept"] == ["application/json"])
        }
    }

    @Test(arguments: [0, 1])
    func limitsSizeOfResponse(more: Int) async throws {
        let body = String(repeating: "x", count: WebClient.Limits().response + more)
        try await Server.with(.response(status: 200, body: body)) { server async throws in
            if more == 0 {
                #expect(try await Self.get(server).body.count == 1 << 20)
            } else {
                let failure = try await #require(throws: NetworkFailure.self) { try await Self.get(server) }
                #expect(failure.kind == .tooLarge(limit: 1 << 20))
                #expect(failure.origin == server.origin)
            }
        }
    }

    @Test func followsNoRedirect() async throws {
        try await Server.with { asked in
            .redirect("/b", status: Int(asked.target.dropFirst()) ?? 0, headers: [("Set-Cookie", "a=b; Path=/")])
        } _: { server async throws in
            let statuses = [301, 302, 303, 307, 308]
            try await WebClient.with { client in
                for status in statuses {
                    #expect(try await client.get(Endpoint("\(server.origin)/\(status)")).status == status)
                }
                let address = try WebAddress("\(server.origin)/302")
                _ = try await client.post(form: "x=1", to: Endpoint(address), hiding: SentSecrets())
            }
            #expect(server.asked.map(\.target) == statuses.map { "/\($0)" } + ["/302"])
            // No cookie is stored.
            #expect(server.asked.allSatisfy { !$0.headers.contains(name: "Cookie") })
            #expect(server.asked.last?.method == "POST" && server.asked.last?.body == "x=1")
            #expect(server.asked.last?.headers["Content-Type"] == ["application/x-www-form-urlencoded"])
        }
    }

    @Test func reportsRefusedConnection() async throws {
        let port = try await withListener(host: "127.0.0.1") { $0 }
        for host in ["127.0.0.1", "localhost"] {
            let failure = try await #require(throws: NetworkFailure.self) {
                try await WebClient.with { try await $0.get(Endpoint("http://\(host):\(port)")) }
            }
            #expect(failure.kind == .refused, "\(failure)")
        }
    }

    @Test func endsAtDeadline() async throws {
        let (arrivals, feed) = AsyncStream<Void>.makeStream()
        try await Server.with { _ in
            feed.yield()
            return .silence
        } _: { server async throws in
            let request = Task { try await Self.get(server) }
            // The time counts from the request's arrival, however busy the machine is.
            for await _ in arrivals { break }
            await #expect(throws: DeadlineExceeded.self) {
                try await withDeadline(.seconds(1)) {
                    try await withTaskCancellationHandler {
                        try await request.value
                    } onCancel: {
                        request.cancel()
                    }
                }
            }
            #expect(server.asked.count == 1)
        }
        #expect(try await withDeadline(.seconds(60)) { 5 } == 5)
        await #expect(throws: InvalidAddress.self) { try await withDeadline(.seconds(60)) { try WebAddress("x") } }
        await #expect(throws: DeadlineExceeded.self) {
            try await withDeadline(.seconds(0)) { try await Task.sleep(for: .seconds(30)) }
        }
    }

    @Test func tracesNoQueryHeaderOrBody() async throws {
        let trace = Trace()
        try await Server.with(.response(status: 200, body: "secret4")) { server async throws in
            try await WebClient.with(trace: trace.add) { client in
                let address = try WebAddress(server.origin + "/a")
                _ = try await client.get(Endpoint(address))
                _ = try await client.post(form: "code=secret1", to: Endpoint(address), hiding: SentSecrets())
                let call = try #require(
                    APICall(
                        base: address, address: address, query: "?q=secret2", method: "POST",
                        headers: [("X-Key", "secret3")], body: .bytes(Array("secret5".utf8))))
                try await client.call(call, token: "secret6") { _, _ in .more }
            }
            #expect(trace.lines == ["GET", "POST", "POST"].map { "\($0) \(server.origin)/a 200" })
        }
    }

    @Test func contactsNoUnknownAuthority() async throws {
        try await Server.with(.response(status: 200, body: "{}")) { server async throws in
            let authority = Authority(
                kind: .b2c, base: try WebAddress("\(server.origin)/c"), policy: PolicyName("B2C_1_susi"))
            for entries in [[], ["http://localhost:\(server.port)"], ["\(server.origin)/d"]] {
                let known = KnownAuthorities(try entries.map { entry throws in try KnownAuthorities.Entry(entry) })
                await #expect(throws: KnownAuthorities.Refusal.self) {
                    try await WebClient.with { try await Provider.discover(authority, known: known, client: $0) }
                }
            }
            #expect(server.connections == 0)
            let known = KnownAuthorities([try KnownAuthorities.Entry(server.origin)])
            await #expect(throws: ProtocolViolation.self) {
                try await WebClient.with { try await Provider.discover(authority, known: known, client: $0) }
            }
            #expect(server.asked.map(\.target) == ["/c/B2C_1_susi/v2.0/.well-known/openid-configuration"])
        }
    }

    @Test(arguments: [302, 404, 500])
    func reportsUnexpectedStatusOfDiscovery(status: Int) async throws {
        try await Server.with(.redirect("/x", status: status)) { server async throws in
            let base = try WebAddress("\(server.origin)/c")
            let authority = Authority(kind: .b2c, base: base, policy: PolicyName("p"))
            let known = KnownAuthorities([try KnownAuthorities.Entry(server.origin)])
            let response = try await #require(throws: UnexpectedResponse.self) {
                try await WebClient.with { try await Provider.discover(authority, known: known, client: $0) }
            }
            #expect(response == UnexpectedResponse(address: authority.discovery, status: status))
        }
    }

    @Test("every TLS connection checks the server's name, whatever version of HTTP it has")
    func checksNameOfEveryVersion() throws {
        let connections = Connections(NetworkSettings())
        let secure = try connections.configuration(to: WebAddress("https://login.example"))
        #expect(secure.http1_1ConnectionDebugInitializer != nil && secure.http2ConnectionDebugInitializer != nil)
        let plain = try connections.configuration(to: WebAddress("http://localhost:8480"))
        #expect(plain.http1_1ConnectionDebugInitializer == nil && plain.http2ConnectionDebugInitializer == nil)
    }
}
