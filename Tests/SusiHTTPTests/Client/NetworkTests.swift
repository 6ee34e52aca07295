import SusiOAuth
import SusiPolicies
import SusiTestSupport
import SystemPackage
import Testing

@testable import SusiHTTP

/// Proxies and certificates.
@Suite("Network", .timeLimit(.minutes(5)))
struct NetworkTests {
    @Test(
        arguments: [
            ("http://proxy.example:3128", "http://proxy.example:3128"),
            ("proxy.example:8080", "http://proxy.example:8080"),
            ("HTTP://Ana:p%40ss@Proxy.example:80/", "http://proxy.example:80"),
            ("http://[::1]:3128", "http://[::1]:3128"),
            ("http://user@host@proxy.example", "http://proxy.example:1080"),
            ("socks5://127.0.0.1", "socks5://127.0.0.1:1080"), ("socks5h://h:99", "socks5://h:99"),
        ])
    func parsesProxies(text: String, shown: String) throws {
        #expect(try Proxy(text).description == shown)
    }

    @Test(
        arguments: [
            "", "https://u:hunter2@h:1", "ftp://u:hunter2@h", "http://u:hunter2@", "socks5://u:hunter2@h", "http://a b",
            "http://u:%zzhunter2@h:1", "http://h:99999",
        ])
    func rejectsInvalidProxyWithoutQuotingIt(text: String) throws {
        let invalid = try #require(throws: InvalidProxy.self) { try Proxy(text) }
        #expect(!invalid.reason.contains("hunter2"))
    }

    @Test(
        arguments: [
            ("", false), ("*", true), ("other.example", false), ("contoso.example", true), (".contoso.example", true),
            ("*.contoso.example", true), ("a.example, API.contoso.example", true), ("ontoso.example", false),
            ("api.contoso.example:443", true), ("api.contoso.example:8443", false), ("::1", false),
            ("[::1]:443", false),
        ])
    func parsesExceptions(list: String, isExcepted: Bool) throws {
        let address = try WebAddress("https://api.contoso.example/x")
        #expect(ProxyExceptions(list).contains(address) == isExcepted)
    }

    @Test(arguments: ["localhost", "127.0.0.1"])
    func reachesLoopbackDirectly(host: String) async throws {
        try await Server.with(.response(status: 200)) { server async throws in
            // No proxy listens at this address.
            let network = NetworkSettings(gateway: .proxy(try Proxy("http://127.0.0.1:1")))
            let address = try WebAddress("http://\(host):\(server.port)")
            #expect(try await WebClient.with(network) { try await $0.get(Endpoint(address)).status } == 200)
        }
    }

    private static var address: WebAddress { get throws { try WebAddress("https://\(SecureServer.host)/a") } }

    private static func get(_ network: NetworkSettings, _ trace: Trace = Trace()) async throws -> WebClient.Response {
        let address = try address
        return try await WebClient.with(network, trace: trace.add) { try await $0.get(Endpoint(address)) }
    }

    @Test func connectsThroughProxyWithCredentials() async throws {
        try await withTemporaryFolder { folder in
            try await SecureServer.with(answering: "hello", in: folder) { server in
                try await ConnectProxy.with(leadingTo: server.port, authorization: "Basic YW5hOnBAc3M=") { proxy in
                    let gateway = NetworkSettings.Gateway.proxy(try Proxy("http://ana:p%40ss@127.0.0.1:\(proxy.port)"))
                    let trusts = [
                        NetworkSettings.Roots(file: server.certificate.string),
                        NetworkSettings.Roots(folders: [folder.string]),
                    ]
                    for roots in trusts {
                        let trace = Trace()
                        let network = NetworkSettings(gateway: gateway, roots: roots, tellsHeaders: true)
                        let response = try await Self.get(network, trace)
                        #expect(response.status == 200 && response.body == Array("hello".utf8))
                        #expect(trace.lines.contains("  through http://127.0.0.1:\(proxy.port)"))
                        #expect(!trace.lines.contains { $0.contains("p@ss") || $0.contains("YW5h") })
                    }
                    #expect(proxy.requestLines.allSatisfy { $0 == "CONNECT \(SecureServer.host):443 HTTP/1.1" })
                    #expect(proxy.requestLines.count == 2 && server.requests.count == 2)

                    // Without the certificate, no request is sent.
                    let untrusted = try await #require(throws: NetworkFailure.self) {
                        _ = try await Self.get(NetworkSettings(gateway: gateway))
                    }
                    #expect(untrusted.kind == .tls(.unknownAuthority))
                    #expect(untrusted.proxy == "http://127.0.0.1:\(proxy.port)")
                    #expect(server.requests.count == 2)

                    let without = NetworkSettings.Gateway.proxy(try Proxy("http://127.0.0.1:\(proxy.port)"))
                    let refused = try await #require(throws: NetworkFailure.self) {
                        _ = try await Self.get(NetworkSettings(gateway: without))
                    }
                    #expect(refused.kind == .proxy("http://127.0.0.1:\(proxy.port)"))
                    #expect(refused.detail == "the proxy requires a user name and a password")
                }
            }
        }
    }

    @Test func trustsLoopbackRootsOnlyForLoopback() async throws {
        try await withTemporaryFolder { folder in
            try await SecureServer.with(answering: "hello", in: folder) { server in
                try await ConnectProxy.with(leadingTo: server.port) { proxy in
                    let gateway = NetworkSettings.Gateway.proxy(try Proxy("http://127.0.0.1:\(proxy.port)"))
                    let network = NetworkSettings(gateway: gateway, loopbackRoots: server.certificate.string)
                    let untrusted = try await #require(throws: NetworkFailure.self) { _ = try await Self.get(network) }
                    #expect(untrusted.kind == .tls(.unknownAuthority) && server.requests.isEmpty)
                }
            }
        }
    }

    @Test func reportsUnusableProxy() async throws {
        let port = try await withListener(host: "127.0.0.1") { $0 }
        let absent = NetworkSettings(gateway: .proxy(try Proxy("http://ana:hunter2@127.0.0.1:\(port)")))
        let failure = try await #require(throws: NetworkFailure.self) { _ = try await Self.get(absent) }
        #expect(failure.kind == .proxy("http://127.0.0.1:\(port)"))
        #expect(!failure.detail.contains("hunter2"))
        let unusable = try await #require(throws: NetworkFailure.self) {
            _ = try await Self.get(NetworkSettings(gateway: .unusable(reason: "it is none")))
        }
        #expect(unusable.kind == .proxy("the proxy") && unusable.detail == "it is none")
    }

    @Test func reportsUnreadableRoots() async throws {
        for roots in [NetworkSettings.Roots(file: "/nowhere/roots.pem"), NetworkSettings.Roots(folders: ["/nowhere"])] {
            let failure = try await #require(throws: NetworkFailure.self) {
                _ = try await Self.get(NetworkSettings(gateway: .direct, roots: roots))
            }
            #expect(failure.kind == .tls(.unusableRoots) && failure.detail.contains("/nowhere"))
        }
    }

    @Test func tracesHeadersWithoutSecrets() async throws {
        let trace = Trace()
        try await Server.with(.response(status: 200, headers: [("Set-Cookie", "a=hunter2"), ("X-Request-Id", "r1")])) {
            server async throws in
            try await WebClient.with(NetworkSettings(tellsHeaders: true), trace: trace.add) { web in
                let address = try WebAddress(server.origin + "/a")
                _ = try await web.post(
                    form: "grant_type=refresh_token&refresh_token=hunter2", to: Endpoint(address), hiding: SentSecrets()
                )
                let call = try #require(
                    APICall(base: address, address: address, query: "?code=hunter2&x=1", method: "GET"))
                try await web.call(call, token: "hunter2") { _, _ in .more }
            }
        }
        #expect(!trace.lines.contains { $0.contains("hunter2") })
        for line in [
            "  > grant_type=refresh_token&refresh_token=[hidden]", "  > Authorization: [hidden]",
            "  > ?code=[hidden]&x=1",
            "  < Set-Cookie: [hidden]", "  < X-Request-Id: r1",
        ] { #expect(trace.lines.contains(line), "\(line) in \(trace.lines)") }
    }
}
