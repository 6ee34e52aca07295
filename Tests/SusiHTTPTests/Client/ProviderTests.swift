import SusiBase
import SusiOAuth
import SusiPolicies
import SusiTestSupport
import Synchronization
import Testing

@testable import SusiHTTP

/// Requests with secrets, and responses that repeat them.
@Suite("Provider", .timeLimit(.minutes(5)))
struct ProviderTests {
    // A query that repeats it as it is means another text.
    private static let token = "opaque+token+of+ada"
    private static let request = RevocationRequest(token: token, kind: .refresh, clientID: "c")
    private static let told =
        "{\"error\":\"invalid_request\",\"error_description\":\"got \(token), \(token.prefix(12))...\"}"

    /// Runs `body` with a provider that gives this response to every form.
    private static func with(
        _ reply: Reply, trace: Trace = Trace(), _ body: (Provider) async throws -> Void
    ) async throws {
        try await Server.serving { asked, origin in
            asked.method == "POST" ? reply : DiscoveryTests.response(asked, origin: origin)
        } _: { server async throws in
            try await WebClient.with(NetworkSettings(tellsHeaders: true), trace: trace.add) { web in
                try await body(try await DiscoveryTests.provider(server, web))
            }
        }
    }

    @Test("a refused revocation hides the token that the server repeats, in its text and in a header")
    func hidesTokenOfRevocation() async throws {
        let trace = Trace()
        let headers = [("X-Echo", Self.token), ("Location", "https://x.example/?got=\(Self.token)")]
        let reply = Reply.response(status: 400, headers: headers, body: Self.told)
        try await Self.with(reply, trace: trace) { provider in
            let refusal = await #expect(throws: ServerRefusal.self) { try await provider.revoke(Self.request) }
            #expect(refusal?.text == "got [hidden], [hidden]...")
        }
        #expect(trace.lines.contains("  < X-Echo: [hidden]"), "\(trace.lines)")
        #expect(trace.lines.contains("  < Location: https://x.example/?got=[hidden]"), "\(trace.lines)")
        #expect(!trace.lines.contains { $0.contains("opaque") }, "\(trace.lines)")
    }

    @Test("status 200 revokes, whatever the body; a server that fails or has no such page decides nothing")
    func readsStatusOfRevocation() async throws {
        try await Self.with(.response(status: 200, body: Self.told)) { try await $0.revoke(Self.request) }
        for (status, body) in [(500, Self.told), (404, "no such page")] {
            try await Self.with(.response(status: status, body: body)) { provider in
                let response = await #expect(throws: UnexpectedResponse.self) {
                    try await provider.revoke(Self.request)
                }
                #expect(response?.status == status)
            }
        }
    }

    /// What a server responds before it accepts, and how often it is asked.
    struct Busy: Sendable {
        var request = "document"
        let statuses: [Int]
        var pause: String? = "0"
        let sent: Int
    }

    @Test(
        "a busy server is asked once more, unless it wants a long pause, or the request must not be sent twice",
        arguments: [
            Busy(statuses: [502], sent: 2), Busy(statuses: [504, 503, 502], sent: 2), Busy(statuses: [429], sent: 2),
            Busy(statuses: [503], pause: nil, sent: 2), Busy(statuses: [429], pause: nil, sent: 1),
            Busy(statuses: [503], pause: "6", sent: 1), Busy(statuses: [500], sent: 1), Busy(statuses: [400], sent: 1),
            Busy(request: "refresh", statuses: [503], sent: 2), Busy(request: "revocation", statuses: [504], sent: 2),
            Busy(request: "code", statuses: [503], sent: 1),
            Busy(request: "device", statuses: [503], sent: 1),
        ])
    func asksBusyServerOnceMore(busy: Busy) async throws {
        let left = Mutex(busy.statuses)
        let isCounted = { @Sendable (asked: Asked) in asked.method == "POST" || asked.target == "/document" }
        try await Server.serving { asked, origin in
            guard isCounted(asked) else { return DiscoveryTests.response(asked, origin: origin) }
            let status = left.withLock { $0.isEmpty ? 200 : $0.removeFirst() }
            let headers = busy.pause.map { [("Retry-After", $0)] } ?? []
            return .response(status: status, headers: headers, body: #"{"access_token":"a","token_type":"Bearer"}"#)
        } _: { server async throws in
            let request = AuthorizationRequest(
                authority: try DiscoveryTests.authority(server), clientID: "c", redirectURI: "http://localhost:1/",
                scopes: ScopeSet([]))
            let isAccepted = try await WebClient.with { web in
                let provider = try await DiscoveryTests.provider(server, web)
                do {
                    switch busy.request {
                    case "document": _ = try await web.document(at: try Endpoint("\(server.origin)/document"))
                    case "revocation": try await provider.revoke(Self.request)
                    case "refresh": _ = try await provider.response(to: .refresh("r", clientID: "c", scope: nil))
                    case "code": _ = try await provider.response(to: .code("code", request: request))
                    default: _ = try await provider.response(to: .deviceCode("d", clientID: "c"))
                    }
                    return true
                } catch { return false }
            }
            #expect(server.asked.filter(isCounted).count == busy.sent)
            #expect(isAccepted == (busy.sent > busy.statuses.count))
        }
    }

    @Test("a busy or failing token endpoint decides nothing, and its text hides the token", arguments: [429, 500, 599])
    func readsNothingOfFailingServer(status: Int) async throws {
        let reply = Reply.response(status: status, headers: [("Retry-After", "7")], body: Self.told)
        try await Self.with(reply) { provider in
            let form = FormEncoding.encode([("grant_type", "refresh_token"), ("refresh_token", Self.token)])
            let response = await #expect(throws: UnexpectedResponse.self) {
                try await provider.post(form, to: provider.metadata.tokenEndpoint) { response, _ in response.status }
            }
            #expect(response?.status == status && response?.retryAfter == 7)
            #expect(response?.refusal?.text == "got [hidden], [hidden]...")
        }
    }
}
